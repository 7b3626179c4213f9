// Elements without a framework. Text is inserted only as text nodes, never as markup.
type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.replace(/^on/, ""), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

// For screen readers only.
export function spoken(text: string): HTMLElement {
  return h("span", { class: "spoken" }, text);
}

export interface Choice {
  value: string;
  label: string;
}

export function chooser(
  id: string,
  label: string,
  choices: Choice[],
  chosen: string,
  change: (value: string) => void,
): HTMLElement {
  const select = h(
    "select",
    { id, onchange: () => change(select.value) },
    choices.map((choice) => h("option", { value: choice.value, selected: choice.value === chosen }, choice.label)),
  );
  select.value = chosen;
  return h("span", { class: "field" }, h("label", { for: id }, label), select);
}

export function sameName(names: string[]): Choice[] {
  return names.map((name) => ({ value: name, label: name }));
}

// A table that scrolls horizontally, so that the page never does; reachable by keyboard.
export function scroller(label: string, ...children: Node[]): HTMLElement {
  return h("div", { class: "scroller", role: "region", "aria-label": label, tabindex: 0 }, children);
}

export function plainTable(id: string, label: string, heads: string[], rows: HTMLElement[]): HTMLElement {
  return scroller(label, h("table", { class: "plain", id }, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)));
}

export interface Range {
  value: number | null;
  low: number | null;
  high: number | null;
}

// The interval on the scale of all intervals of the table.
export function intervalBar(found: Range, low: number, high: number): HTMLElement {
  const place = (x: number) => `${(100 * (x - low)) / (high - low || 1)}%`;
  const bar = h("span", { class: "interval-bar", "aria-hidden": "true" });
  if (typeof found.value !== "number") return bar;
  const from = found.low ?? found.value;
  const range = h("span", { class: "range" });
  range.style.left = place(from);
  range.style.width = `${(100 * ((found.high ?? found.value) - from)) / (high - low || 1)}%`;
  const dot = h("span", { class: "dot" });
  dot.style.left = place(found.value);
  bar.append(range, dot);
  return bar;
}

export function facts(entries: [string, Child][], className = "facts"): HTMLElement {
  return h(
    "dl",
    { class: className },
    entries.map(([term, fact]) => h("div", {}, h("dt", {}, term), h("dd", {}, fact))),
  );
}

const opened = new Set<string>();

// A <details> that stays open or closed when the page is drawn again; filled on opening.
export function disclosure(id: string, summary: Child | Child[], fill: () => Node | Node[]): HTMLElement {
  const details = h("details", { id }, h("summary", {}, ...[summary].flat()));
  let filled = false;
  const show = () => {
    if (filled) return;
    filled = true;
    details.append(...[fill()].flat());
  };
  if (opened.has(id)) {
    details.open = true;
    show();
  }
  details.addEventListener("toggle", () => {
    if (details.open) {
      opened.add(id);
      show();
    } else {
      opened.delete(id);
    }
  });
  return details;
}

export function slug(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, (part) => Array.from(part, (c) => `_${c.codePointAt(0)?.toString(16)}`).join(""));
}
