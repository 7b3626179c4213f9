// Training logs as lines: one column of several folds over one x.
import uPlot from "uplot";
import type { Line } from "./chart";
import type { Cell, Curve, Results, System } from "./results";

export function columnOf(curve: Curve, name: string): (number | null)[] | null {
  const at = curve.columns.indexOf(name);
  return at < 0 ? null : curve.rows.map((row) => row[at] ?? null);
}

export function cellsWithCurve(system: System): Cell[] {
  return (system.cells ?? []).filter((cell) => (cell.curve?.rows.length ?? 0) > 0);
}

export function systemsWith(results: Results, has: (system: System) => boolean): string[] {
  return results.systems.filter(has).map((system) => system.name);
}

// Columns other than the first and those of other charts.
export function columnNames(cells: Cell[], wanted: (name: string) => boolean): string[] {
  const names = new Set<string>();
  for (const cell of cells) cell.curve?.columns.slice(1).forEach((name) => wanted(name) && names.add(name));
  return [...names];
}

interface Style {
  column: string;
  line: Omit<Line, "values" | "label">;
}

export interface Joined {
  x: number[];
  lines: Line[];
}

// All lines on the union of their x values.
export function join(cells: Cell[], styles: Style[]): Joined {
  const tables: uPlot.AlignedData[] = [];
  const lines: Omit<Line, "values">[] = [];
  for (const cell of cells) {
    const { curve } = cell;
    const x = curve?.rows.map((row) => row[0] ?? 0);
    if (!curve || !x) continue;
    for (const { column, line } of styles) {
      const values = columnOf(curve, column);
      if (!values?.some((value) => value !== null)) continue;
      tables.push([x, values]);
      lines.push({ ...line, label: cells.length > 1 ? `${cell.fold}, ${column}` : column });
    }
  }
  if (tables.length === 0) return { x: [], lines: [] };
  const joined = tables.length === 1 ? tables[0]! : uPlot.join(tables);
  return {
    x: joined[0] as number[],
    lines: lines.map((line, i) => ({ ...line, values: Array.from(joined[i + 1] ?? [], (v) => v ?? null) })),
  };
}
