// Query by query: one system's differences from the baseline, sorted, and the queries that changed most.
import { figure } from "../chart";
import { chooser, h, sameName, scroller } from "../dom";
import { count, plural, signed, value } from "../format";
import { queryDifferences, type QueryDifference, working } from "../results";
import type { View } from "../view";
import type { Choose, Section } from "./section";

const ROWS = 15;
const MOST_BARS = 250;

function picture(differences: QueryDifference[], view: View): HTMLElement {
  const sorted = [...differences].sort((a, b) => b.difference - a.difference);
  const values = sorted.map((d) => d.difference);
  const wins = values.filter((d) => d > 0).length;
  const losses = values.filter((d) => d < 0).length;
  const draw = sorted.length <= MOST_BARS ? "bars" : "area";
  const lines = [
    { label: "Gained", values: values.map((d) => (d > 0 ? d : null)), ink: "gain" as const, draw: draw as "bars" | "area", width: 1 },
    { label: "Lost", values: values.map((d) => (d < 0 ? d : null)), ink: "loss" as const, draw: draw as "bars" | "area", width: 1 },
  ];
  return figure({
    id: "query-chart",
    caption: `${view.measure} of ${view.system} minus ${view.baseline}, every query`,
    summary: `${view.system} is better on ${plural(wins, "query", "queries")} and worse on ${count(losses)} of ${count(sorted.length)}.`,
    x: { label: "Query", axis: "Queries, from most gained to most lost", values: sorted.map((_, i) => i + 1), name: (x) => sorted[x - 1]?.qid ?? String(x), categories: sorted.length <= 24 },
    y: { label: "Difference", fromZero: true, format: (y, digits = 4) => signed(y, digits) },
    lines,
    zero: true,
    height: 420,
  });
}

function arranged(differences: QueryDifference[], view: View): QueryDifference[] {
  const wanted = view.queryFilter.trim().toLowerCase();
  const kept = wanted ? differences.filter((d) => d.qid.toLowerCase().includes(wanted)) : [...differences];
  const key = { size: (d: QueryDifference) => -Math.abs(d.difference), gain: (d: QueryDifference) => -d.difference, loss: (d: QueryDifference) => d.difference }[view.queryOrder];
  return kept.sort((a, b) => key(a) - key(b));
}

function row(d: QueryDifference): HTMLElement {
  const kind = d.difference > 0 ? "gain" : d.difference < 0 ? "loss" : "";
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, d.qid),
    h("td", { "data-value": d.baseline }, value(d.baseline)),
    h("td", { "data-value": d.system }, value(d.system)),
    h("td", { "data-value": d.difference, class: kind }, signed(d.difference)),
  );
}

function pager(total: number, page: number, pages: number, choose: Choose): HTMLElement {
  const button = (id: string, label: string, to: number) =>
    h("button", { type: "button", id, disabled: to < 0 || to >= pages, onclick: () => choose({ queryPage: to }) }, label);
  return h(
    "div",
    { class: "pager" },
    button("queries-back", "Back", page - 1),
    h("span", {}, total === 0 ? "No query has this id" : `Page ${count(page + 1)} of ${count(pages)} · ${plural(total, "query", "queries")}`),
    button("queries-on", "On", page + 1),
  );
}

function table(differences: QueryDifference[], view: View, choose: Choose): Node[] {
  const all = arranged(differences, view);
  const pages = Math.max(1, Math.ceil(all.length / ROWS));
  const page = Math.min(view.queryPage, pages - 1);
  const search = h("input", { id: "query-filter", type: "search", value: view.queryFilter, placeholder: "any", spellcheck: "false" });
  search.addEventListener("input", () => choose({ queryFilter: search.value, queryPage: 0 }));
  const heads = ["Query", view.baseline, view.system, "Difference"];
  return [
    h(
      "div",
      { class: "controls" },
      chooser(
        "query-order",
        "Queries",
        [
          { value: "size", label: "that changed most" },
          { value: "gain", label: "that gained most" },
          { value: "loss", label: "that lost most" },
        ],
        view.queryOrder,
        (order) => choose({ queryOrder: order as View["queryOrder"], queryPage: 0 }),
      ),
      h("span", { class: "field" }, h("label", { for: "query-filter" }, "Id contains"), search),
    ),
    scroller(
      "Queries that changed most",
      h(
        "table",
        { class: "plain", id: "query-table" },
        h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, all.slice(page * ROWS, (page + 1) * ROWS).map(row)),
      ),
    ),
    pager(all.length, page, pages, choose),
  ];
}

export const queries: Section = {
  id: "queries",
  title: "Query by query",
  depends: ["measure", "baseline", "system", "queryOrder", "queryFilter", "queryPage"],
  draw({ results }, view, choose) {
    const names = working(results).map((system) => system.name).filter((name) => name !== view.baseline);
    if (names.length === 0 || !results.queries?.length) return null;
    const differences = queryDifferences(results, view.measure, view.system, view.baseline);
    const choice = h(
      "div",
      { class: "controls" },
      chooser("query-system", "System", sameName(names), view.system, (system) => choose({ system, queryPage: 0 })),
    );
    if (differences.length === 0) return [choice, h("p", { class: "note" }, "No query was tested with both systems.")];
    return [choice, h("div", { class: "halves" }, picture(differences, view), h("div", {}, table(differences, view, choose)))];
  },
};
