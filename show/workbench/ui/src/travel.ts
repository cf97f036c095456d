// The run that is open, and what it looks like at the focus.
import { batch, effect, signal } from "@preact/signals";
import { get, gone, post, said } from "./api";
import type { Arrived, Found, Opened, Recorded, State, Store } from "./documents";
import { focus, go } from "./focus";
import { momentAt, position } from "./moments";

export const run = signal<Opened | null>(null);
export const state = signal<State | null>(null);
export const recorded = signal<Recorded | null>(null); // how much of the run there is
export const wrong = signal("");
export const busy = signal(false);
export const playing = signal(0); // 1 forwards, -1 backwards
export const speed = signal(1);
export const wrote = signal<{ variable: string; store?: Store; error?: string } | null>(null);

const quietly = (e: unknown): void => {
  if (!gone(e)) wrong.value = said(e);
};

/** open opens a run and turns to it: to where it goes wrong, or to its end. */
export async function open(request: Record<string, unknown>, where: "finding" | "last" = "finding"): Promise<void> {
  const opened = await post<Opened>("runs", request);
  batch(() => {
    taken = "";
    run.value = opened;
    go({ run: opened.id, path: "", mote: where === "last" ? String(opened.motes[0]?.id ?? 0) : "", at: where === "last" ? opened.last : "", file: "", line: "" });
  });
}

/** ask asks something in the run that is open, on the path that is taken. */
export function ask<T>(what: string, query: Record<string, string> = {}, signal?: AbortSignal): Promise<T> {
  const { run: id, path } = focus.peek();
  return get<T>("runs/" + encodeURIComponent(id) + (what ? "/" + what : ""), path ? { path, ...query } : query, signal);
}

let taken = ""; // the path of the run that is open

// The run of the address.
effect(() => {
  const { run: id, path } = focus.value;
  if (!id) {
    run.value = null;
    return;
  }
  if (run.peek()?.id === id && taken === path) return;
  run.value = null;
  state.value = null;
  wrong.value = "";
  ask<Opened>("").then((r) => {
    if (focus.peek().path !== path || focus.peek().run !== id) return;
    taken = path;
    run.value = r;
  }, quietly);
});

// How much of it is recorded, while that goes on in the background.
effect(() => {
  const id = run.value?.id;
  recorded.value = null;
  if (!id) return;
  let timer = 0;
  const look = (): void => void ask<Recorded>("recorded").then((r) => {
    if (run.peek()?.id !== id) return;
    recorded.value = r;
    if (!r.whole) timer = setTimeout(look, 500);
  }, quietly);
  look();
  return () => clearTimeout(timer);
});

/** take takes another path, up to its end. */
export async function take(path: string): Promise<void> {
  busy.value = true;
  try {
    const r = await get<Opened>("runs/" + encodeURIComponent(focus.peek().run), { path });
    batch(() => {
      taken = path;
      run.value = r;
      const mote = r.events?.at(-1)?.mote ?? -1;
      go({ path, at: r.last, file: "", line: "", ...(mote >= 0 ? { mote: String(mote) } : {}) });
    });
    wrong.value = "";
  } catch (e) {
    quietly(e);
  }
  busy.value = false;
}

// Where to begin: where it goes wrong, or at the start.
effect(() => {
  const r = run.value;
  if (!r || r.id !== focus.value.run || focus.value.at) return;
  const start = { at: r.first, mote: String(r.motes[0]?.id ?? 0) };
  if (!r.found) {
    go(start, true);
    return;
  }
  ask<Found>("finding").then((f) => go(f.stop ? { at: f.stop.at, mote: String(f.stop.mote) } : start, true), quietly);
});

let asked = new AbortController();

// What it looks like there.
effect(() => {
  const { run: id, at, mote, path } = focus.value;
  if (!id || !at || run.value?.id !== id || taken !== path) return;
  asked.abort();
  asked = new AbortController();
  busy.value = true;
  ask<State>("state", { at, mote }, asked.signal).then((s) => {
    batch(() => {
      state.value = s;
      busy.value = false;
      wrong.value = "";
    });
    if (playing.peek()) setTimeout(advance, run.peek()?.explored ? 400 : 60);
  }, (e: unknown) => {
    if (!gone(e)) busy.value = false;
    quietly(e);
  });
});

let last = 0; // when it went on by itself

/** play begins to go on by itself, or ends that. */
export function play(direction: number): void {
  playing.value = playing.value === direction ? 0 : direction;
  last = performance.now();
  if (playing.value) setTimeout(advance, 60);
}

async function advance(): Promise<void> {
  const r = run.peek();
  if (!r || !playing.peek()) return;
  if (r.explored) {
    await step("event", playing.peek() < 0);
    return;
  }
  const now = performance.now();
  const to = position(focus.peek().at) + (playing.peek() * speed.peek() * (now - last)) / 1000;
  last = now;
  const end = position(r.last);
  if (playing.peek() < 0 ? to <= 0 : to >= end) playing.value = 0;
  go({ at: momentAt(Math.min(Math.max(to, 0), end), false) }, true);
}

async function arrive(what: string, query: Record<string, string>): Promise<void> {
  const { run: id, at, mote } = focus.peek();
  if (!id || !at) return;
  busy.value = true;
  try {
    const a = await ask<Arrived>(what, { at, mote, ...query });
    if (a.end) playing.value = 0;
    go({ at: a.at, mote: String(a.mote), file: "", line: "" }, playing.peek() !== 0);
    wrong.value = a.end ? "There is none on this side: this is the end of the run." : "";
  } catch (e) {
    quietly(e);
  }
  busy.value = false;
}

export const step = (by: string, back: boolean): Promise<void> => arrive("step", { by, back: String(back) });
export const toLine = (file: string, line: number, back: boolean): Promise<void> => arrive("ran", { file, line: String(line), back: String(back) });

/** whoWrote asks who wrote a variable last. */
export async function whoWrote(variable: string): Promise<void> {
  const { at, mote } = focus.peek();
  wrote.value = { variable };
  try {
    wrote.value = { variable, store: await ask<Store>("wrote", { at, mote, variable }) };
  } catch (e) {
    wrote.value = { variable, error: said(e) };
  }
}

// Whoever goes elsewhere has another question.
effect(() => {
  void focus.value.run;
  wrote.value = null;
});
