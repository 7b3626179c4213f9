// The page of `podium serve --model`: sends pasted documents to /v1/explain, and shows the ranking and
// the reasons. Everything from the server is inserted as text, never as markup.
const SHOWN_FEATURES = 20;
const EXAMPLE_DOCUMENTS = 6;
const EXAMPLE_FEATURES = 10;

const byId = (id) => document.getElementById(id);

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return element;
}

const minus = (text) => text.replace("-", "−");
const scoreText = (x) => (x === null ? "not finite" : minus(x.toFixed(4)));
const signedText = (x) => (x > 0 ? "+" : "") + minus(x.toFixed(4));
const valueText = (x) => (x === null ? "missing" : String(Number(x.toPrecision(6))).replace(/^-/, "−"));
const nameOf = (doc) => doc.id ?? `document ${doc.index + 1}`;

let models = [];
let ranked = []; // documents as returned by /v1/explain or /v1/rank
let chosen = []; // one or two indices in `ranked`

// Asking -------------------------------------------------------------------------------------------

async function ask(path, options = {}) {
  const token = byId("token").value;
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let response;
  try {
    response = await fetch(path, { ...options, headers });
  } catch {
    throw new Error("The server is not responding.");
  }
  if (response.status === 401) {
    byId("token-field").hidden = false;
    byId("token").focus();
    throw new Error(token ? "The server does not accept this token." : "This server requires a token.");
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}

function requestOf(text) {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return { body: text, headers: { "Content-Type": "text/plain" } };
  const body = start === "[" ? `{"documents": ${text}}` : text;
  return { body, headers: { "Content-Type": "application/json" } };
}

async function rank() {
  const request = { method: "POST", ...requestOf(byId("documents").value) };
  const query = new URLSearchParams({ model: byId("model").value });
  try {
    return { ...(await ask(`v1/explain?${query}`, request)), note: "" };
  } catch (problem) {
    // Too many to explain may still be few enough to rank.
    const answer = await ask(`v1/rank?${query}`, request).catch(() => {
      throw problem;
    });
    return { ...answer, note: ` Without explanations: ${problem.message}` };
  }
}

// The models ---------------------------------------------------------------------------------------

function describe() {
  const model = models.find((m) => m.name === byId("model").value);
  if (!model) return;
  const size = model.trees === undefined ? model.kind : `${model.kind} of ${model.trees} trees`;
  const stale = model.problem ? ` Its file has changed but cannot be used: ${model.problem}` : "";
  byId("about").textContent =
    `${model.name}: ${model.learner}, ${size}, ${model.features.length} features, loaded ${model.loaded}.${stale}`;
}

async function loadModels() {
  const answer = await ask("v1/model");
  models = answer.models;
  const select = byId("model");
  const before = select.value || answer.default;
  select.replaceChildren(...models.map((m) => make("option", { value: m.name }, m.name)));
  select.value = before;
  byId("model-field").hidden = models.length < 2;
  describe();
}

function example() {
  const model = models.find((m) => m.name === byId("model").value);
  if (!model) return;
  const features = model.features.slice(0, EXAMPLE_FEATURES);
  const documents = Array.from({ length: EXAMPLE_DOCUMENTS }, (_, i) => ({
    id: `doc-${i + 1}`,
    features: Object.fromEntries(features.map((name, f) => [name, ((i * 7 + f * 3 + 1) % 11) / 10])),
  }));
  const lines = documents.map((doc) => `  ${JSON.stringify(doc)}`);
  byId("documents").value = `{"documents": [\n${lines.join(",\n")}\n]}`;
}

// The answer ---------------------------------------------------------------------------------------

function rankingRow(doc, place) {
  const name = doc.contributions
    ? make("button", { type: "button", "aria-pressed": "false", click: () => choose(place) }, nameOf(doc))
    : nameOf(doc);
  return make("tr", {}, make("td", { class: "number" }, doc.rank), make("td", { class: "name" }, name),
    make("td", { class: "number" }, scoreText(doc.score)));
}

function bar(x, largest) {
  const track = make("div", { class: "track" });
  const part = make("div", { class: `bar ${x < 0 ? "loss" : "gain"}` });
  part.style.width = `${largest > 0 ? (50 * Math.abs(x)) / largest : 0}%`;
  track.append(part);
  return track;
}

// Rows [feature, values…, contribution], largest first, and the sum of those that are not shown.
function reasons(a, b) {
  const rows = new Map();
  const enter = (doc, side, sign) => {
    for (const { feature, value, contribution } of doc.contributions) {
      const row = rows.get(feature) ?? { feature, values: [undefined, undefined], amount: 0 };
      row.values[side] = value;
      row.amount += sign * contribution;
      rows.set(feature, row);
    }
  };
  enter(a, 0, 1);
  if (b) enter(b, 1, -1);
  const sorted = [...rows.values()].sort((p, q) => Math.abs(q.amount) - Math.abs(p.amount));
  const rest = sorted.slice(SHOWN_FEATURES);
  const others = rest.reduce((sum, row) => sum + row.amount, a.others - (b ? b.others : 0));
  return { shown: sorted.slice(0, SHOWN_FEATURES), hidden: rest.length, others };
}

function reasonTable(a, b) {
  const { shown, hidden, others } = reasons(a, b);
  const largest = Math.max(0, ...shown.map((row) => Math.abs(row.amount)));
  const cell = (x) => make("td", { class: "number" }, x === undefined ? "" : valueText(x));
  const line = (name, values, amount) =>
    make("tr", {}, make("th", { scope: "row", class: "name" }, name), ...values,
      make("td", { class: "number" }, signedText(amount)), make("td", {}, bar(amount, largest)));
  const heads = b ? [nameOf(a), nameOf(b), "Difference"] : ["Value", "Adds"];
  const body = shown.map((row) => line(row.feature, row.values.slice(0, b ? 2 : 1).map(cell), row.amount));
  if (hidden > 0 || Math.abs(others) > 1e-9)
    body.push(line(`${hidden} others`, (b ? [0, 1] : [0]).map(() => make("td")), others));
  return make("div", { class: "scroller", role: "region", "aria-label": "Contributions", tabindex: 0 }, make("table", {},
    make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Feature"),
      ...heads.map((head) => make("th", { scope: "col", class: "number name" }, head)), make("td"))),
    make("tbody", {}, ...body)));
}

function showWhy() {
  const rows = byId("ranking").tBodies[0].rows;
  ranked.forEach((_, place) => {
    rows[place].classList.toggle("chosen", chosen.includes(place));
    rows[place].querySelector("button")?.setAttribute("aria-pressed", String(chosen.includes(place)));
  });
  if (chosen.length === 0) {
    byId("why").replaceChildren();
    return;
  }
  const [a, b] = chosen.map((place) => ranked[place]);
  const title = b
    ? `Why ${nameOf(a)} is ${a.score === b.score ? "level with" : "above"} ${nameOf(b)}`
    : `Why ${nameOf(a)} has ${scoreText(a.score)}`;
  const lead = b
    ? `Differences between the features' contributions; they add up to ${signedText(a.score - b.score)}, the difference between the scores.`
    : `Starting from the base score ${scoreText(a.base)}, each feature adds its contribution.`;
  byId("why").replaceChildren(make("h2", { id: "why-title" }, title), make("p", { class: "quiet" }, lead), reasonTable(a, b));
}

function choose(place) {
  chosen = chosen.length === 1 && chosen[0] !== place ? [chosen[0], place].sort((p, q) => p - q) : [place];
  showWhy();
}

function show(answer) {
  ranked = answer.documents;
  byId("ranking").tBodies[0].replaceChildren(...ranked.map(rankingRow));
  byId("answer").hidden = false;
  chosen = ranked.length > 0 && ranked[0].contributions ? [0] : [];
  showWhy();
  const by = answer.method ? ` Contributions by ${answer.method}.` : "";
  byId("state").textContent = `${ranked.length} documents ranked by ${answer.model}.${by}${answer.note}`;
}

// Wiring -------------------------------------------------------------------------------------------

async function attempt(task) {
  byId("problem").hidden = true;
  try {
    return await task();
  } catch (problem) {
    byId("problem").textContent = problem.message;
    byId("problem").hidden = false;
    byId("state").textContent = "";
    byId("answer").hidden = true;
  }
}

byId("ask").addEventListener("submit", (event) => {
  event.preventDefault();
  void attempt(async () => {
    await loadModels();
    show(await rank());
  });
});
byId("documents").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("ask").requestSubmit();
});
byId("model").addEventListener("change", describe);
byId("token").addEventListener("change", () => void attempt(loadModels));
byId("example").addEventListener("click", example);
void attempt(loadModels);
