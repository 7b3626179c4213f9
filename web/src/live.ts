// Asks for the results beside this page, and again while they are not complete.
import type { Report, Resources, Results } from "./results";

const INTERVAL = 1500; // milliseconds

export interface Listener {
  show: (report: Report) => void;
  say: (text: string) => void;
}

// null: not there, or not changed since the last answer.
class Fetched<T> {
  private tag: string | null = null;
  value: T | null = null;

  constructor(private readonly name: string) {}

  // Whether it changed.
  async ask(): Promise<boolean> {
    const answer = await fetch(this.name, { cache: "no-cache" });
    if (answer.status === 404) return false;
    if (!answer.ok) throw new Error(await answer.text());
    const tag = answer.headers.get("ETag");
    if (tag !== null && tag === this.tag) return false;
    this.value = (await answer.json()) as T;
    this.tag = tag;
    return true;
  }
}

export async function follow(listener: Listener): Promise<void> {
  const results = new Fetched<Results>("results.json");
  const resources = new Fetched<Resources>("resources.json");
  for (;;) {
    try {
      const changed = (await results.ask()) || false;
      const more = await resources.ask();
      if (results.value && (changed || more)) listener.show({ results: results.value, resources: resources.value });
      if (results.value?.complete) return listener.say("");
      listener.say(results.value ? "" : "Waiting for the first results …");
    } catch {
      listener.say(results.value ? "The server does not answer; this is what it said last." : "The server does not answer.");
    }
    await new Promise((resolve) => window.setTimeout(resolve, INTERVAL));
  }
}
