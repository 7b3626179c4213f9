// Fetches the results next to this page, repeatedly until they are complete.
import type { Report, Resources, Results } from "./results";

const INTERVAL = 1500; // milliseconds

export interface Listener {
  show: (report: Report) => void;
  say: (text: string) => void;
}

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

const pause = (): Promise<void> => new Promise((resolve) => window.setTimeout(resolve, INTERVAL));

export async function follow(listener: Listener): Promise<void> {
  const results = new Fetched<Results>("results.json");
  const resources = new Fetched<Resources>("resources.json");
  let toShow = false;
  for (;;) {
    try {
      if (await results.ask()) toShow = true;
      if (await resources.ask()) toShow = true;
    } catch {
      toShow = true; // shows the results again once the server responds
      listener.say(results.value ? "The server is not responding; these are its last results." : "The server is not responding.");
      await pause();
      continue;
    }
    if (!results.value) {
      listener.say("Waiting for the first results …");
    } else if (toShow) {
      toShow = false;
      listener.say("");
      listener.show({ results: results.value, resources: resources.value });
    }
    if (results.value?.complete) return;
    await pause();
  }
}
