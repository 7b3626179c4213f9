// The page: head, choices, sections. A choice redraws the sections that depend on it, and new
// results redraw all of them; focus, caret and open details are kept.
import { dropLostCharts } from "./chart";
import { chooser, h, sameName } from "./dom";
import { type Report, working } from "./results";
import { against } from "./sections/against";
import { cost } from "./sections/cost";
import { curves } from "./sections/curves";
import { data } from "./sections/data";
import { failures } from "./sections/failures";
import { importance } from "./sections/importance";
import { line } from "./sections/line";
import { matrix } from "./sections/matrix";
import { objective } from "./sections/objective";
import { overview } from "./sections/overview";
import { queries } from "./sections/queries";
import { reproduction } from "./sections/reproduction";
import type { Section } from "./sections/section";
import { themeButton } from "./theme_button";
import { hideTip } from "./tip";
import { type Choices, firstView, settled, type View } from "./view";

const SECTIONS: Section[] = [matrix, against, queries, curves, objective, line, cost, importance, data, reproduction, failures];

// Draws, then restores the focus (and the caret) to the element with the same id.
function keepingFocus(draw: () => void): void {
  const active = document.activeElement;
  const id = active?.id;
  const caret = active instanceof HTMLInputElement ? active.selectionStart : null;
  draw();
  const again = id ? document.getElementById(id) : null;
  if (!again || again === document.activeElement) return;
  again.focus({ preventScroll: true });
  if (again instanceof HTMLInputElement && caret !== null) again.setSelectionRange(caret, caret);
}

export class Page {
  private view: View | null = null;
  private report: Report | null = null;
  private readonly head = h("header", { class: "head" });
  private readonly bar = h("div", { class: "bar-of-choices", role: "group", "aria-label": "Choices" });
  private readonly nav = h("nav", { class: "contents", "aria-label": "Contents" });
  private readonly bodies = new Map<string, { section: HTMLElement; body: HTMLElement }>();

  // The foot is at the end of the page.
  constructor(root: HTMLElement, foot: (Node | string)[]) {
    const main = h("main", { id: "main" });
    for (const { id, title } of SECTIONS) {
      const body = h("div", {});
      const section = h("section", { id, "aria-labelledby": `${id}-title`, hidden: true }, h("h2", { id: `${id}-title` }, title), body);
      this.bodies.set(id, { section, body });
      main.append(section);
    }
    root.replaceChildren(h("a", { class: "skip", href: "#main" }, "Skip to the comparison"), this.head, this.bar, this.nav, main, h("footer", {}, foot));
  }

  show(report: Report): void {
    this.report = report;
    this.view = this.view ? settled(report, this.view) : firstView(report);
    document.title = `${report.results.data.name} · Podium`;
    keepingFocus(() => {
      this.drawHead();
      this.drawBar();
      for (const section of SECTIONS) this.draw(section);
      this.drawContents();
      dropLostCharts();
    });
  }

  private readonly choose = (change: Partial<View>): void => {
    if (!this.report || !this.view) return;
    const before = this.view;
    const after = settled(this.report, { ...before, ...change });
    if (change.measure) after.sort = { column: after.measure, descending: true };
    this.view = after;
    const changed = (Object.keys(after) as Choices[]).filter((key) => after[key] !== before[key]);
    hideTip();
    keepingFocus(() => {
      if (changed.includes("measure")) this.drawHead();
      if (changed.includes("baseline")) this.drawBar();
      for (const section of SECTIONS) if (section.depends.some((key) => changed.includes(key))) this.draw(section);
      dropLostCharts();
    });
  };

  private draw(section: Section): void {
    const place = this.bodies.get(section.id);
    if (!place || !this.report || !this.view) return;
    const nodes = section.draw(this.report, this.view, this.choose);
    place.section.hidden = nodes === null;
    place.body.replaceChildren(...(nodes ?? []));
  }

  private drawHead(): void {
    if (this.report && this.view) this.head.replaceChildren(...overview(this.report, this.view));
  }

  private drawBar(): void {
    if (!this.report || !this.view) return;
    const { results } = this.report;
    const names = working(results).map((system) => system.name);
    this.bar.replaceChildren(
      chooser("choose-measure", "Measure", sameName(results.measures), this.view.measure, (measure) => this.choose({ measure })),
      chooser("choose-baseline", "Baseline", sameName(names), this.view.baseline, (baseline) => this.choose({ baseline })),
      themeButton(),
    );
  }

  private drawContents(): void {
    const shown = SECTIONS.filter(({ id }) => !this.bodies.get(id)?.section.hidden);
    this.nav.replaceChildren(h("ul", {}, shown.map(({ id, title }) => h("li", {}, h("a", { href: `#${id}` }, title)))));
  }
}
