// The data: grades, list lengths, and the conventions of the measures.
import { figure } from "../chart";
import { disclosure, facts, h, scroller } from "../dom";
import { count, percent, plural } from "../format";
import type { Columns, Results } from "../results";
import type { Section } from "./section";

function grades(results: Results): HTMLElement | null {
  const found = results.data.grades ?? [];
  if (found.length === 0) return null;
  const total = found.reduce((sum, g) => sum + g.documents, 0) || 1;
  return figure({
    id: "grade-chart",
    caption: "Documents of each grade",
    summary: found.map((g) => `grade ${g.grade}: ${count(g.documents)} (${percent(g.documents / total)})`).join(", ") + ".",
    x: { label: "Grade", values: found.map((_, i) => i), name: (i) => String(found[i]?.grade ?? ""), categories: true },
    y: { label: "documents", fromZero: true, format: (y) => count(y) },
    lines: [{ label: "Documents", values: found.map((g) => g.documents), ink: "series-1", draw: "bars" }],
    height: 220,
  });
}

function lengths(results: Results): HTMLElement | null {
  const bins = results.data.list_lengths?.histogram ?? [];
  if (bins.length === 0) return null;
  const name = (i: number) => {
    const bin = bins[i];
    return bin ? (bin.from === bin.to ? String(bin.from) : `${bin.from}–${bin.to}`) : "";
  };
  return figure({
    id: "length-chart",
    caption: "Documents per query",
    summary: bins.map((bin, i) => `${name(i)} ${name(i) === "1" ? "document" : "documents"}: ${plural(bin.queries, "query", "queries")}`).join(", ") + ".",
    x: { label: "Documents", values: bins.map((_, i) => i), name, categories: true },
    y: { label: "queries", fromZero: true, format: (y) => count(y) },
    lines: [{ label: "Queries", values: bins.map((bin) => bin.queries), ink: "series-1", draw: "bars" }],
    height: 220,
  });
}

// Categories, ignored columns, and features with missing values.
function columns(found: Columns): HTMLElement {
  const list = found.list ?? [];
  const total = found.categories + found.ignored + found.with_missing;
  return disclosure("columns", `Categories, missing values and ignored columns (${count(list.length)}${list.length < total ? ` of up to ${count(total)}` : ""})`, () =>
    scroller(
      "Columns",
      h(
        "table",
        { id: "columns-table" },
        h("thead", {}, h("tr", {}, ["Column", "Type", "Values", "Missing"].map((text) => h("th", { scope: "col" }, text)))),
        h(
          "tbody",
          {},
          list.map((column) =>
            h(
              "tr",
              {},
              h("th", { scope: "row" }, column.name),
              h("td", {}, column.type),
              h("td", {}, column.values === undefined ? "" : count(column.values)),
              h("td", {}, column.missing === undefined ? "" : percent(column.missing)),
            ),
          ),
        ),
      ),
    ),
  );
}

export const data: Section = {
  id: "data",
  title: "Data and conventions",
  depends: [],
  draw({ results }) {
    const { data: found, convention } = results;
    const lists = found.list_lengths;
    const entries: [string, string][] = [
      ["Queries", count(found.queries)],
      ["Without a relevant document", count(found.empty)],
      ["Documents", count(found.documents)],
      ["Features", count(found.features)],
    ];
    if (found.columns) {
      entries.push(["Categories", count(found.columns.categories)]);
      entries.push(["Ignored columns", count(found.columns.ignored)]);
      entries.push(["Features with missing values", count(found.columns.with_missing)]);
    }
    if (lists) entries.push(["Documents per query", `${count(lists.min)} to ${count(lists.max)}, median ${count(lists.median)}, mean ${count(lists.mean)}`]);
    return [
      facts(entries, "facts wide"),
      found.columns ? columns(found.columns) : null,
      h("div", { class: "grid" }, grades(results), lengths(results)),
      convention
        ? h("div", { class: "convention", id: "convention" }, h("h3", {}, "Convention: ", convention.name), h("p", {}, convention.text ?? ""))
        : null,
    ].filter((node): node is HTMLElement => node !== null);
  },
};
