// The page of `podium explain -o x.html`: the ranking with a bar of contributions per document, and
// the difference of any two documents. The explanation is in the page as JSON; everything from the
// data is inserted as text, never as markup.
#include "cli/explain_documents.h"

namespace podium::cli {
namespace {

constexpr std::string_view kHead = R"html(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Why this order</title>
<style>
:root { color-scheme: light dark; --up: #2a7de1; --down: #d9534f; --line: #8884; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 68rem; padding: 0 1rem; }
h1 { font-size: 1.3rem; margin: 0 0 .2rem; overflow-wrap: anywhere; }
p { margin: .2rem 0 1rem; opacity: .8; }
main { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 2rem; align-items: start; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid var(--line); padding: .25rem .4rem; text-align: right;
  font-variant-numeric: tabular-nums; }
th:nth-child(2), td:nth-child(2) { text-align: left; overflow-wrap: anywhere; }
#ranking tbody tr { cursor: pointer; }
#ranking tbody tr:hover, #ranking tbody tr:focus { background: #8882; }
#ranking tr[aria-selected=true] { background: #2a7de122; }
.bar { position: relative; height: .9rem; min-width: 8rem; }
.bar i { position: absolute; top: 0; bottom: 0; }
.up { background: var(--up); } .down { background: var(--down); }
#why { position: sticky; top: 1rem; }
#why td:first-child, #why th:first-child { text-align: left; }
#why td:first-child, #why th { overflow-wrap: anywhere; }
#why td:nth-child(2), #why th:nth-child(2) { text-align: right; }
@media (max-width: 50rem) {
  main { grid-template-columns: minmax(0, 1fr); }
  .bar { min-width: 2rem; }
}
</style>
<h1 id="title"></h1>
<p id="about"></p>
<main>
<table id="ranking"><thead><tr><th>rank<th>document<th>grade<th>score</tr></thead><tbody></tbody></table>
<section id="why" aria-live="polite"></section>
</main>
<script type="application/json" id="data">)html";

constexpr std::string_view kTail = R"html(</script>
<script>
"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const docs = data.documents;
const features = docs.length ? Object.keys(docs[0].contributions) : [];
const make = (tag, text, parent) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  if (parent) parent.append(element);
  return element;
};
const number = x => (x > 0 ? "+" : "") + x.toFixed(4);
const value = x => x === null ? "missing" : typeof x === "string" ? x : String(+x.toPrecision(6));
document.getElementById("title").textContent = `Query ${data.query}: why this order`;
document.getElementById("about").textContent =
  `${docs.length} ${docs.length === 1 ? "document" : "documents"}, scored by ${data.model} (${data.learner}); contributions by ` +
  `${data.method}. Click a document, and a second one to compare the two.`;

let chosen = data.pair
  ? [data.pair.first, data.pair.second].map(id => docs.findIndex(d => d.document === id))
  : docs.length ? [0] : [];

const rows = docs.map((doc, rank) => {
  const row = make("tr", undefined, document.querySelector("#ranking tbody"));
  row.tabIndex = 0;
  for (const cell of [rank + 1, doc.document, doc.label, doc.score.toFixed(4)])
    make("td", cell, row);
  const choose = () => {
    chosen = chosen.length === 1 && chosen[0] !== rank ? [chosen[0], rank] : [rank];
    show();
  };
  row.addEventListener("click", choose);
  row.addEventListener("keydown", event => { if (event.key === "Enter") choose(); });
  return row;
});

function bar(cell, x, largest) {
  const box = make("div", undefined, cell);
  box.className = "bar";
  const part = make("i", undefined, box);
  const width = largest > 0 ? 50 * Math.abs(x) / largest : 0;
  part.className = x < 0 ? "down" : "up";
  part.style.width = width + "%";
  part.style.left = (x < 0 ? 50 - width : 50) + "%";
}

function show() {
  rows.forEach((row, i) => row.setAttribute("aria-selected", chosen.includes(i)));
  const why = document.getElementById("why");
  why.replaceChildren();
  if (!chosen.length) return;
  const a = docs[chosen[0]], b = docs[chosen[1]];
  const lead = b ? a.score - b.score : a.score;
  make("h1", b ? `${a.document} ${lead < 0 ? "below" : lead > 0 ? "above" : "level with"} ` +
                 `${b.document}: ${number(lead)}`
               : `${a.document}: ${a.score.toFixed(4)}`, why);
  make("p", b ? "Differences of contributions; they add up to the difference of the scores."
              : `From ${a.base.toFixed(4)}, the base value, which is the same for all documents, ` +
                "to the document's score.", why);
  const table = make("table", undefined, why);
  const head = make("tr", undefined, table);
  for (const text of b ? ["feature", a.document, b.document, "difference", ""]
                       : ["feature", "value", "adds", ""]) make("th", text, head);
  const sizes = features.map(f => [f, a.contributions[f] - (b ? b.contributions[f] : 0)])
    .filter(([, x]) => x !== 0).sort((p, q) => Math.abs(q[1]) - Math.abs(p[1]));
  const largest = sizes.length ? Math.abs(sizes[0][1]) : 0;
  for (const [feature, x] of sizes) {
    const row = make("tr", undefined, table);
    make("td", feature, row);
    make("td", value(a.values[feature]), row);
    if (b) make("td", value(b.values[feature]), row);
    make("td", number(x), row);
    bar(make("td", undefined, row), x, largest);
  }
}
show();
</script>
</html>
)html";

}  // namespace

std::string to_page(const ExplainedQuery& query) {
  const std::string json =
      explained_json(query).dump(-1, ' ', true, Json::error_handler_t::replace);
  std::string page(kHead);
  for (const char c : json)  // so that no tag ends the script early
    if (c == '<')
      page += "\\u003c";
    else
      page += c;
  return page += kTail;
}

}  // namespace podium::cli
