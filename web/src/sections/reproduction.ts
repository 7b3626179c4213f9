// How to reproduce the numbers: the command, versions, and a command with the options of every cell.
import { copyable, shellWord } from "../copy";
import { disclosure, facts, h, scroller, slug } from "../dom";
import { count, plural, short, value } from "../format";
import type { Cell, Options, Results, System } from "../results";
import type { Section } from "./section";

const optionText = (options: Options | null | undefined): string =>
  Object.entries(options ?? {})
    .map(([name, x]) => `${name} ${typeof x === "number" ? short(x) : typeof x === "string" ? x : JSON.stringify(x)}`)
    .join(", ");

function cellRow(cell: Cell, measure: string): HTMLElement {
  const ended = [cell.iterations != null ? plural(cell.iterations, "iteration") : "", cell.termination ?? ""].filter(Boolean).join(", ");
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, cell.fold),
    h("td", { "data-value": cell.test?.[measure] }, cell.status === "done" ? value(cell.test?.[measure]) : cell.status),
    h("td", { class: "text" }, optionText(cell.chosen) || "–"),
    h("td", { class: "text" }, ended || cell.message || "–"),
    h("td", { class: "text" }, cell.tuning ? plural(cell.tuning.length, "trial") : "–"),
  );
}

function cells(system: System, measure: string): Node[] {
  const all = system.cells ?? [];
  const heads = ["Part", measure, "Chosen by itself", "Ended", "Tuning"];
  return [
    scroller(
      `Cells of ${system.name}`,
      h("table", { class: "plain" }, h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))), h("tbody", {}, all.map((cell) => cellRow(cell, measure)))),
    ),
    ...all.filter((cell) => cell.command).map((cell) =>
      h(
        "div",
        { class: "cell-command" },
        h("p", { class: "note" }, `${cell.fold}: ${optionText(cell.options) || "no options"}`),
        copyable(cell.command ?? "", `the command of ${system.name}, ${cell.fold}`),
      ),
    ),
  ];
}

function systemDetails(results: Results, system: System): HTMLElement {
  const given = optionText(system.given);
  const done = (system.cells ?? []).filter((cell) => cell.status === "done").length;
  const note = `${done} of ${count(results.design.folds.length)} done${given ? ` · fixed: ${given}` : ""}`;
  return disclosure(`cells-${slug(system.name)}`, [system.name, h("span", { class: "quiet" }, note)], () => cells(system, results.measures[0] ?? ""));
}

export const reproduction: Section = {
  id: "reproduction",
  title: "Reproduction",
  depends: [],
  draw({ results }) {
    const entries: [string, string][] = [
      ["Podium", results.podium?.version ?? "–"],
      ["Seed", String(results.seed ?? "–")],
      ["Data fingerprint", results.data.fingerprint ?? "–"],
      ["Parts", results.design.folds.length > 8 ? count(results.design.folds.length) : results.design.folds.join(", ")],
    ];
    return [
      h("p", { class: "lead" }, "The same command gives the same numbers, bit for bit, with any number of threads."),
      copyable((results.command ?? []).map(shellWord).join(" "), "the command of this comparison"),
      facts(entries, "facts wide"),
      h("h3", {}, "Every cell"),
      h("div", { class: "disclosures" }, results.systems.map((system) => systemDetails(results, system))),
    ];
  },
};
