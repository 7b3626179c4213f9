// The sections of the report about a click log. Each returns null if there is nothing to show.
import { figure, type Ink, type Line } from "../chart";
import { facts, h, intervalBar, plainTable } from "../dom";
import { count, interval, percent, plural, pValue, signed, value } from "../format";
import { type ClickSummary, type Fitted, fitted, refused } from "./summary";

export interface ClickSection {
  id: string;
  title: string;
  draw: (summary: ClickSummary) => Node[] | null;
}

const INKS: Ink[] = ["series-1", "series-2", "series-3", "series-4", "series-5"];
const ink = (i: number): Ink => INKS[i % INKS.length] ?? "text";
const plainRange = (range: [number, number] | null, digits = 4): string => (range ? `${value(range[0], digits)} to ${value(range[1], digits)}` : "–");
const lead = (text: string): HTMLElement => h("p", { class: "lead" }, text);
const note = (text: string): HTMLElement => h("p", { class: "note" }, text);
const positionAxis = (summary: ClickSummary) => ({ label: "Position", values: summary.positions.map((one) => one.position), categories: true });
// One number per position of the log.
const perPosition = (summary: ClickSummary, values: number[]): (number | null)[] => summary.positions.map((_, p) => values[p] ?? null);

export const clickThrough: ClickSection = {
  id: "click-through",
  title: "Clicks by position",
  draw(summary) {
    const { positions } = summary;
    const first = positions[0];
    const last = positions[positions.length - 1];
    return [
      lead("How often what was shown at a position was clicked. It mixes what was there with whether anybody looked: only a click model, and documents that moved, can tell the two apart."),
      figure({
        id: "click-through-chart",
        caption: "Click-through rate by position",
        summary: `${percent(first?.rate)} at position ${first?.position ?? 1}, ${percent(last?.rate)} at position ${last?.position ?? 1}.`,
        x: positionAxis(summary),
        y: { label: "Clicked", fromZero: true, format: (y, digits = 4) => value(y, digits) },
        lines: [{ label: "Click-through", values: positions.map((one) => one.rate), ink: "series-1", draw: "bars" }],
        table: [["Position", "Shown", "Clicked", "Rate", "95% interval"], ...positions.map((one) => [String(one.position), count(one.shown), count(one.clicked), value(one.rate), plainRange(one.interval)])],
      }),
    ];
  },
};

// The curve of a model, and the ends of its intervals.
function curveOf(summary: ClickSummary, model: Fitted, i: number): Line[] {
  const curve: Line = { label: model.model, values: perPosition(summary, model.propensities), ink: ink(i) };
  if (model.intervals.length === 0) return [curve];
  const end = (side: 0 | 1): Line => ({
    label: `${model.model}, ${side === 0 ? "low" : "high"}`,
    values: summary.positions.map((_, p) => model.intervals[p]?.[side] ?? null),
    ink: ink(i), faint: true, width: 1, hidden: true,
  });
  return [curve, end(1), end(0)];
}

function refusals(summary: ClickSummary): Node[] {
  const rows = refused(summary).map((one) => h("tr", { "data-model": one.model }, h("th", { scope: "row" }, one.model), h("td", { class: "text" }, one.refused)));
  return rows.length === 0 ? [] : [h("h3", {}, "What this log cannot tell"), plainTable("refused-table", "Models that the log does not determine", ["Model", "Why"], rows)];
}

function remarks(summary: ClickSummary): Node[] {
  return summary.models.flatMap((one) => one.notes.map((text) => note(`${one.model}: ${text}.`)));
}

export const examination: ClickSection = {
  id: "examination",
  title: "How often positions are examined",
  draw(summary) {
    const models = fitted(summary).filter((one) => one.is_propensity);
    if (models.length === 0) return [lead("No model that was asked for has propensities on this log."), ...refusals(summary)];
    const lines: Line[] = [];
    const bands: { upper: number; lower: number; ink: Ink }[] = [];
    models.forEach((model, i) => {
      const own = curveOf(summary, model, i);
      if (own.length === 3) bands.push({ upper: lines.length + 1, lower: lines.length + 2, ink: ink(i) });
      lines.push(...own);
    });
    const rows = summary.positions.map(({ position }, p) => [String(position), ...models.flatMap((model) => [value(model.propensities[p]), plainRange(model.intervals[p] ?? null)])]);
    const assumed = models.filter((one) => one.assumed).map((one) => one.model);
    return [
      lead("Propensities, relative to the first position, with 95% intervals where a model has them. Models differ in what they assume about users; where their curves differ by more than their intervals, at least one assumption is wrong, or the log is too small for it."),
      figure({
        id: "examination-chart",
        caption: "Examination by position",
        summary: models.map((model) => `${model.model}: ${value(model.propensities[0], 2)} to ${value(model.propensities[model.propensities.length - 1], 2)}.`).join(" "),
        x: positionAxis(summary),
        y: { label: "Propensity", fromZero: true, format: (y, digits = 4) => value(y, digits) },
        lines,
        bands,
        table: [["Position", ...models.flatMap((model) => [model.model, "95% interval"])], ...rows],
      }),
      ...(assumed.length > 0 ? [note(`Across groups of positions that nothing connects, these are assumed, not estimated: ${assumed.join(", ")}.`)] : []),
      ...remarks(summary),
      ...refusals(summary),
    ];
  },
};

export const connections: ClickSection = {
  id: "connections",
  title: "What the log connects",
  draw(summary) {
    const groups = new Map<number, number[]>();
    for (const { component, position } of summary.positions)
      if (component !== null) groups.set(component, [...(groups.get(component) ?? []), position]);
    const rows = summary.positions.slice(0, -1).map((one, p) => {
      const next = summary.positions[p + 1];
      const joined = next !== undefined && one.component !== null && one.component === next.component;
      return h(
        "tr",
        { "data-position": one.position },
        h("th", { scope: "row" }, `${one.position} and ${one.position + 1}`),
        h("td", { "data-value": one.linked }, count(one.linked)),
        h("td", { class: "text" }, joined ? "comparable" : "not comparable"),
      );
    });
    const whole = summary.components === 1;
    return [
      h(
        "p",
        { class: "lead", id: "connectivity", "data-components": summary.components },
        whole
          ? "Documents that were clicked and shown at several positions connect all positions: the log itself determines how they compare."
          : `Nothing connects these ${count(summary.components)} groups of positions: ${[...groups.values()].map((one) => `{${one.join(" ")}}`).join(", ")}. How they compare cannot be learnt from this log. Show documents at several positions: swap two in a small share of the sessions.`,
      ),
      ...(rows.length > 0 ? [plainTable("connection-table", "Documents shown at neighbouring positions", ["Positions", "Clicked documents shown at both", ""], rows)] : []),
    ];
  },
};

export const prediction: ClickSection = {
  id: "prediction",
  title: "How well the models predict",
  draw(summary) {
    const models = fitted(summary);
    const first = models[0];
    if (!first) return null;
    const rows = [...models].sort((a, b) => a.fit.perplexity - b.fit.perplexity).map((model) =>
      h(
        "tr",
        { "data-model": model.model },
        h("th", { scope: "row" }, model.model),
        h("td", { "data-value": model.fit.perplexity }, value(model.fit.perplexity)),
        h("td", { "data-value": model.fit.log_likelihood }, value(model.fit.log_likelihood)),
      ),
    );
    rows.push(h("tr", { "data-model": "one rate" }, h("th", { scope: "row" }, "one rate for everything"), h("td", {}, value(first.null.perplexity)), h("td", {}, value(first.null.log_likelihood))));
    const held = first.held_out;
    return [
      lead(`${held ? "On sessions that were held out" : "On the sessions that were fitted, which flatters"}: perplexity is 1 for perfect knowledge of the clicks and 2 for coins; the log-likelihood is per session and knows the clicks above each document.`),
      figure({
        id: "perplexity-chart",
        caption: "Perplexity by position",
        summary: models.map((model) => `${model.model} ${value(model.fit.perplexity)}.`).join(" "),
        x: positionAxis(summary),
        y: { label: "Perplexity", format: (y, digits = 4) => value(y, digits) },
        lines: [
          ...models.map((model, i): Line => ({ label: model.model, values: perPosition(summary, model.fit.by_position), ink: ink(i) })),
          { label: "One rate", values: perPosition(summary, first.null.by_position), ink: "muted", dash: true },
        ],
      }),
      plainTable("fit-table", "Fits", ["Model", "Perplexity", "Log-likelihood"], rows),
    ];
  },
};

export const weights: ClickSection = {
  id: "weights",
  title: "What the clicks are worth",
  draw(summary) {
    const models = fitted(summary).flatMap((one) => (one.weights ? [{ ...one.weights, model: one.model }] : []));
    const first = models[0];
    if (!first) return null;
    const rows = models.map((one) =>
      h(
        "tr",
        { "data-model": one.model },
        h("th", { scope: "row" }, one.model),
        h("td", {}, count(one.clicks)),
        h("td", { "data-value": one.effective }, count(Math.round(one.effective))),
        h("td", {}, percent(one.clicks > 0 ? one.effective / one.clicks : null)),
        h("td", {}, value(one.largest, 2)),
        h("td", {}, percent(one.clipped)),
      ),
    );
    return [
      lead("Weighted by 1/propensity, clicks are an unbiased sample, but a smaller one: few clicks at late positions carry much of the weight. The effective number is that of equally weighted clicks which vary as much."),
      plainTable("weight-table", "Effective sample size", ["Propensities of", "Clicks", "Effective", "Share", "Largest weight", "Clipped"], rows),
      note(`Propensities are not taken below ${value(first.clip, 3)}.`),
    ];
  },
};

export const values: ClickSection = {
  id: "values",
  title: "What rankers are worth",
  draw(summary) {
    const found = summary.values;
    if (!found) return summary.rankers > 0 ? [lead("The value of the rankers cannot be estimated: there are no propensities.")] : null;
    const ends = found.results.flatMap((one) => [...one.interval, one.value]);
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const rows = found.results.map((one) =>
      h(
        "tr",
        { "data-ranker": one.name },
        h("th", { scope: "row" }, one.name),
        h("td", { "data-value": one.value }, value(one.value)),
        h("td", {}, plainRange(one.interval)),
        h("td", { class: "wide" }, intervalBar({ value: one.value, low: one.interval[0], high: one.interval[1] }, low, high)),
        h("td", {}, one.against ? signed(one.against.difference) : ""),
        h("td", {}, one.against ? interval(one.against.interval) : ""),
        h("td", {}, one.against ? pValue(one.against.p) : ""),
        h("td", {}, count(Math.round(one.effective_clicks))),
        h("td", {}, percent(one.never_shown)),
      ),
    );
    return [
      lead(`${found.measure} of what users find relevant, had these rankers made the lists: estimator ${found.estimator}, propensities of ${found.propensities}, intervals by bootstrap of the queries.`),
      plainTable("value-table", "Values", ["Ranker", found.measure, "95% interval", "", `− ${found.results[0]?.name ?? ""}`, "Interval", "p", "Effective clicks", "Never shown"], rows),
      note("What was never shown counts 0. Estimates on the log that trained a ranker are optimistic."),
    ];
  },
};

export const interleaving: ClickSection = {
  id: "interleaving",
  title: "What users prefer",
  draw(summary) {
    const found = summary.interleaving;
    if (!found) return null;
    const winner = found.preference > 0 ? "a" : "b";
    const verdict = found.decided_after === null
      ? `Neither ranker is preferred at level ${found.alpha} so far.`
      : `Ranker ${winner} is preferred at level ${found.alpha}, decided after ${plural(found.decided_after, "session")}.`;
    return [
      h("p", { class: "lead", id: "verdict" }, verdict),
      facts(
        [
          ["Sessions", count(found.sessions)],
          ["Queries", count(found.queries)],
          ["a won", count(found.a_wins)],
          ["b won", count(found.b_wins)],
          ["Ties", count(found.ties)],
          ["Preference", signed(found.preference)],
          ["95% interval", interval(found.interval)],
          ["Sequential p", pValue(found.sequential_p)],
          ["Sign test p", pValue(found.sign_p)],
        ],
        "facts wide",
      ),
      note("Preference is 1 if a always wins and −1 if b does. The sequential p may be looked at after every session, the sign test once, at a number of sessions fixed before."),
    ];
  },
};
