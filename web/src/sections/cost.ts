// Time and memory of every system, against quality.
import { figure, type Ink } from "../chart";
import { h, scroller } from "../dom";
import { bytes, plural, seconds, value } from "../format";
import { isNumber, type Report, testValue, usedBy } from "../results";
import type { View } from "../view";
import type { Choose, Section } from "./section";

interface Cost {
  name: string;
  value: number | null;
  seconds: number;
  perCell: number;
  memory: number | null;
}

function costs({ results, resources }: Report, measure: string): Cost[] {
  return results.systems.flatMap((system) => {
    const cells = usedBy(resources, system.name, results.design.folds);
    if (cells.length === 0) return [];
    const total = cells.reduce((sum, cell) => sum + cell.seconds, 0);
    const peaks = cells.flatMap((cell) => (isNumber(cell.peak_bytes) ? [cell.peak_bytes] : []));
    return [{ name: system.name, value: testValue(system, measure), seconds: total, perCell: total / cells.length, memory: peaks.length ? Math.max(...peaks) : null }];
  });
}

function ordered(list: Cost[], by: View["costOrder"]): Cost[] {
  if (by === "name") return [...list].sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
  if (by === "value") return [...list].sort((a, b) => (b.value ?? -Infinity) - (a.value ?? -Infinity));
  const key = by === "seconds" ? (cost: Cost) => cost.seconds : (cost: Cost) => cost.memory ?? Infinity;
  return [...list].sort((a, b) => key(a) - key(b));
}

export function barCell(text: string, share: number, exact: number | null): HTMLElement {
  const bar = h("span", { class: "bar", "aria-hidden": "true" });
  bar.style.width = `${Math.max(0.5, 100 * share)}%`;
  return h("td", { class: "bar-cell", "data-value": exact }, h("span", { class: "track" }, bar), h("span", { class: "amount" }, text));
}

function head(by: View["costOrder"], label: string, view: View, choose: Choose): HTMLElement {
  const active = view.costOrder === by;
  return h(
    "th",
    { scope: "col", "aria-sort": active ? (by === "value" ? "descending" : "ascending") : null },
    h("button", { type: "button", id: `cost-${by}`, onclick: () => choose({ costOrder: by }) }, label, h("span", { class: "arrow", "aria-hidden": "true" }, active ? (by === "value" ? "▼" : "▲") : "")),
  );
}

function table(list: Cost[], view: View, choose: Choose): HTMLElement {
  const longest = Math.max(...list.map((cost) => cost.seconds), 1e-9);
  const largest = Math.max(...list.map((cost) => cost.memory ?? 0), 1);
  const heads = [
    head("name", "System", view, choose),
    head("value", view.measure, view, choose),
    head("seconds", "Time, all cells", view, choose),
    h("th", { scope: "col" }, "per cell"),
    head("memory", "Peak memory", view, choose),
  ];
  return scroller(
    "Time and memory",
    h(
      "table",
      { class: "plain costs", id: "cost-table" },
      h("thead", {}, h("tr", {}, heads)),
      h(
        "tbody",
        {},
        ordered(list, view.costOrder).map((cost) =>
          h(
            "tr",
            { "data-system": cost.name },
            h("th", { scope: "row" }, cost.name),
            h("td", {}, value(cost.value)),
            barCell(seconds(cost.seconds), cost.seconds / longest, cost.seconds),
            h("td", {}, seconds(cost.perCell)),
            barCell(bytes(cost.memory), (cost.memory ?? 0) / largest, cost.memory),
          ),
        ),
      ),
    ),
  );
}

function picture(list: Cost[], measure: string): HTMLElement | null {
  const points = list.filter((cost) => cost.value !== null && cost.perCell > 0).sort((a, b) => a.perCell - b.perCell);
  if (points.length < 2) return null;
  return figure({
    id: "cost-chart",
    caption: `${measure} against time: up and to the left is better`,
    summary: points.map((cost) => `${cost.name} ${value(cost.value)} in ${seconds(cost.perCell)}`).join("; ") + ".",
    x: { label: "Seconds per cell", values: points.map((cost) => cost.perCell), log: true, name: (x) => seconds(x) },
    y: { label: measure, format: (y, digits = 4) => value(y, digits) },
    lines: points.map((cost, i) => ({
      label: cost.name,
      values: points.map((_, j) => (i === j ? cost.value : null)),
      ink: "series-1" as Ink,
      draw: "points" as const,
    })),
    labels: true,
    table: [["System", "Time per cell", measure], ...points.map((cost) => [cost.name, seconds(cost.perCell), value(cost.value)])],
    key: false,
    height: 340,
  });
}

export const cost: Section = {
  id: "cost",
  title: "Time and memory",
  depends: ["measure", "costOrder"],
  draw(report, view, choose) {
    const list = costs(report, view.measure);
    if (list.length === 0) return null;
    const { resources } = report;
    const threads = isNumber(resources?.threads) ? plural(resources!.threads, "thread") : "";
    const started = resources?.started ? `started ${resources.started.replace("T", " ").replace("Z", " UTC")}` : "";
    const whole = isNumber(resources?.seconds) ? `${seconds(resources?.seconds)} in total` : "";
    const drawn = picture(list, view.measure);
    return [
      ...(drawn ? [drawn] : []),
      table(list, view, choose),
      h(
        "p",
        { class: "note" },
        [threads, whole, started].filter(Boolean).join(" · "),
        ". Memory is that of the process while a cell ran. These are the only values that differ from run to run.",
      ),
    ];
  },
};
