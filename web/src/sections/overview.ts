// The head of the report: the systems, the data, and the result in a sentence.
import { facts, h } from "../dom";
import { count, listed, plural, seconds, value } from "../format";
import { bestSystems, progressOf, type Report, type Results, type Standing, standingOf, type System, testValue, working } from "../results";
import type { View } from "../view";

function designText(results: Results): string {
  const { kind, folds, train_queries, valid_queries } = results.design;
  if (kind === "split") return `${count(folds.length)}-fold cross-validation`;
  if (kind === "trials") {
    const sizes = train_queries ? ` of ${plural(train_queries, "training query", "training queries")}` : "";
    const valid = valid_queries ? ` and ${count(valid_queries)} for validation` : "";
    return `${plural(folds.length, "random trial")}${sizes}${valid}`;
  }
  return plural(folds.length, "fold");
}

// Their names, or their number if there are many.
function named(systems: System[]): string {
  return systems.length > 6 ? `${count(systems.length)} systems` : listed(systems.map((system) => system.name));
}

// The results of the tests for systems that are not the best.
function tested(results: Results, measure: string, others: System[]): string {
  const having = (standing: Standing) => others.filter((system) => standingOf(results, system.name, measure) === standing);
  const equals = having("not-worse");
  const worse = having("worse");
  const unknown = having("unknown");
  if (equals.length + worse.length === 0) return "";
  let text = "";
  if (equals.length > 0) text += ` ${named(equals)} ${equals.length === 1 ? "is" : "are"} not significantly worse.`;
  else if (worse.length === others.length) text += " All others are significantly worse.";
  if (unknown.length > 0) text += ` ${named(unknown)} ${unknown.length === 1 ? "was" : "were"} not tested.`;
  return text;
}

function finding(results: Results, measure: string): (Node | string)[] {
  const best = bestSystems(results, measure);
  const [first] = best;
  if (!first && results.complete) return [working(results).length > 0 ? "No system finished every part." : "No system finished."];
  if (!first) return ["No system has finished yet."];
  const others = working(results).filter((system) => !best.includes(system));
  return [
    h("strong", {}, named(best)),
    `${best.length === 1 ? " has" : " share"} the highest ${measure}${results.complete ? ", " : " so far, "}`,
    h("strong", { id: "finding-value", "data-value": testValue(first, measure) }, value(testValue(first, measure))),
    ".",
    tested(results, measure, others),
  ];
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
