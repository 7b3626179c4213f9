// Writes a results folder (docs/formats/results.md) with random numbers, for viewing and testing the
// report: node fixture.mjs FOLDER [QUERIES [SYSTEMS]].
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const MEASURES = ["nDCG@10", "nDCG@5", "AP", "RR", "P@5", "ERR@10"];
const FOLDS = ["Fold1", "Fold2", "Fold3", "Fold4", "Fold5"];
const LEARNERS = ["feature", "linear", "ranksvm", "svm-map", "lambdamart", "mart", "listnet", "directrank"];

function randomNumbers(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const clamp = (x) => Math.min(1, Math.max(0, x));
const mean = (values) => {
  const known = values.filter((x) => x !== null);
  return known.length ? known.reduce((a, b) => a + b, 0) / known.length : null;
};
const perMeasure = (make) => Object.fromEntries(MEASURES.map((m, i) => [m, make(m, i)]));

function curveOf(kind, random, strength) {
  const rounds = kind === "svm" ? 60 : 150;
  const rows = [];
  let objective = 1;
  for (let i = 1; i <= rounds; ++i) {
    const learned = 1 - Math.exp(-i / 25);
    const train = 0.3 + (0.25 + strength) * learned + 0.0006 * i;
    const valid = 0.3 + (0.17 + strength) * learned - 0.0002 * Math.max(0, i - 80) + 0.004 * random.normal();
    objective = 0.35 + 0.65 * Math.exp(-i / 12);
    rows.push([i, train, valid, objective, kind === "svm" ? Math.exp(-i / 7) : null]);
  }
  const columns = ["iteration", "nDCG@10 train", "nDCG@10 valid", "objective", "gap"];
  if (kind === "svm") return { columns, rows };
  return { columns: columns.slice(0, 4), rows: rows.map((row) => row.slice(0, 4)) };
}

function pathAlongC(random) {
  return [-3, -2, -1, 0, 1, 2, 3].map((power) => ({
    C: 10 ** power,
    primal: 0.2 + 0.6 / (1 + 10 ** (power / 2)),
    gap: 10 ** (-3.2 + 0.2 * random.uniform()),
    iterations: Math.round(12 + 18 * (power + 3) + 5 * random.uniform()),
    valid: 0.47 - 0.012 * (power - 0.6) ** 2 + 0.004 * random.normal(),
  }));
}

function cellOf(system, fold, f, values, random) {
  const isSvm = /svm/.test(system.learner);
  const options = isSvm ? { C: 1, epsilon: 0.001 } : { trees: 500, leaves: 8 + 4 * f, "learning-rate": 0.1 };
  const curve = system.learner === "feature" ? null : curveOf(isSvm ? "svm" : "other", random, system.strength);
  const test = perMeasure((m) => mean(values[m].filter((_, q) => q % FOLDS.length === f)));
  const flags = Object.entries(options).map(([name, value]) => `--${name} ${value}`);
  return {
    fold, status: "done", message: null, options,
    command: `podium train ${system.learner} --data '${fold}/train.txt' --valid '${fold}/vali.txt' ${flags.join(" ")}`,
    chosen: isSvm ? { C: 10 } : {},
    train: perMeasure((m) => test[m] + 0.06), valid: { "nDCG@10": test["nDCG@10"] + 0.01 }, test,
    iterations: curve ? curve.rows.length : 1, best_iteration: curve ? 70 + f : 1,
    termination: isSvm ? "converged" : "early-stopping",
    objective: isSvm ? { primal: 0.4, dual: 0.3996, gap: 0.0004 } : null,
    curve, path: isSvm ? pathAlongC(random) : null,
    tuning: isSvm || system.learner === "feature" ? null :
      Array.from({ length: 10 }, (_, t) => ({ options: { leaves: 4 + 3 * t }, value: 0.48 + 0.01 * random.normal(), stage: 1 })),
  };
}

function systemOf(name, learner, strength, difficulty, random) {
  const system = { name, learner, strength };
  const values = perMeasure((_, i) => difficulty.map((d, q) =>
    q % 29 === 28 ? null : q % 17 === 3 ? 0 : clamp(d - 0.06 * i + strength + 0.09 * random.normal())));
  const shares = Array.from({ length: 25 }, (_, i) => ({ feature: String(i * 2 + 1), share: random.uniform() ** 4 }));
  const total = shares.reduce((sum, s) => sum + s.share, 0);
  shares.forEach((s) => (s.share /= total));
  return {
    name, learner, given: learner === "lambdamart" ? { leaves: 10 } : {}, failed: null,
    test: perMeasure((m) => mean(values[m])), valid: { "nDCG@10": mean(values["nDCG@10"]) + 0.01 },
    train: perMeasure((m) => mean(values[m]) + 0.06), per_query: values,
    variation: perMeasure(() => ({ over_folds: 0.01 + 0.01 * random.uniform(), over_seeds: null })),
    winning_numbers: perMeasure(() => Math.round(30 * random.uniform())),
    importance: shares.sort((a, b) => b.share - a.share),
    cells: FOLDS.map((fold, f) => cellOf(system, fold, f, values, random)),
  };
}

function failedSystem(name) {
  const message = "training diverged at epoch 3: the loss is not finite; a smaller --learning-rate helps";
  return {
    name, learner: "softrank", given: {}, failed: message, test: {}, valid: {}, train: {}, per_query: {},
    variation: {}, winning_numbers: {}, importance: [],
    cells: FOLDS.map((fold) => ({
      fold, status: "failed", message, options: { "learning-rate": 1 },
      command: `podium train softrank --data '${fold}/train.txt' --learning-rate 1`, chosen: {}, train: {}, valid: {},
      test: {}, iterations: 3, best_iteration: null, termination: null, objective: null, curve: null, path: null, tuning: null,
    })),
  };
}

// Normal approximation of a two-sided p-value: only for display.
const twoSided = (z) => Math.min(1, 2 * Math.exp(-0.717 * Math.abs(z) - 0.416 * z * z) / 2 + 1e-4);

function pairOf(a, b, measure) {
  const differences = [];
  a.per_query[measure].forEach((x, q) => {
    const y = b.per_query[measure][q];
    if (x !== null && y !== null) differences.push(x - y);
  });
  const n = differences.length;
  const average = mean(differences);
  const deviation = Math.sqrt(differences.reduce((sum, d) => sum + (d - average) ** 2, 0) / (n - 1));
  const error = deviation / Math.sqrt(n);
  const p = twoSided(average / error);
  const interval = [average - 1.96 * error, average + 1.96 * error];
  return {
    a: a.name, b: b.name, queries: n, wins: differences.filter((d) => d > 0).length,
    ties: differences.filter((d) => d === 0).length, losses: differences.filter((d) => d < 0).length,
    mean: average, dz: average / deviation, interval, bootstrap: interval.map((x) => x * 1.01),
    p: { randomisation: p, t: p * 0.98, wilcoxon: Math.min(1, p * 1.1), sign: Math.min(1, p * 1.4) },
    adjusted: { "max-t": Math.min(1, p * 5), holm: Math.min(1, p * 6), bh: Math.min(1, p * 2) },
    reason: null, warning: null,
  };
}

function statisticsOf(systems) {
  const alive = systems.filter((s) => !s.failed);
  const measures = perMeasure((measure) => {
    const pairs = [];
    alive.forEach((a, i) => alive.slice(i + 1).forEach((b) => pairs.push(pairOf(a, b, measure))));
    const best = alive.reduce((x, y) => (y.test[measure] > x.test[measure] ? y : x));
    const standings = Object.fromEntries(alive.map((s) => {
      if (s === best) return [s.name, "best"];
      const pair = pairs.find((p) => (p.a === s.name && p.b === best.name) || (p.b === s.name && p.a === best.name));
      return [s.name, pair.adjusted["max-t"] <= 0.05 ? "worse" : "not-worse"];
    }));
    return { reason: alive.length < 2 ? "one system: nothing to compare" : null, pairs, standings };
  });
  return { baseline: alive[0].name, test: "randomisation", permutations: 10000, alpha: 0.05, correction: "max-t", measures };
}

function lineOf(random) {
  const pieces = [];
  for (let i = 0, weight = -1; i < 160; ++i, weight += 0.004 + 0.02 * random.uniform())
    pieces.push([weight, 0.43 + 0.07 * Math.exp(-3 * (weight - 0.4) ** 2) + 0.002 * random.normal()]);
  return { system: "directrank", fold: "Fold1", feature: "25", weight: 0.4, measure: "nDCG@10", jumps: 1234, pieces };
}

function dataOf(queries) {
  const lengths = [[1, 10], [11, 20], [21, 40], [41, 80], [81, 121]].map(([from, to], i) => ({
    from, to, queries: Math.round(queries * [0.46, 0.25, 0.15, 0.1, 0.04][i]) }));
  const documents = [{ grade: 0, documents: 12279 }, { grade: 1, documents: 2001 }, { grade: 2, documents: 931 }];
  return {
    name: "MQ2008", fingerprint: "5be0cd19137e2179", queries, documents: 15211, features: 46,
    empty: Math.round(queries / 4), grades: documents,
    list_lengths: { min: 5, median: 8, mean: 19.4, max: 121, histogram: lengths },
    columns: { numbers: 45, categories: 1, ignored: 1, with_missing: 2, list: [
      { name: "brand", type: "category", values: 1200, missing: 0.25 },
      { name: "bm25", type: "number", missing: 0.5 }, { name: "url", type: "ignored" }] },
  };
}

export function makeResults({ queries = 300, systems = 9, failed = true, seed = 7 } = {}) {
  const random = randomNumbers(seed);
  const difficulty = Array.from({ length: queries }, () => 0.46 + 0.2 * random.normal());
  const list = Array.from({ length: systems - (failed ? 1 : 0) }, (_, i) => {
    const learner = LEARNERS[i % LEARNERS.length];
    const name = i < LEARNERS.length ? learner : `${learner}-${Math.floor(i / LEARNERS.length) + 1}`;
    return systemOf(name, learner, 0.006 * i, difficulty, random);
  });
  if (failed) list.push(failedSystem("softrank"));
  return {
    format: "podium-results", version: 1, complete: true,
    command: ["podium", "compare", "--data", "MQ2008", "--learners", list.map((s) => s.name).join(","), "--tune", "10"],
    podium: { version: "0.1.0" }, seed: 1, data: dataOf(queries),
    convention: { name: "podium", text: "gain 2^grade - 1, discount 1/log2(1 + rank), expected value over ties; queries without a relevant document count as 0" },
    measures: MEASURES,
    design: { kind: "folds", folds: FOLDS, train_queries: null, valid_queries: null, tune: { trials: 10, search: "latin-hypercube" } },
    queries: difficulty.map((_, q) => String(10000 + 7 * q)),
    systems: list, statistics: statisticsOf(list), line: lineOf(random),
  };
}

export function makeResources(results) {
  const cells = {};
  let seconds = 0;
  results.systems.forEach((system, i) => system.cells.forEach((cell, f) => {
    cells[`${system.name}.${cell.fold}`] = { seconds: 0.2 * 1.9 ** (i % 9) + 0.01 * i + 0.1 * f, peak_bytes: 3e7 + 8e6 * i };
    seconds += cells[`${system.name}.${cell.fold}`].seconds;
  }));
  return { started: "2026-01-31T12:00:00Z", threads: 2, cells, seconds, peak_bytes: 9.1e7 };
}

// Atomically, as podium compare does.
function writeWhole(path, object) {
  writeFileSync(`${path}.tmp`, JSON.stringify(object));
  renameSync(`${path}.tmp`, path);
}

export function writeFolder(folder, results, resources = makeResources(results)) {
  mkdirSync(folder, { recursive: true });
  writeWhole(`${folder}/results.json`, results);
  writeWhole(`${folder}/resources.json`, resources);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, queries = "300", systems = "9"] = process.argv.slice(2);
  if (!folder) throw new Error("usage: node fixture.mjs FOLDER [QUERIES [SYSTEMS]]");
  writeFolder(folder, makeResults({ queries: Number(queries), systems: Number(systems) }));
}
