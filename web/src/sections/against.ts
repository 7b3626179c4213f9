// Every system against the chosen baseline on the chosen measure: difference, interval, tests, and
// queries won, tied and lost.
import { h, scroller, spoken } from "../dom";
import { interval, pValue, signed } from "../format";
import { deciding, decidingP, isNumber, isSignificant, type Pair, pairOf, type Results, statisticsOf, working } from "../results";
import { explain } from "../tip";
import { facts } from "../dom";
import { pairFacts } from "./matrix";
import type { Section } from "./section";

interface Span {
  low: number;
  high: number;
}

function spanOf(pairs: Pair[]): Span {
  const ends = pairs.flatMap((pair) => [...(pair.interval ?? []), pair.mean ?? 0, 0]);
  const low = Math.min(...ends);
  const high = Math.max(...ends);
  const pad = 0.04 * (high - low || 1);
  return { low: low - pad, high: high + pad };
}

function intervalBar(pair: Pair, span: Span): HTMLElement {
  const at = (x: number) => (100 * (x - span.low)) / (span.high - span.low);
  const zero = h("span", { class: "zero" });
  zero.style.left = `${at(0)}%`;
  const bar = h("span", { class: "interval-bar", "aria-hidden": "true" }, zero);
  if (pair.interval) {
    const range = h("span", { class: "range" });
    range.style.left = `${at(pair.interval[0])}%`;
    range.style.width = `${at(pair.interval[1]) - at(pair.interval[0])}%`;
    bar.append(range);
  }
  if (isNumber(pair.mean)) {
    const dot = h("span", { class: "dot" });
    dot.style.left = `${at(pair.mean)}%`;
    bar.append(dot);
  }
  return bar;
}

function outcomeBar(pair: Pair): HTMLElement {
  const part = (name: string, n: number) => {
    const piece = h("span", { class: name });
    piece.style.flexGrow = String(n);
    return piece;
  };
  return h(
    "span",
    { class: "outcome" },
    h("span", { class: "outcome-bar", "aria-hidden": "true" }, part("won", pair.wins), part("tied", pair.ties), part("lost", pair.losses)),
    h("span", { class: "outcome-text" }, `${pair.wins} · ${pair.ties} · ${pair.losses}`, spoken(" queries won, tied and lost")),
  );
}

function verdict(results: Results, pair: Pair): { text: string; kind: string } {
  const p = decidingP(results, pair);
  if (p === null) return { text: "not tested", kind: "open" };
  if (!isSignificant(results, p)) return { text: "no difference shown", kind: "open" };
  return (pair.mean ?? 0) > 0 ? { text: "▲ better", kind: "better" } : { text: "▼ worse", kind: "worse" };
}

function row(results: Results, pair: Pair, span: Span): HTMLElement {
  const found = verdict(results, pair);
  const p = decidingP(results, pair);
  const pCell = h("td", { tabindex: 0, "data-value": p, class: "explained" }, pValue(p));
  explain(pCell, () => [h("strong", {}, `${pair.a} against ${pair.b}`), facts(pairFacts(pair), "pairs")]);
  return h(
    "tr",
    { "data-system": pair.a },
    h("th", { scope: "row" }, pair.a),
    h("td", { "data-value": pair.mean }, signed(pair.mean)),
    h("td", { class: "wide" }, intervalBar(pair, span), spoken(interval(pair.interval))),
    pCell,
    h("td", { "data-value": pair.dz }, signed(pair.dz, 2)),
    h("td", { class: `verdict ${found.kind}` }, found.text),
    h("td", { class: "wide" }, outcomeBar(pair)),
  );
}

export const against: Section = {
  id: "against",
  title: "Against the baseline",
  depends: ["measure", "baseline"],
  draw({ results }, view) {
    const others = working(results).filter((system) => system.name !== view.baseline);
    const pairs = others
      .map((system) => pairOf(results, view.measure, system.name, view.baseline))
      .filter((pair): pair is Pair => pair !== null)
      .sort((x, y) => (y.mean ?? -Infinity) - (x.mean ?? -Infinity));
    const reason = statisticsOf(results, view.measure)?.reason;
    if (pairs.length === 0) {
      if (others.length === 0) return null;
      return [h("p", { class: "note" }, reason ? `No comparison: ${reason}.` : "No comparison with this baseline yet.")];
    }
    const span = spanOf(pairs);
    const { test, correction } = deciding(results);
    const heads: (string | Node)[] = ["System", "Difference", "Interval", `p, ${correction === "none" ? test : correction}`, h("i", {}, "d", h("sub", {}, "z")), "Verdict", "Won · tied · lost"];
    return [
      h("p", { class: "lead" }, `${view.measure}, minus that of `, h("strong", {}, view.baseline), ". To the right of the line is better."),
      scroller(
        `Systems against ${view.baseline}`,
        h(
          "table",
          { class: "against", id: "against-table" },
          h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col", class: text === "Interval" || text === "Verdict" ? "left" : null }, text)))),
          h("tbody", {}, pairs.map((pair) => row(results, pair, span))),
        ),
      ),
      reason ? h("p", { class: "note" }, `No tests: ${reason}.`) : h("p", { class: "note" }, "Hover over or focus a p-value to see all tests and intervals."),
    ];
  },
};
