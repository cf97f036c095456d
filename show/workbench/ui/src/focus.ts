// The focus: what all panes show. It is the address of the page, so that a link shows a colleague the same.
import { signal } from "@preact/signals";

const names = ["job", "finding", "run", "path", "mote", "at", "file", "line"] as const;

export type Focus = Record<(typeof names)[number], string>;

function read(address = location.search): Focus {
  const q = new URLSearchParams(address);
  return Object.fromEntries(names.map((n) => [n, q.get(n) ?? ""])) as Focus;
}

export const focus = signal<Focus>(read());

window.addEventListener("popstate", () => {
  focus.value = read();
});

const addressOf = (f: Focus): string => {
  const q = new URLSearchParams(names.filter((n) => f[n] !== "").map((n) => [n, f[n]]));
  return q.size ? "?" + q.toString() : location.pathname;
};

/** go changes the focus. What replaces leaves no step for the browser's back button. */
export function go(change: Partial<Focus>, replaces = false): void {
  const next = { ...focus.value, ...change };
  if (names.every((n) => next[n] === focus.value[n])) return;
  focus.value = next;
  if (replaces) history.replaceState(null, "", addressOf(next));
  else history.pushState(null, "", addressOf(next));
}

/** goTo turns to an address that was kept. */
export const goTo = (address: string): void => go(read(address));

/** nowhere is the first view. */
export const nowhere: Focus = { job: "", finding: "", run: "", path: "", mote: "", at: "", file: "", line: "" };
