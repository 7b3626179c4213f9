// summary.json of `podium auto`, as docs/guide/auto.md describes it, and look-ups in it.
export type Options = Record<string, unknown>;

export interface Candidate {
  learner: string;
  options: Options;
  value: number | null;
}
export interface Member extends Candidate {
  weight: number;
  microseconds?: number;
}
export interface Judgement {
  value: number | null;
  low: number | null;
  high: number | null;
}
export interface Opponent extends Judgement {
  system: string;
  difference: number | null;
  difference_low: number | null;
  difference_high: number | null;
  p: number | null;
}
export interface Estimate extends Judgement {
  confidence: number;
  folds: number;
  queries: number;
  learning_curve: { share: number; value: number }[];
  extra_training_runs: number;
  against: Opponent[];
}
export interface Summary {
  format: string;
  version: number;
  podium: { version: string };
  command: string[];
  seed: number;
  data: { name: string; queries: number; documents: number; features: number; folds: number; judged_by: string; judged_queries: number };
  measure: string;
  value: number | null;
  equal_weights: number | null;
  held_out: number | null;
  shrinkage: number;
  chosen: Member[];
  estimate: Estimate | null;
  leaderboard: Candidate[];
  without: { learner: string; value: number | null }[];
  judged: Candidate[];
  not_judged: { candidate: string; split: number; reason: string }[];
  trials: number;
  training_runs: number;
  seconds: number;
  latency_front?: { members: number[]; microseconds: number; value: number | null }[];
}

export const isBlend = (summary: Summary): boolean => summary.chosen.length > 1;
export const chosenName = (summary: Summary): string => (isBlend(summary) ? "blend" : (summary.chosen[0]?.learner ?? ""));

export function optionText(options: Options): string {
  const text = (x: unknown): string => (typeof x === "number" ? String(Number(x.toPrecision(4))) : typeof x === "string" ? x : JSON.stringify(x));
  return Object.entries(options).map(([name, x]) => `${name} ${text(x)}`).join(", ");
}

