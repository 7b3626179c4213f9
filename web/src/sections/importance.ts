// Features by their share of the model's importance, mean over the cells.
import { chooser, disclosure, h, sameName, scroller } from "../dom";
import { percent, plural } from "../format";
import { systemNamed } from "../results";
import { systemsWith } from "../curves";
import { barCell } from "./cost";
import type { Section } from "./section";

const SHOWN = 12;
const MOST = 500;

type Share = { feature: string; share: number };

function table(shares: Share[], largest: number, id: string): HTMLElement {
  return scroller(
    "Importance of features",
    h(
      "table",
      { class: "plain importance", id },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Feature"), h("th", { scope: "col" }, "Share"))),
      h("tbody", {}, shares.map((s) => h("tr", {}, h("th", { scope: "row" }, s.feature), barCell(percent(s.share), s.share / largest, s.share)))),
    ),
  );
}

export const importance: Section = {
  id: "importance",
  title: "Features",
  depends: ["importanceSystem"],
  draw({ results }, view, choose) {
    const names = systemsWith(results, (system) => (system.importance?.length ?? 0) > 0);
    const name = names.includes(view.importanceSystem) ? view.importanceSystem : (names.find((n) => n === view.system) ?? names[0]);
    const shares = (name === undefined ? [] : systemNamed(results, name)?.importance) ?? [];
    if (name === undefined || shares.length === 0) return null;
    const largest = Math.max(...shares.map((s) => s.share), 1e-12);
    const rest = shares.slice(SHOWN, MOST);
    return [
      h("div", { class: "controls" }, chooser("importance-system", "System", sameName(names), name, (importanceSystem) => choose({ importanceSystem }))),
      table(shares.slice(0, SHOWN), largest, "importance-table"),
      ...(rest.length > 0
        ? [disclosure("importance-rest", `${plural(rest.length, "more feature")}`, () => table(rest, largest, "importance-more"))]
        : []),
    ];
  },
};
