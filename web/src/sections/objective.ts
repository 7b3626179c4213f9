// The course of the solvers: objective and duality gap per iteration, and for the SVMs measure, objective,
// gap and iterations along C ([Chakrabarti08]'s Figures 4–6).
import { figure, type Line, type Plot } from "../chart";
import { cellsWithCurve, columnNames, join, systemsWith } from "../curves";
import { chooser, h, sameName } from "../dom";
import { short, value } from "../format";
import { type Cell, isNumber, type PathPoint, type System, systemNamed } from "../results";
import type { Section } from "./section";

const isObjective = (name: string): boolean => !/ (train|valid)$/.test(name) && name !== "gap";

function cellsOf(system: System): Cell[] {
  return (system.cells ?? []).filter(
    (cell) => (cell.path?.length ?? 0) > 0 || columnNames([cell], (name) => isObjective(name) || name === "gap").length > 0,
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function perIteration(cell: Cell): HTMLElement[] {
  if (cellsWithCurve({ cells: [cell] } as unknown as System).length === 0) return [];
  const drawn: HTMLElement[] = [];
  const names = columnNames([cell], isObjective);
  const objective = join([cell], names.map((column, i) => ({ column, line: { ink: `series-${(i % 5) + 1}` as Line["ink"] } })));
  if (objective.lines.length > 0)
    drawn.push(
      figure({
        id: "objective-chart",
        caption: `${capital(names.join(", "))} per iteration`,
        summary: `${objective.x.length} iterations.`,
        x: { label: "Iteration", values: objective.x },
        y: { label: names.length === 1 ? names[0]! : "value" },
        lines: objective.lines,
        height: 240,
      }),
    );
  const gap = join([cell], [{ column: "gap", line: { ink: "series-3" } }]);
  gap.lines.forEach((line) => (line.values = line.values.map((v) => (v !== null && v > 0 ? v : null))));
  if (gap.lines.some((line) => line.values.some((v) => v !== null)))
    drawn.push(
      figure({
        id: "gap-chart",
        caption: "Duality gap per iteration",
        summary: "Logarithmic scale.",
        x: { label: "Iteration", values: gap.x },
        y: { label: "gap", log: true },
        lines: gap.lines,
        height: 240,
      }),
    );
  return drawn;
}

function along(path: PathPoint[], chosen: number | null, field: keyof PathPoint, rest: Partial<Plot> & Pick<Plot, "id" | "caption" | "y">, ink: Line["ink"]): HTMLElement[] {
  const points = path.filter((point) => isNumber(point[field]) && (!rest.y.log || (point[field] as number) > 0));
  if (points.length === 0) return [];
  return [
    figure({
      summary: `From C = ${short(points[0]!.C)} to ${short(points[points.length - 1]!.C)}.`,
      x: { label: "C", values: points.map((point) => point.C), log: true },
      lines: [{ label: String(field), values: points.map((point) => point[field] as number), ink }],
      marks: chosen !== null ? [{ at: chosen, label: `C = ${short(chosen)} chosen` }] : [],
      height: 240,
      ...rest,
    }),
  ];
}

function spansDecades(path: PathPoint[]): boolean {
  const values = path.flatMap((point) => (isNumber(point.primal) ? [point.primal] : []));
  return Math.min(...values) > 0 && Math.max(...values) > 50 * Math.min(...values);
}

function alongC(cell: Cell, measure: string): HTMLElement[] {
  const path = [...(cell.path ?? [])].filter((point) => point.C > 0).sort((a, b) => a.C - b.C);
  const c = cell.chosen?.["C"];
  const chosen = isNumber(c) ? c : null;
  const format = (y: number, digits = 4) => value(y, digits);
  return [
    ...along(path, chosen, "valid", { id: "path-valid", caption: `Validation ${measure} along C`, y: { label: measure, format } }, "series-1"),
    ...along(path, chosen, "primal", { id: "path-primal", caption: "Objective along C", y: { label: "primal", log: spansDecades(path) } }, "series-2"),
    ...along(path, chosen, "gap", { id: "path-gap", caption: "Duality gap along C", y: { label: "gap", log: true } }, "series-3"),
    ...along(path, chosen, "iterations", { id: "path-iterations", caption: "Iterations along C", y: { label: "iterations", fromZero: true } }, "series-4"),
  ];
}

function certificate(cell: Cell): HTMLElement | null {
  const objective = cell.objective;
  if (!objective) return null;
  const text = Object.entries(objective)
    .filter(([, x]) => isNumber(x))
    .map(([name, x]) => `${name} ${isNumber(x) ? Number(x.toPrecision(6)) : ""}`)
    .join(" · ");
  return h("p", { class: "note" }, `At the end: ${text}${cell.termination ? ` (${cell.termination})` : ""}.`);
}

export const objective: Section = {
  id: "objective",
  title: "Objectives, gaps and C",
  depends: ["objectiveSystem", "objectiveFold"],
  draw({ results }, view, choose) {
    const names = systemsWith(results, (system) => cellsOf(system).length > 0);
    const withPath = names.find((name) => systemNamed(results, name)?.cells?.some((cell) => cell.path?.length));
    const name = names.includes(view.objectiveSystem) ? view.objectiveSystem : (withPath ?? names[0]);
    const system = name === undefined ? undefined : systemNamed(results, name);
    const cells = system ? cellsOf(system) : [];
    const cell = cells.find((candidate) => candidate.fold === view.objectiveFold) ?? cells[0];
    if (!cell || name === undefined) return null;
    return [
      h(
        "div",
        { class: "controls" },
        chooser("objective-system", "System", sameName(names), name, (objectiveSystem) => choose({ objectiveSystem })),
        chooser("objective-fold", "Part", sameName(cells.map((c) => c.fold)), cell.fold, (objectiveFold) => choose({ objectiveFold })),
      ),
      h("div", { class: "grid" }, [...alongC(cell, results.measures[0] ?? ""), ...perIteration(cell)]),
      certificate(cell),
    ].filter((node): node is HTMLElement => node !== null);
  },
};
