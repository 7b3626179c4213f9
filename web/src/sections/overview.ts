// The head of the report: what was compared, on what, and what came out, in a sentence.
import { facts, h } from "../dom";
import { count, listed, plural, seconds, value } from "../format";
import { bestSystem, progressOf, type Report, type Results, standingOf, testValue, working } from "../results";
import type { View } from "../view";

function designText(results: Results): string {
  const { kind, folds, train_queries, valid_queries } = results.design;
  if (kind === "split") return "one split by query";
  if (kind === "trials") {
    const sizes = train_queries ? ` of ${plural(train_queries, "training query", "training queries")}` : "";
    const valid = valid_queries ? ` and ${count(valid_queries)} for validation` : "";
    return `${plural(folds.length, "random trial")}${sizes}${valid}`;
  }
  return plural(folds.length, "fold");
}

function standingNames(results: Results, measure: string): string[] {
  return working(results)
    .filter((system) => standingOf(results, system.name, measure) === "not-worse")
    .map((system) => system.name);
}

function finding(results: Results, measure: string): Node[] {
  const best = bestSystem(results, measure);
  if (!best) return [document.createTextNode(results.complete ? "No system finished." : "No system has finished yet.")];
  const words: (Node | string)[] = [
    h("strong", {}, best.name),
    results.complete ? " has the highest " : " has the highest ",
    measure,
    results.complete ? ", " : " so far, ",
    h("strong", { id: "finding-value", "data-value": testValue(best, measure) }, value(testValue(best, measure))),
    ".",
  ];
  const equals = standingNames(results, measure);
  if (equals.length > 6) words.push(` ${count(equals.length)} other systems are not significantly worse.`);
  else if (equals.length > 0)
    words.push(` ${listed(equals)} ${equals.length === 1 ? "is" : "are"} not significantly worse.`);
  else if (working(results).length > 1 && standingOf(results, best.name, measure) === "best")
    words.push(" All others are significantly worse.");
  return words.map((word) => (typeof word === "string" ? document.createTextNode(word) : word));
}

export function overview(report: Report, view: View): Node[] {
  const { results, resources } = report;
  const { data } = results;
  const entries: [string, string][] = [
    ["Systems", count(results.systems.length)],
    ["Queries", count(data.queries)],
    ["Documents", count(data.documents)],
    ["Features", count(data.features)],
    ["Design", designText(results)],
  ];
  if (results.design.tune)
    entries.push(["Tuning", `${plural(results.design.tune.trials ?? 0, "trial")}, ${results.design.tune.search ?? ""}`]);
  if (resources?.seconds) entries.push(["Time", seconds(resources.seconds)]);
  return [
    h("p", { class: "eyebrow" }, "Podium comparison"),
    h("h1", {}, data.name),
    h("p", { class: "finding", id: "finding" }, finding(results, view.measure)),
    progress(results),
    facts(entries, "facts wide"),
  ].filter((node): node is HTMLElement => node !== null);
}

function progress(results: Results): HTMLElement | null {
  if (results.complete) return null;
  const { done, failed, total } = progressOf(results);
  const text = `${count(done + failed)} of ${plural(total, "cell")} finished${failed ? `, ${count(failed)} failed` : ""}`;
  return h(
    "div",
    { class: "progress", id: "progress" },
    h("progress", { max: Math.max(1, total), value: done + failed, "aria-label": text }),
    h("span", {}, `Not complete: ${text}.`),
  );
}
