// Learning curves: training and validation measure per iteration.
import { figure, type Ink } from "../chart";
import { cellsWithCurve, columnNames, join, systemsWith } from "../curves";
import { chooser, h, sameName } from "../dom";
import { count, listed, value } from "../format";
import { isNumber, systemNamed } from "../results";
import type { Section } from "./section";

const isMeasure = (name: string): boolean => / (train|valid)$/.test(name);
const STYLES: Record<string, { ink: Ink; dash: boolean }> = {
  train: { ink: "series-2", dash: true },
  valid: { ink: "series-1", dash: false },
};

export const curves: Section = {
  id: "curves",
  title: "Learning curves",
  depends: ["curveSystem", "curveFold"],
  draw({ results }, view, choose) {
    const names = systemsWith(results, (system) => columnNames(cellsWithCurve(system), isMeasure).length > 0);
    const name = names.includes(view.curveSystem) ? view.curveSystem : (names.find((n) => n === view.system) ?? names[0]);
    const system = name === undefined ? undefined : systemNamed(results, name);
    if (!system || name === undefined) return null;
    const cells = cellsWithCurve(system);
    const fold = cells.find((cell) => cell.fold === view.curveFold);
    const shown = fold ? [fold] : cells;
    const columns = columnNames(shown, isMeasure);
    const styles = columns.map((column) => {
      const part = column.endsWith(" train") ? "train" : "valid";
      return { column, line: { ...STYLES[part]!, faint: shown.length > 1, width: shown.length > 1 ? 1.4 : 2 } };
    });
    const { x, lines } = join(shown, styles);
    const best = shown.flatMap((cell) => (isNumber(cell.best_iteration) ? [cell.best_iteration] : []));
    const last = listed(shown.slice(0, 5).map((cell) => `${cell.fold} keeps iteration ${cell.best_iteration ?? "unknown"}`));
    return [
      h(
        "div",
        { class: "controls" },
        chooser("curve-system", "System", sameName(names), name, (curveSystem) => choose({ curveSystem })),
        chooser(
          "curve-fold",
          "Part",
          [{ value: "", label: `all ${count(cells.length)}` }, ...sameName(cells.map((cell) => cell.fold))],
          fold?.fold ?? "",
          (curveFold) => choose({ curveFold }),
        ),
      ),
      figure({
        id: "curve-chart",
        caption: `${name}: ${listed(columns)} per iteration`,
        summary: `${last}.`,
        x: { label: "Iteration", values: x },
        y: { label: columns[0]?.replace(/ (train|valid)$/, "") ?? "", format: (y, digits = 4) => value(y, digits) },
        lines,
        marks: fold && best[0] !== undefined ? [{ at: best[0], label: `kept: ${best[0]}` }] : [],
        key: shown.length === 1,
        note: h(
          "p",
          { class: "key" },
          h("span", { class: "swatch solid series-1" }), " validation ",
          h("span", { class: "swatch dashed series-2" }), " training",
        ),
      }),
    ];
  },
};
