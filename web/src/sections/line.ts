// The measure as a function of one weight: a step function that changes only at its jumping points ([Tan13]'s Figure 1).
import { figure } from "../chart";
import { h } from "../dom";
import { plural, short, value } from "../format";
import type { Section } from "./section";

export const line: Section = {
  id: "line",
  title: "The measure along one weight",
  depends: [],
  draw({ results }) {
    const { line: found } = results;
    if (!found || found.pieces.length === 0) return null;
    const best = found.pieces.reduce((x, y) => (y[1] > x[1] ? y : x));
    return [
      h(
        "p",
        { class: "lead" },
        `A measure depends only on the order of documents, so as a function of one weight it is constant between jumping points. ${found.system}, ` +
          `${found.fold}, feature ${found.feature}: ${plural(found.jumps, "jumping point")}, of which ${plural(found.pieces.length, "piece is", "pieces are")} drawn.`,
      ),
      figure({
        id: "line-chart",
        caption: `${found.measure} along the weight of feature ${found.feature}`,
        summary: `Highest ${value(best[1])} from weight ${short(best[0])}; the model has ${short(found.weight)}.`,
        x: { label: `Weight of feature ${found.feature}`, values: found.pieces.map(([from]) => from) },
        y: { label: found.measure, format: (y, digits = 4) => value(y, digits) },
        lines: [{ label: found.measure, values: found.pieces.map(([, y]) => y), ink: "series-1", draw: "steps", width: 1.5 }],
        marks: [{ at: found.weight, label: `the model: ${short(found.weight)}` }],
        height: 300,
      }),
    ];
  },
};
