// The sections of the report of `podium auto`. Each returns null if there is nothing to show.
import { figure } from "../chart";
import { copyable, shellWord } from "../copy";
import { disclosure, facts, h, intervalBar, plainTable } from "../dom";
import { count, interval, percent, plural, pValue, seconds, signed, value } from "../format";
import { isNumber } from "../results";
import { barCell } from "../sections/cost";
import { type Candidate, chosenName, type Estimate, isBlend, type Judgement, optionText, type Summary } from "./summary";

export interface AutoSection {
  id: string;
  title: string;
  draw: (summary: Summary) => Node[] | null;
}

const plainInterval = (found: Judgement): string =>
  isNumber(found.low) && isNumber(found.high) ? `${value(found.low)} to ${value(found.high)}` : "–";

// What the models that were judged were trained on.
function curveText(found: Estimate, queries: number): string {
  const points = found.learning_curve;
  if (points.length === 0) return "The final ranker is trained on more data than those that were judged.";
  const seen = points.map((point) => `${value(point.value)} when trained on ${percent(point.share)} of the queries`);
  return `The blends that were judged had ${seen.join(" and ")}; the final one is trained on all ${count(queries)}, and the values above are extrapolated to these.`;
}

export const estimate: AutoSection = {
  id: "estimate",
  title: "How good it will be",
  draw(summary) {
    const found = summary.estimate;
    if (!found) return [h("p", { class: "lead" }, "There is no estimate: the run was stopped, or there was no time for one.")];
    const all: (Judgement & { name: string })[] = [{ ...found, name: chosenName(summary) }, ...found.against.map((other) => ({ ...other, name: other.system }))];
    const ends = all.flatMap((one) => [one.low, one.high, one.value]).filter(isNumber);
    const low = Math.min(...ends);
    const high = Math.max(...ends);
    const rows = all.map((one, i) => {
      const other = found.against[i - 1];
      const range: [number, number] | null = other && isNumber(other.difference_low) && isNumber(other.difference_high) ? [other.difference_low, other.difference_high] : null;
      return h(
        "tr",
        { "data-system": one.name },
        h("th", { scope: "row" }, one.name),
        h("td", { "data-value": one.value }, value(one.value)),
        h("td", {}, plainInterval(one)),
        h("td", { class: "wide" }, intervalBar(one, low, high)),
        h("td", {}, other ? signed(other.difference) : ""),
        h("td", {}, other ? interval(range) : ""),
        h("td", {}, other ? pValue(other.p) : ""),
      );
    });
    const heads = ["System", summary.measure, `${percent(found.confidence)} interval`, "", `${chosenName(summary)} −`, "Interval", "p"];
    return [
      h(
        "p",
        { class: "lead" },
        `The whole search was repeated once per fold without looking at that fold, and each result was judged on the fold that its search had not seen: ${plural(found.queries, "query", "queries")} in ${plural(found.folds, "fold")}. So choosing the best of many does not flatter it.`,
      ),
      plainTable("estimate-table", "Estimates", heads, rows),
      h(
        "p",
        { class: "note" },
        `Intervals are Student's over queries, wider where folds differ by more than their queries explain; p is that of a randomisation test over the same queries. ${curveText(found, summary.data.queries)} ${plural(found.extra_training_runs, "model was", "models were")} trained for the estimate alone.`,
      ),
    ];
  },
};

// What the numbers say about the weights.
function why(summary: Summary): string {
  const { shrinkage, value: found, equal_weights: equal, measure, held_out: held } = summary;
  const gain = isNumber(found) && isNumber(equal) ? `${measure} ${value(found)} out of fold, and ${value(equal)} with equal weights` : "";
  const folds = isNumber(held) ? ` Inner folds that did not choose the weights gave ${value(held)}.` : "";
  if (shrinkage >= 1) return `Members have equal weights: no others did better on queries that had not chosen them. ${gain ? `${gain}.` : ""}`;
  const how = shrinkage > 0 ? `, then moved by ${percent(shrinkage)} of the way towards equal weights, because the exact optimum follows the noise of the queries` : "";
  return `Each weight was moved to the exact maximum of ${measure} along its line, again and again${how}: ${gain}.${folds}`;
}

export const blend: AutoSection = {
  id: "blend",
  title: "What was chosen",
  draw(summary) {
    const heaviest = Math.max(...summary.chosen.map((member) => Math.abs(member.weight)), 1e-12);
    const timed = summary.chosen.some((member) => isNumber(member.microseconds));
    const rows = summary.chosen.map((member) => {
      const without = summary.without.find((one) => one.learner === member.learner);
      return h(
        "tr",
        { "data-learner": member.learner },
        h("th", { scope: "row" }, member.learner),
        barCell(value(member.weight, 3), Math.abs(member.weight) / heaviest, member.weight),
        h("td", {}, value(member.value)),
        h("td", {}, without ? value(without.value) : "–"),
        timed ? h("td", {}, isNumber(member.microseconds) ? `${member.microseconds.toFixed(2)} µs` : "–") : null,
        h("td", { class: "text" }, optionText(member.options) || "defaults"),
      );
    });
    const heads = ["Member", "Weight", "Alone", "Blend without it", ...(timed ? ["A document"] : []), "Options"];
    const lead = isBlend(summary) ? why(summary) : "One learner was chosen: no other that is not clearly worse added anything, or a single one was asked for.";
    return [h("p", { class: "lead", id: "why" }, lead), plainTable("blend-table", "Members of the blend", heads, rows), ...front(summary)];
  },
};

function front(summary: Summary): Node[] {
  const points = summary.latency_front ?? [];
  if (points.length === 0) return [];
  const rows = points.map((point) =>
    h("tr", {}, h("th", { scope: "row" }, `${point.microseconds.toFixed(2)} µs`), h("td", {}, value(point.value)), h("td", {}, count(point.members.length))),
  );
  return [h("h3", {}, "What each further microsecond buys"), plainTable("front-table", "Latency and value", ["A document", summary.measure, "Members"], rows)];
}

function curve(summary: Summary): HTMLElement | null {
  const judged = summary.judged.filter((one) => isNumber(one.value));
  if (judged.length < 2) return null;
  let best = -Infinity;
  const bests = judged.map((one) => (best = Math.max(best, one.value ?? -Infinity)));
  return figure({
    id: "search-chart",
    caption: `${summary.measure} of what was judged on all queries, in order`,
    summary: `${plural(judged.length, "candidate")}; the best rose from ${value(bests[0])} to ${value(best)}.`,
    x: { label: "Candidate", values: judged.map((_, i) => i + 1), name: (x) => `${x}: ${judged[x - 1]?.learner ?? ""}`, axis: "Candidate" },
    y: { label: summary.measure, format: (y, digits = 4) => value(y, digits) },
    lines: [
      { label: "Candidate", values: judged.map((one) => one.value), ink: "series-1", draw: "points" },
      { label: "Best so far", values: bests, ink: "series-2", draw: "steps" },
    ],
    table: [["Candidate", "Learner", summary.measure, "Options"], ...judged.map((one, i) => [String(i + 1), one.learner, value(one.value), optionText(one.options) || "defaults"])],
  });
}

function leaders(summary: Summary): HTMLElement {
  const times = (learner: string) => summary.judged.filter((one: Candidate) => one.learner === learner).length;
  const rows = summary.leaderboard.map((one) =>
    h(
      "tr",
      { "data-learner": one.learner },
      h("th", { scope: "row" }, one.learner),
      h("td", { "data-value": one.value }, value(one.value)),
      h("td", {}, count(times(one.learner))),
      h("td", { class: "text" }, summary.chosen.some((member) => member.learner === one.learner) ? "member" : ""),
      h("td", { class: "text" }, optionText(one.options) || "defaults"),
    ),
  );
  return plainTable("leader-table", "The best of each learner", ["Learner", `Out-of-fold ${summary.measure}`, "Judged", "", "Best options"], rows);
}

export const tried: AutoSection = {
  id: "tried",
  title: "What was tried",
  draw(summary) {
    const dropped = summary.trials - summary.judged.length;
    const drawn = curve(summary);
    return [
      h(
        "p",
        { class: "lead" },
        `${plural(summary.trials, "trial")} in ${plural(summary.training_runs, "training run")}; ${count(summary.judged.length)} were judged on all queries${dropped > 0 ? `, and ${count(dropped)} dropped out of a race against the best of their learner` : ""}. These values took part in choosing: they are no estimates.`,
      ),
      ...(drawn ? [drawn] : []),
      leaders(summary),
    ];
  },
};

export const failures: AutoSection = {
  id: "failures",
  title: "What could not be judged",
  draw(summary) {
    if (summary.not_judged.length === 0) return null;
    const rows = summary.not_judged.map((one) => h("tr", {}, h("th", { scope: "row" }, one.candidate), h("td", {}, count(one.split)), h("td", { class: "text" }, one.reason)));
    return [disclosure("failure-list", plural(rows.length, "training run"), () => plainTable("failure-table", "Failed training runs", ["Candidate", "Split", "Reason"], rows))];
  },
};

export const reproduction: AutoSection = {
  id: "reproduction",
  title: "Reproduction",
  draw(summary) {
    const entries: [string, string][] = [["Podium", summary.podium.version], ["Seed", String(summary.seed)], ["Time", seconds(summary.seconds)]];
    const shown = summary.command.length > 0 ? [copyable(summary.command.map(shellWord).join(" "), "the command of this run")] : [];
    return [
      h("p", { class: "lead" }, "With a number of trials the same command gives the same model, bit for bit, with any number of threads. A run with a budget of time is repeated by --replay of the log in its folder."),
      ...shown,
      facts(entries, "facts wide"),
    ];
  },
};
