// Keys, as long as nobody types a text.

type Keys = Record<string, () => void>;

const sets: Keys[] = [];

window.addEventListener("keydown", (e) => {
  const at = e.target as HTMLElement;
  const name = (e.ctrlKey || e.metaKey ? "Control+" : "") + e.key;
  if (e.altKey || at.closest("dialog[open]") || (at.closest("input, textarea, select") && !name.startsWith("Control+"))) return;
  if (e.key === " " && at.closest("button, a, summary")) return;
  for (const keys of sets.toReversed()) {
    const does = keys[name] ?? (name === e.key ? keys[name.toLowerCase()] : undefined);
    if (does) {
      e.preventDefault();
      does();
      return;
    }
  }
});

/** onKeys has keys do something, until what it returns is called. */
export function onKeys(keys: Keys): () => void {
  sets.push(keys);
  return () => void sets.splice(sets.indexOf(keys), 1);
}

/** perform does what a key does. */
export function perform(key: string): void {
  const name = key === "Space" ? " " : key;
  for (const keys of sets.toReversed()) {
    const does = keys[name] ?? keys[name.toLowerCase()];
    if (does) return does();
  }
}

/** help is what keys do, for people: together, and one by one where the palette offers it in a run. */
export const help: { keys: string; says: string; single?: string[] }[] = [
  { keys: "W S", says: "zoom the timeline in and out", single: ["Timeline: zoom in", "Timeline: zoom out"] },
  { keys: "A D", says: "move the timeline", single: ["Timeline: move left", "Timeline: move right"] },
  { keys: "F", says: "show the focus in the middle of the timeline", single: ["Timeline: show the focus"] },
  { keys: ". ,", says: "next and previous event", single: ["Next event", "Previous event"] },
  { keys: "> <", says: "next and previous line", single: ["Next line", "Previous line"] },
  { keys: "] [", says: "next and previous instruction", single: ["Next instruction", "Previous instruction"] },
  { keys: "Space", says: "play, or stop", single: ["Play, or stop"] },
  { keys: "B", says: "play backwards", single: ["Play backwards"] },
  { keys: "E", says: "go to where the run goes wrong", single: ["Go to where the run goes wrong"] },
  { keys: "H", says: "back to the first view" },
  { keys: "Ctrl+K :", says: "commands" },
  { keys: "?", says: "this list" },
];
