// The report about a click log: head, contents, sections. Nothing on it changes after it is drawn.
import { facts, h } from "../dom";
import { count, listed, plural, value } from "../format";
import { staticPage } from "../static_page";
import { type ClickSection, clickThrough, connections, examination, interleaving, prediction, values, weights } from "./sections";
import { type ClickSummary, fitted } from "./summary";

const SECTIONS: ClickSection[] = [clickThrough, examination, connections, prediction, weights, values, interleaving];

function finding(summary: ClickSummary): (Node | string)[] {
  const best = [...fitted(summary)].sort((a, b) => a.fit.perplexity - b.fit.perplexity)[0];
  const apart = summary.components === 1 ? "" : ` The log does not connect all positions: ${count(summary.components)} groups of them cannot be compared.`;
  if (!best) return ["No model could be fitted.", apart];
  return [h("strong", { id: "best-model" }, best.model), ` explains the clicks best, with a perplexity of ${value(best.fit.perplexity)} (one rate for everything: ${value(best.null.perplexity)}).${apart}`];
}

// What is odd about the log, in words.
function oddities({ log }: ClickSummary): string[] {
  const found: [number, string][] = [
    [log.all_clicked, `${plural(log.all_clicked, "session")} of 5 or more documents clicked everything`],
    [log.dropped_sessions, `${plural(log.dropped_sessions, "session")} with too many clicks left out`],
    [log.unmatched, `${plural(log.unmatched, "line")} without a document left out`],
    [log.too_deep, `${plural(log.too_deep, "line")} of late positions left out`],
    [log.backwards, `${plural(log.backwards, "session")} began before the one above`],
    [log.scattered, `${plural(log.scattered, "session")} began again further on`],
  ];
  return found.flatMap(([times, text]) => (times > 0 ? [text] : []));
}

function head(summary: ClickSummary): Node[] {
  const { log } = summary;
  const entries: [string, string][] = [
    ["Sessions", count(log.sessions)],
    ["Documents shown", count(log.lines)],
    ["Queries", count(log.queries)],
    ["Different documents", count(log.documents)],
    ["Positions", count(summary.positions.length)],
    ["By document and position", count(log.cells)],
  ];
  const odd = oddities(summary);
  return [
    h("p", { class: "eyebrow" }, "Podium clicks"),
    h("h1", {}, summary.name || "A click log"),
    h("p", { class: "finding", id: "finding" }, finding(summary)),
    facts(entries, "facts wide"),
    ...(odd.length > 0 ? [h("p", { class: "note", id: "oddities" }, `${listed(odd)}.`)] : []),
  ];
}

export function showClicks(root: HTMLElement, summary: ClickSummary, foot: (Node | string)[]): void {
  document.title = `${summary.name || "clicks"} · Podium`;
  const shown = SECTIONS.flatMap((section) => {
    const body = section.draw(summary);
    return body ? [{ ...section, body }] : [];
  });
  staticPage(root, head(summary), shown, [`Podium ${summary.podium.version}. `, ...foot]);
}
