// What `podium clicks report` puts into its page, as docs/guide/clicks.md describes it.
export interface Position {
  position: number;
  shown: number;
  clicked: number;
  rate: number | null;
  interval: [number, number] | null;
  component: number | null; // null: never shown
  linked: number | null; // clicked documents that were shown here and at the next position
}
export interface Fit {
  log_likelihood: number;
  perplexity: number;
  by_position: number[];
}
export interface Weights {
  clicks: number;
  effective: number;
  largest: number;
  clip: number;
  clipped: number;
}
export interface Fitted {
  model: string;
  refused: null;
  notes: string[];
  propensities: number[];
  is_propensity: boolean;
  intervals: ([number, number] | null)[];
  held_out: boolean;
  fit: Fit;
  null: Fit;
  assumed: boolean;
  weights: Weights | null;
}
export interface Refused {
  model: string;
  refused: string;
  notes: string[];
}
export interface Value {
  name: string;
  value: number;
  interval: [number, number];
  effective_clicks: number;
  largest_weight: number;
  never_shown: number;
  against: { difference: number; interval: [number, number]; p: number } | null;
}
export interface Interleaving {
  name: string;
  alpha: number;
  sessions: number;
  queries: number;
  a_wins: number;
  b_wins: number;
  ties: number;
  preference: number;
  interval: [number, number];
  sequential_p: number;
  sign_p: number;
  decided_after: number | null;
}
export interface ClickSummary {
  format: string;
  version: number;
  podium: { version: string };
  seed: number;
  name: string;
  log: {
    sessions: number;
    lines: number;
    queries: number;
    documents: number;
    cells: number;
    unmatched: number;
    too_deep: number;
    dropped_sessions: number;
    all_clicked: number;
    backwards: number;
    scattered: number;
  };
  positions: Position[];
  components: number;
  models: (Fitted | Refused)[];
  rankers: number;
  values: { estimator: string; measure: string; propensities: string; results: Value[] } | null;
  interleaving: Interleaving | null;
}

export const fitted = (summary: ClickSummary): Fitted[] => summary.models.filter((one): one is Fitted => one.refused === null);
export const refused = (summary: ClickSummary): Refused[] => summary.models.filter((one): one is Refused => one.refused !== null);
