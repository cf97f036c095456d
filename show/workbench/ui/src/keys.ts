// Keys, as long as nobody types a text.

type Keys = Record<string, () => void>;

const sets: Keys[] = [];

window.addEventListener("keydown", (e) => {
  const at = e.target as HTMLElement;
  if (e.ctrlKey || e.metaKey || e.altKey || at.closest("input, textarea, select, dialog[open]")) return;
  if (e.key === " " && at.closest("button, a, summary")) return;
  for (const keys of sets.toReversed()) {
    const does = keys[e.key] ?? keys[e.key.toLowerCase()];
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

/** help is what keys do, for people. */
export const help: [string, string][] = [
  ["W S", "zoom the timeline in and out"],
  ["A D", "move the timeline"],
  ["F", "show the focus in the middle of the timeline"],
  [". ,", "next and previous event"],
  ["> <", "next and previous line"],
  ["] [", "next and previous instruction"],
  ["Space", "play, or stop"],
  ["B", "play backwards"],
  ["E", "go to where the run goes wrong"],
  ["H", "back to the first view"],
  ["?", "this list"],
];
