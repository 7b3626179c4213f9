// results.json and resources.json as docs/formats/results.md describes them, and look-ups in them.
// While a comparison runs any part may still be missing, so everything below the top is optional.
export type Values = Record<string, number | null | undefined>;
export type Options = Record<string, unknown>;

export interface Curve {
  columns: string[];
  rows: (number | null)[][];
}

export interface PathPoint {
  C: number;
  primal?: number | null;
  gap?: number | null;
  iterations?: number | null;
  valid?: number | null;
}

export interface Cell {
  fold: string;
  status: "done" | "failed" | "missing";
  message?: string | null;
  options?: Options | null;
  command?: string | null;
  chosen?: Options | null;
  train?: Values | null;
  valid?: Values | null;
  test?: Values | null;
  iterations?: number | null;
  best_iteration?: number | null;
  termination?: string | null;
  objective?: Values | null;
  curve?: Curve | null;
  path?: PathPoint[] | null;
  tuning?: { options: Options; value: number | null; stage?: number }[] | null;
}

export interface System {
  name: string;
  learner: string;
  given?: Options | null;
  failed?: string | null;
  test?: Values | null;
  valid?: Values | null;
  train?: Values | null;
  per_query?: Record<string, (number | null)[] | undefined> | null;
  variation?: Record<string, { over_folds?: number | null; over_seeds?: number | null } | undefined> | null;
  winning_numbers?: Values | null;
  importance?: { feature: string; share: number }[] | null;
  cells?: Cell[] | null;
}

export interface Pair {
  a: string;
  b: string;
  queries: number;
  wins: number;
  ties: number;
  losses: number;
  mean?: number | null;
  dz?: number | null;
  interval?: [number, number] | null;
  bootstrap?: [number, number] | null;
  p?: Values | null;
  adjusted?: Values | null;
  reason?: string | null;
  warning?: string | null;
}

// unknown: not tested against the best, for example because the system failed in some parts.
export type Standing = "best" | "not-worse" | "worse" | "unknown";

export interface MeasureStatistics {
  reason?: string | null;
  pairs?: Pair[] | null;
  standings?: Record<string, Standing | undefined> | null;
}

// Of data with categories, ignored columns or missing values; `list` has the first of each.
export interface Columns {
  numbers: number;
  categories: number;
  ignored: number;
  with_missing: number;
  list?: { name: string; type: "category" | "number" | "ignored"; values?: number; missing?: number }[] | null;
}

export interface Results {
  format: string;
  version: number;
  complete: boolean;
  command?: string[] | null;
  podium?: { version?: string } | null;
  seed?: number | null;
  data: {
    name: string;
    fingerprint?: string | null;
    queries: number;
    documents: number;
    features: number;
    empty?: number | null;
    grades?: { grade: number; documents: number }[] | null;
    list_lengths?: {
      min: number;
      median: number;
      mean: number;
      max: number;
      histogram?: { from: number; to: number; queries: number }[] | null;
    } | null;
    columns?: Columns | null;
  };
  convention?: { name: string; text?: string | null } | null;
  measures: string[];
  design: {
    kind: "folds" | "split" | "trials";
    folds: string[];
    train_queries?: number | null;
    valid_queries?: number | null;
    tune?: { trials?: number; search?: string } | null;
  };
  queries?: string[] | null;
  systems: System[];
  statistics?: {
    baseline?: string | null;
    test?: string | null;
    permutations?: number | null;
    alpha?: number | null;
    correction?: string | null;
    measures?: Record<string, MeasureStatistics | undefined> | null;
  } | null;
  line?: {
    system: string;
    fold: string;
    feature: string;
    weight: number;
    measure: string;
    jumps: number;
    pieces: [number, number][];
  } | null;
}

export interface Resources {
  started?: string | null;
  threads?: number | null;
  cells?: Record<string, { seconds?: number | null; peak_bytes?: number | null } | undefined> | null;
  seconds?: number | null;
  peak_bytes?: number | null;
}

export type Used = { seconds: number; peak_bytes?: number | null };

// The resources of all runs of the system, over parts and seeds.
export function usedBy(resources: Resources | null, system: string, folds: string[]): Used[] {
  const wanted = new Set(folds.map((fold) => `${system}.${fold}`));
  return Object.entries(resources?.cells ?? {}).flatMap(([cell, used]) =>
    wanted.has(cell.replace(/\.seed\d+$/, "")) && isNumber(used?.seconds) ? [{ ...used, seconds: used.seconds }] : [],
  );
}

export interface Report {
  results: Results;
  resources: Resources | null;
}

export const isNumber = (x: unknown): x is number => typeof x === "number" && Number.isFinite(x);

export function systemNamed(results: Results, name: string): System | undefined {
  return results.systems.find((system) => system.name === name);
}

export function working(results: Results): System[] {
  return results.systems.filter((system) => !system.failed);
}

export function testValue(system: System, measure: string): number | null {
  return system.test?.[measure] ?? null;
}

export function statisticsOf(results: Results, measure: string): MeasureStatistics | null {
  return results.statistics?.measures?.[measure] ?? null;
}

export function standingOf(results: Results, system: string, measure: string): Standing | null {
  return statisticsOf(results, measure)?.standings?.[system] ?? null;
}

// The correction that determines the marks, and the test that it corrects: max-T is a randomisation test.
export function deciding(results: Results): { test: string; correction: string } {
  const { test, correction } = results.statistics ?? {};
  return { test: correction === "max-t" ? "randomisation" : (test ?? ""), correction: correction ?? "none" };
}

// The pair's p-value that determines the marks. If the correction has none, the uncorrected one is not used.
export function decidingP(results: Results, pair: Pair): number | null {
  const { test, correction } = deciding(results);
  return (correction === "none" ? pair.p?.[test] : pair.adjusted?.[correction]) ?? null;
}

export function isSignificant(results: Results, p: number): boolean {
  return p <= (results.statistics?.alpha ?? 0.05);
}

const mirrored = (range: [number, number] | null | undefined): [number, number] | null =>
  range ? [-range[1], -range[0]] : null;
const negated = (x: number | null | undefined): number | null => (isNumber(x) ? -x : null);

function turned(pair: Pair): Pair {
  return {
    ...pair,
    a: pair.b,
    b: pair.a,
    wins: pair.losses,
    losses: pair.wins,
    mean: negated(pair.mean),
    dz: negated(pair.dz),
    interval: mirrored(pair.interval),
    bootstrap: mirrored(pair.bootstrap),
  };
}

// The system compared with the baseline: positive means that the system is better.
export function pairOf(results: Results, measure: string, system: string, baseline: string): Pair | null {
  for (const pair of statisticsOf(results, measure)?.pairs ?? []) {
    if (pair.a === system && pair.b === baseline) return pair;
    if (pair.a === baseline && pair.b === system) return turned(pair);
  }
  return null;
}

export interface QueryDifference {
  qid: string;
  system: number;
  baseline: number;
  difference: number;
}

export function queryDifferences(results: Results, measure: string, system: string, baseline: string): QueryDifference[] {
  const mine = systemNamed(results, system)?.per_query?.[measure] ?? [];
  const theirs = systemNamed(results, baseline)?.per_query?.[measure] ?? [];
  const differences: QueryDifference[] = [];
  (results.queries ?? []).forEach((qid, q) => {
    const x = mine[q];
    const y = theirs[q];
    if (isNumber(x) && isNumber(y)) differences.push({ qid, system: x, baseline: y, difference: x - y });
  });
  return differences;
}

export function failedInPart(system: System): boolean {
  return (system.cells ?? []).some((cell) => cell.status === "failed");
}

// The systems marked best, several if they tie; without marks, the one with the highest mean. A system
// that failed in some parts has its mean over different queries and is not considered.
export function bestSystems(results: Results, measure: string): System[] {
  const marked = working(results).filter((system) => standingOf(results, system.name, measure) === "best");
  if (marked.length > 0) return marked;
  let best: System | undefined;
  for (const system of working(results)) {
    const value = testValue(system, measure);
    if (value === null || failedInPart(system)) continue;
    if (!best || value > (testValue(best, measure) ?? -Infinity)) best = system;
  }
  return best ? [best] : [];
}

export interface Progress {
  done: number;
  failed: number;
  total: number;
}

export function progressOf(results: Results): Progress {
  const total = results.systems.length * results.design.folds.length;
  const cells = results.systems.flatMap((system) => system.cells ?? []);
  return {
    done: cells.filter((cell) => cell.status === "done").length,
    failed: cells.filter((cell) => cell.status === "failed").length,
    total,
  };
}
