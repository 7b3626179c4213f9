// The comparison matrix: systems × measures. Best and not significantly worse are marked by sign and
// weight, not by colour alone; every value shows its tests on hover and focus.
import { facts, h, scroller, spoken } from "../dom";
import { count, interval, pValue, short, signed, value } from "../format";
import { deciding, failedInPart, isNumber, type Pair, pairOf, type Results, standingOf, statisticsOf, type System, testValue } from "../results";
import { explain } from "../tip";
import type { View } from "../view";
import type { Choose, Section } from "./section";

const NAME = "name";

function order(results: Results, sort: View["sort"]): System[] {
  const sign = sort.descending ? -1 : 1;
  return [...results.systems].sort((a, b) => {
    if (sort.column === NAME) return sign * a.name.localeCompare(b.name, "en", { numeric: true });
    const x = testValue(a, sort.column);
    const y = testValue(b, sort.column);
    if (x === null || y === null) return (x === null ? 1 : 0) - (y === null ? 1 : 0); // last in either order
    return sign * (x - y);
  });
}

function head(column: string, label: string, view: View, choose: Choose): HTMLElement {
  const active = view.sort.column === column;
  const descending = active ? !view.sort.descending : column !== NAME;
  const arrow = active ? (view.sort.descending ? "▼" : "▲") : "";
  return h(
    "th",
    {
      scope: "col",
      "aria-sort": active ? (view.sort.descending ? "descending" : "ascending") : null,
      class: column === view.measure ? "chosen" : null,
    },
    h(
      "button",
      { type: "button", id: `sort-${column}`, onclick: () => choose({ sort: { column, descending } }) },
      label,
      h("span", { class: "arrow", "aria-hidden": "true" }, arrow),
    ),
  );
}

function pValues(pair: Pair): string {
  const parts = Object.entries(pair.p ?? {}).filter(([, p]) => isNumber(p));
  return parts.map(([name, p]) => `${name} ${pValue(p)}`).join(" · ") || "–";
}

function adjusted(pair: Pair): string {
  const parts = Object.entries(pair.adjusted ?? {}).filter(([, p]) => isNumber(p));
  return parts.map(([name, p]) => `${name} ${pValue(p)}`).join(" · ") || "–";
}

export function pairFacts(pair: Pair): [string, string][] {
  const entries: [string, string][] = [
    ["Difference", signed(pair.mean)],
    ["Interval", interval(pair.interval)],
    ["Bootstrap", interval(pair.bootstrap)],
    ["p", pValues(pair)],
    ["Adjusted p", adjusted(pair)],
    ["Effect size d_z", signed(pair.dz, 3)],
    ["Won · tied · lost", `${pair.wins} · ${pair.ties} · ${pair.losses}`],
  ];
  if (pair.reason) entries.push(["No test", pair.reason]);
  if (pair.warning) entries.push(["Note", pair.warning]);
  return entries;
}

function details(results: Results, system: System, measure: string, baseline: string): Node[] {
  const variation = system.variation?.[measure];
  const entries: [string, string][] = [["Test", value(testValue(system, measure), 6)]];
  if (isNumber(system.valid?.[measure])) entries.push(["Validation", value(system.valid?.[measure])]);
  if (isNumber(system.train?.[measure])) entries.push(["Training", value(system.train?.[measure])]);
  if (isNumber(variation?.over_folds)) entries.push(["Deviation over folds", value(variation?.over_folds)]);
  if (isNumber(variation?.over_seeds)) entries.push(["Deviation over seeds", value(variation?.over_seeds)]);
  if (isNumber(system.winning_numbers?.[measure])) entries.push(["Winning number", short(system.winning_numbers?.[measure])]);
  const nodes: Node[] = [h("strong", {}, `${system.name} · ${measure}`), facts(entries, "pairs")];
  const pair = system.name === baseline ? null : pairOf(results, measure, system.name, baseline);
  if (pair) nodes.push(h("p", { class: "against" }, `Against ${baseline}`), facts(pairFacts(pair), "pairs"));
  return nodes;
}

function mark(standing: string | null): Node[] {
  if (standing === "best") return [h("span", { class: "mark", "aria-hidden": "true" }, "●"), spoken(", best")];
  if (standing === "not-worse")
    return [h("span", { class: "mark", "aria-hidden": "true" }, "○"), spoken(", not significantly worse than the best")];
  return [h("span", { class: "mark", "aria-hidden": "true" }, "\u2007")];
}

function figureCell(results: Results, system: System, measure: string, view: View): HTMLElement {
  const test = testValue(system, measure);
  const standing = standingOf(results, system.name, measure);
  const classes = [standing ?? "", measure === view.measure ? "chosen" : ""].join(" ").trim();
  const cell = h(
    "td",
    {
      class: classes || null,
      tabindex: -1,
      "data-system": system.name,
      "data-measure": measure,
      "data-value": test,
      "data-standing": standing,
    },
    value(test),
    mark(standing),
  );
  if (test !== null) explain(cell, () => details(results, system, measure, view.baseline));
  return cell;
}

function row(results: Results, system: System, view: View): HTMLElement {
  const cells = system.failed
    ? [h("td", { colspan: results.measures.length, class: "failed" }, h("a", { href: "#failures" }, "failed"))]
    : results.measures.map((measure) => figureCell(results, system, measure, view));
  const name = h("th", { scope: "row" }, h("span", { class: "name" }, system.name));
  if (system.name === view.baseline) name.append(h("span", { class: "tag" }, "baseline"));
  else if (!system.name.startsWith(system.learner)) name.append(h("span", { class: "tag quiet" }, system.learner));
  if (!system.failed && failedInPart(system)) name.append(h("a", { class: "tag", href: "#failures" }, "failed in part"));
  return h("tr", {}, name, cells);
}

// One tab stop; arrow keys move inside.
function walkByArrows(body: HTMLElement): void {
  const first = body.querySelector<HTMLElement>("td[data-measure]");
  if (first) first.tabIndex = 0;
  body.addEventListener("focusin", (event) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>("td[data-measure]");
    if (!cell) return;
    body.querySelectorAll<HTMLElement>('td[tabindex="0"]').forEach((other) => (other.tabIndex = -1));
    cell.tabIndex = 0;
  });
  body.addEventListener("keydown", (event) => {
    const cell = (event.target as HTMLElement).closest<HTMLTableCellElement>("td[data-measure]");
    const steps: Record<string, [number, number]> = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };
    const step = steps[event.key];
    if (!cell || !step) return;
    event.preventDefault();
    let line = cell.parentElement as HTMLTableRowElement | null;
    if (step[0] > 0) line = line?.nextElementSibling as HTMLTableRowElement | null;
    if (step[0] < 0) line = line?.previousElementSibling as HTMLTableRowElement | null;
    const next = line?.cells[cell.cellIndex + step[1]];
    if (next?.dataset["measure"]) next.focus();
  });
}

// Which test determines the marks, and how it is corrected.
function howTested(results: Results): string {
  const { statistics } = results;
  if (!statistics) return "";
  const { test, correction } = deciding(results);
  const drawn = test === "randomisation" && statistics.permutations ? `, ${count(statistics.permutations)} permutations` : "";
  const corrected = correction === "none" ? "not corrected" : `${correction} over all pairs`;
  return `Marks: ${test} test${drawn}, ${corrected}, α = ${statistics.alpha}.`;
}

function legend(results: Results, view: View): HTMLElement {
  const reason = statisticsOf(results, view.measure)?.reason;
  return h(
    "p",
    { class: "note" },
    h("span", { class: "mark" }, "●"), " best \u2003",
    h("span", { class: "mark" }, "○"), " not significantly worse than the best. ",
    reason ? `No tests for ${view.measure}: ${reason}.` : howTested(results),
    " Means over test queries; hover over a value, or reach it with the arrow keys, to see its tests.",
  );
}

export const matrix: Section = {
  id: "matrix",
  title: "Comparison",
  depends: ["measure", "baseline", "sort"],
  draw({ results }, view, choose) {
    const body = h("tbody", {}, order(results, view.sort).map((system) => row(results, system, view)));
    walkByArrows(body);
    const table = h(
      "table",
      { class: "matrix", id: "matrix-table" },
      h("caption", { class: "spoken" }, "Mean test value of every system and measure"),
      h("thead", {}, h("tr", {}, head(NAME, "System", view, choose), results.measures.map((m) => head(m, m, view, choose)))),
      body,
    );
    return [scroller("Comparison of systems and measures", table), legend(results, view)];
  },
};
