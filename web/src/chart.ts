// Charts: uPlot in the page's colours, with a caption, values under the cursor (pointer or arrow
// keys), and the same numbers as a table for readers who cannot see the chart.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { disclosure, h, scroller } from "./dom";
import { count, short } from "./format";

// Names of colours in style.css.
export type Ink = "series-1" | "series-2" | "series-3" | "series-4" | "series-5" | "gain" | "loss" | "muted" | "text";
type Numbers = (number | null)[];

export interface Line {
  label: string;
  values: Numbers;
  ink: Ink;
  draw?: "line" | "steps" | "bars" | "points" | "area";
  dash?: boolean;
  faint?: boolean;
  width?: number;
  hidden?: boolean; // not in the key under the chart
}

export interface Plot {
  id: string;
  caption: string;
  summary: string; // for screen readers
  x: { label: string; axis?: string; values: number[]; log?: boolean; name?: (x: number) => string; categories?: boolean };
  y: { label: string; log?: boolean; fromZero?: boolean; format?: (y: number, digits?: number) => string };
  lines: Line[];
  bands?: { upper: number; lower: number; ink: Ink }[]; // the area between two of the lines
  marks?: { at: number; label: string; ink?: Ink }[]; // vertical lines
  labels?: boolean; // the name of each line next to its points
  zero?: boolean; // a line at y = 0
  height?: number;
  key?: boolean; // false: no key under the chart
  note?: Node; // under the chart
  table?: string[][]; // heads, then rows; if the lines would make a bad table
}

const MAX_TABLE_ROWS = 400;
const charts = new Set<Chart>();

function color(ink: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${ink}`).trim();
}

function withAlpha(hex: string, alpha: number): string {
  return `${hex}${Math.round(alpha * 255).toString(16).padStart(2, "0")}`;
}

function pathsOf(line: Line): uPlot.Series.PathBuilder | undefined {
  const { stepped, bars, points } = uPlot.paths;
  if (line.draw === "bars") return bars?.({ size: [0.72, 56], align: 0 });
  if (line.draw === "steps" || line.draw === "area") return stepped?.({ align: 1 });
  if (line.draw === "points") return points?.();
  return undefined;
}

function seriesOf(line: Line, format: (y: number) => string): uPlot.Series {
  const stroke = color(line.ink);
  const filled = line.draw === "bars" || line.draw === "area";
  const series: uPlot.Series = {
    label: line.label,
    stroke: line.draw === "points" ? "transparent" : withAlpha(stroke, line.faint ? 0.45 : 1),
    width: line.draw === "bars" ? 0 : (line.width ?? 2),
    spanGaps: true,
    value: (_, y) => (y === null || y === undefined ? "–" : format(y)),
    points: { show: line.draw === "points", size: 9, fill: stroke, stroke },
  };
  const paths = pathsOf(line);
  if (paths && line.draw !== "points") series.paths = paths;
  if (line.hidden) series.class = "keyless";
  if (line.dash) series.dash = [6, 4];
  if (filled) series.fill = withAlpha(stroke, line.draw === "bars" ? 0.85 : 0.75);
  return series;
}

function drawMarks(u: uPlot, plot: Plot): void {
  const { ctx, bbox } = u;
  ctx.save();
  ctx.font = `${11 * uPlot.pxRatio}px ${getComputedStyle(document.body).fontFamily}`;
  if (plot.zero) {
    const y = Math.round(u.valToPos(0, "y", true));
    ctx.strokeStyle = color("muted");
    ctx.lineWidth = uPlot.pxRatio;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  for (const mark of plot.marks ?? []) {
    const x = Math.round(u.valToPos(mark.at, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = ctx.fillStyle = color(mark.ink ?? "text");
    ctx.lineWidth = uPlot.pxRatio;
    ctx.setLineDash([3 * uPlot.pxRatio, 3 * uPlot.pxRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    const half = ctx.measureText(mark.label).width / 2;
    const middle = Math.max(bbox.left + half, Math.min(x, bbox.left + bbox.width - half));
    ctx.textAlign = "center";
    ctx.fillText(mark.label, middle, bbox.top - 6 * uPlot.pxRatio);
  }
  ctx.restore();
}

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// Names next to points, right or left, above or below: the first free position, else none (cursor
// and table still have them).
function drawLabels(u: uPlot, plot: Plot): void {
  const { ctx, bbox } = u;
  const px = uPlot.pxRatio;
  const points = plot.lines.flatMap((line) => {
    const i = line.values.findIndex((v) => v !== null);
    const x = plot.x.values[i];
    const y = line.values[i];
    return x === undefined || y === null || y === undefined
      ? []
      : [{ line, x: u.valToPos(x, "x", true), y: u.valToPos(y, "y", true) }];
  });
  const taken: Box[] = points.map(({ x, y }) => ({ left: x - 5 * px, right: x + 5 * px, top: y - 5 * px, bottom: y + 5 * px }));
  ctx.save();
  ctx.font = `${12 * px}px ${getComputedStyle(document.body).fontFamily}`;
  ctx.fillStyle = color("text");
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const { line, x, y } of points) {
    const width = ctx.measureText(line.label).width;
    for (const [dx, dy] of [[9 * px, 0], [-9 * px - width, 0], [-width / 2, -14 * px], [-width / 2, 14 * px]] as const) {
      const box = { left: x + dx, right: x + dx + width, top: y + dy - 7 * px, bottom: y + dy + 7 * px };
      const inside = box.left >= bbox.left && box.right <= bbox.left + bbox.width && box.top >= 0;
      if (!inside || taken.some((other) => overlap(box, other))) continue;
      taken.push(box);
      ctx.fillText(line.label, box.left, y + dy);
      break;
    }
  }
  ctx.restore();
}

function axis(extra: Partial<uPlot.Axis>): uPlot.Axis {
  const family = getComputedStyle(document.body).fontFamily;
  return {
    stroke: color("muted"),
    font: `12px ${family}`,
    labelFont: `12px ${family}`,
    labelSize: 20,
    labelGap: 2,
    ...extra,
    grid: { stroke: color("line"), width: 1, ...extra.grid },
    ticks: { stroke: color("line"), width: 1, size: 5, ...extra.ticks },
  };
}

// On a logarithmic axis only powers of ten, and 2 and 5 times them if there are few.
function logSplits(splits: (number | null)[]): (number | null)[] {
  const digit = (v: number) => Math.round(v / 10 ** Math.floor(Math.log10(v) + 1e-9));
  const powers = splits.filter((v) => v !== null && v > 0 && digit(v) === 1).length;
  const kept = powers < 3 ? [1, 2, 5] : [1];
  return splits.map((v) => (v !== null && v > 0 && kept.includes(digit(v)) ? v : null));
}
const logLabels = (splits: (number | null)[]): string[] => splits.map((v) => (v === null ? "" : short(v)));

const LOG_AXIS: Partial<uPlot.Axis> = {
  filter: (_, splits) => logSplits(splits),
  grid: { filter: (_, splits) => logSplits(splits) },
  ticks: { filter: (_, splits) => logSplits(splits) },
  values: (_, splits) => logLabels(splits),
};

// The decimals of a tick: as few as distinguish it from its neighbours.
function decimals(step: number): number {
  let digits = 0;
  while (digits < 8 && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6 * step * 10 ** digits) ++digits;
  return digits;
}

function padded(min: number, max: number, fromZero: boolean): [number, number] {
  if (fromZero) return [Math.min(0, min) * 1.05, Math.max(0, max) * 1.05 || 1];
  const pad = 0.06 * (max - min || Math.abs(max) || 1);
  return [min - pad, max + pad];
}

function categoryTicks(plot: Plot, width: number): number[] {
  const every = Math.ceil(plot.x.values.length / Math.max(1, Math.floor(width / 60)));
  return plot.x.values.filter((_, i) => i % every === 0);
}

function xScale(plot: Plot): uPlot.Scale {
  if (plot.x.categories)
    return { time: false, range: (_, min, max) => [(min ?? 0) - 0.6, (max ?? 0) + 0.6] };
  if (plot.x.log) return { time: false, distr: 3, range: (_, min, max) => [min / 1.6, max * 1.6] };
  const one = plot.x.values.length === 1;
  return one ? { time: false, range: (_, min) => [min - 1, min + 1] } : { time: false };
}

function yScale(plot: Plot): uPlot.Scale {
  if (plot.y.log) return { distr: 3, range: (_, min, max) => [min / 1.5, max * 1.5] };
  return { range: (_, min, max) => padded(min ?? 0, max ?? 1, plot.y.fromZero ?? false) };
}

class Chart {
  private plotted: uPlot | null = null;
  private readonly observer: ResizeObserver;

  constructor(
    private readonly host: HTMLElement,
    private readonly plot: Plot,
  ) {
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(host);
    host.addEventListener("keydown", (event) => this.step(event));
    charts.add(this);
  }

  get alive(): boolean {
    return this.host.isConnected;
  }

  drop(): void {
    this.observer.disconnect();
    this.plotted?.destroy();
    charts.delete(this);
  }

  build(): void {
    const width = this.host.clientWidth;
    if (width === 0) return;
    this.plotted?.destroy();
    const { x, lines } = this.plot;
    this.plotted = new uPlot(this.options(width), [x.values, ...lines.map((line) => line.values)], this.host);
  }

  private fit(): void {
    const width = this.host.clientWidth;
    if (!this.plotted) this.build();
    else if (width > 0 && width !== this.plotted.width) this.plotted.setSize({ width, height: this.plotted.height });
  }

  private options(width: number): uPlot.Options {
    const { plot } = this;
    const format = plot.y.format ?? short;
    const nameX = plot.x.name ?? short;
    const xAxis: Partial<uPlot.Axis> = { label: plot.x.axis ?? plot.x.label, space: 56, size: 30 };
    if (plot.x.categories) {
      xAxis.splits = (u) => categoryTicks(plot, u.width);
      xAxis.values = (_, splits) => splits.map(nameX);
      xAxis.grid = { show: false };
    } else if (plot.x.log) Object.assign(xAxis, LOG_AXIS);
    else xAxis.values = (_, splits) => splits.map(short);
    const yAxis: Partial<uPlot.Axis> = { label: plot.y.label, size: 56, space: 32 };
    if (plot.y.log) Object.assign(yAxis, LOG_AXIS);
    else yAxis.values = (_, splits, __, ___, step) => splits.map((v) => format(v, decimals(step)));
    return {
      width,
      height: plot.height ?? 280,
      padding: [plot.marks?.length ? 22 : 10, 14, 0, 0],
      scales: { x: xScale(plot), y: yScale(plot) },
      axes: [axis(xAxis), axis(yAxis)],
      series: [{ label: plot.x.label, value: (_, v) => (v === null || v === undefined ? "–" : nameX(v)) }, ...plot.lines.map((line) => seriesOf(line, format))],
      bands: (plot.bands ?? []).map((band) => ({ series: [band.upper + 1, band.lower + 1], fill: withAlpha(color(band.ink), 0.14) })),
      legend: { show: plot.key !== false },
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
      hooks: {
        setCursor: [(u) => this.host.classList.toggle("idle", u.cursor.idx === null || u.cursor.idx === undefined)],
        draw: [(u) => drawMarks(u, plot), ...(plot.labels ? [(u: uPlot) => drawLabels(u, plot)] : [])],
      },
    };
  }

  // Arrow keys move the cursor from value to value.
  private step(event: KeyboardEvent): void {
    const u = this.plotted;
    const last = this.plot.x.values.length - 1;
    if (!u || last < 0) return;
    const at = u.cursor.idx ?? -1;
    const moves: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at < 0 ? last : at - 1, Home: 0, End: last };
    const wanted = moves[event.key];
    if (wanted === undefined) return;
    event.preventDefault();
    const value = this.plot.x.values[Math.max(0, Math.min(last, wanted))];
    if (value !== undefined) u.setCursor({ left: u.valToPos(value, "x"), top: u.over.clientHeight / 2 });
  }
}

function tableOf(caption: string, heads: string[], rows: HTMLElement[]): HTMLElement {
  return scroller(
    `${caption}, as a table`,
    h("table", { class: "plain" }, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, rows)),
  );
}

function table(plot: Plot): Node[] {
  if (plot.table) {
    const [heads = [], ...given] = plot.table;
    const cells = given.map(([first = "", ...rest]) => h("tr", {}, h("th", { scope: "row" }, first), rest.map((text) => h("td", {}, text))));
    return [tableOf(plot.caption, heads, cells)];
  }
  const rows = plot.x.values.length;
  const stride = Math.max(1, Math.ceil(rows / MAX_TABLE_ROWS));
  const nameX = plot.x.name ?? short;
  const format = plot.y.format ?? short;
  const body = plot.x.values.flatMap((x, i) =>
    i % stride !== 0 && i !== rows - 1
      ? []
      : [h("tr", {}, h("th", { scope: "row" }, nameX(x)), plot.lines.map((line) => {
          const y = line.values[i];
          return h("td", {}, y === null || y === undefined ? "–" : format(y));
        }))],
  );
  const heads = [plot.x.label, ...plot.lines.map((line) => line.label)];
  const note = stride > 1 ? [h("p", { class: "note" }, `Every ${count(stride)}th of ${count(rows)} rows.`)] : [];
  return [...note, tableOf(plot.caption, heads, body)];
}

export function figure(plot: Plot): HTMLElement {
  const host = h("div", {
    class: "chart idle",
    role: "group",
    "aria-roledescription": "chart",
    "aria-label": `${plot.caption}. ${plot.summary}`,
    tabindex: 0,
  });
  new Chart(host, plot);
  return h(
    "figure",
    { id: plot.id },
    h("figcaption", {}, plot.caption),
    host,
    plot.note,
    disclosure(`${plot.id}-table`, "Numbers of this chart", () => table(plot)),
  );
}

// Otherwise charts that are no longer in the page would keep memory and observers.
export function dropLostCharts(): void {
  for (const chart of [...charts]) if (!chart.alive) chart.drop();
}

export function redrawCharts(): void {
  for (const chart of charts) chart.build();
}
