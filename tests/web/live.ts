// A comparison that is still running: the first systems are finished, the others have not begun.
import type { Json } from "./report";

export { expect, fixture, overflow, test } from "./report";

const NOTHING = { test: {}, valid: {}, train: {}, per_query: {}, variation: {}, winning_numbers: {}, importance: [] };

export function makeUnfinished(results: Json, finished: number): Json {
  const measures = Object.fromEntries(
    results.measures.map((measure: string) => [measure, { reason: "the comparison is still running", pairs: [], standings: {} }]),
  );
  const systems = results.systems.map((system: Json, i: number) =>
    i < finished ? system : { ...system, ...NOTHING, failed: null, cells: system.cells.map((cell: Json) => ({ fold: cell.fold, status: "missing" })) },
  );
  return { ...results, complete: false, systems, statistics: { ...results.statistics, measures }, line: null };
}
