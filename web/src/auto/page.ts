// The report of `podium auto`: head, contents, sections. Nothing on it changes after it is drawn.
import { facts, h } from "../dom";
import { count, listed, plural, seconds, value } from "../format";
import { staticPage } from "../static_page";
import { type AutoSection, blend, estimate, failures, reproduction, tried } from "./sections";
import { isBlend, type Summary } from "./summary";

const SECTIONS: AutoSection[] = [estimate, blend, tried, failures, reproduction];

function finding(summary: Summary): (Node | string)[] {
  const members = listed(summary.chosen.map((member) => member.learner));
  const what = h("strong", {}, isBlend(summary) ? `A blend of ${members}` : members);
  const { estimate: found, measure } = summary;
  if (!found) return [what, " was chosen, without an estimate."];
  return [
    what,
    ` should reach ${measure} `,
    h("strong", { id: "finding-value", "data-value": found.value }, value(found.value)),
    ` on queries like these (${value(found.low)} to ${value(found.high)}).`,
  ];
}

function head(summary: Summary): Node[] {
  const { data } = summary;
  const entries: [string, string][] = [
    ["Queries", count(data.queries)],
    ["Documents", count(data.documents)],
    ["Features", count(data.features)],
    ["Judged by", data.judged_by === "folds" ? plural(data.folds, "fold") : `${plural(data.judged_queries, "query", "queries")} of validation data`],
    ["Trials", count(summary.trials)],
    ["Time", seconds(summary.seconds)],
  ];
  return [
    h("p", { class: "eyebrow" }, "Podium auto"),
    h("h1", {}, data.name || "The best ranker"),
    h("p", { class: "finding", id: "finding" }, finding(summary)),
    facts(entries, "facts wide"),
  ];
}

export function showAuto(root: HTMLElement, summary: Summary, foot: (Node | string)[]): void {
  document.title = `${summary.data.name || "auto"} · Podium`;
  const shown = SECTIONS.flatMap((section) => {
    const body = section.draw(summary);
    return body ? [{ ...section, body }] : [];
  });
  staticPage(root, head(summary), shown, foot);
}
