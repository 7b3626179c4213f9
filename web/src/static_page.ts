// A page that does not change after it is drawn: head, theme, contents, sections, foot.
import { h } from "./dom";
import { themeButton } from "./theme_button";

export interface DrawnSection {
  id: string;
  title: string;
  body: Node[];
}

export function staticPage(root: HTMLElement, head: Node[], shown: DrawnSection[], foot: (Node | string)[]): void {
  root.replaceChildren(
    h("a", { class: "skip", href: "#main" }, "Skip to the results"),
    h("header", { class: "head" }, head),
    h("div", { class: "bar-of-choices", role: "group", "aria-label": "Choices" }, themeButton()),
    h("nav", { class: "contents", "aria-label": "Contents" }, h("ul", {}, shown.map(({ id, title }) => h("li", {}, h("a", { href: `#${id}` }, title))))),
    h("main", { id: "main" }, shown.map(({ id, title, body }) => h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), body))),
    h("footer", {}, foot),
  );
}
