// What can happen next, at any moment of a run of events: choose it, or let it run on. The path is in the address.
import { useSignal, useSignalEffect } from "@preact/signals";
import { gone, said } from "./api";
import type { Choice, Choices, Opened } from "./documents";
import { focus } from "./focus";
import { ask, step, take } from "./travel";

const glyph: Record<string, string> = { interrupt: "⚡", task: "▸", frame: "≈", fault: "✕", input: "↓" };

function Row({ c }: { c: Choice }) {
  return (
    <li>
      <button type="button" class={"choice" + (c.fault ? " fault" : "")} data-kind={c.kind} onClick={() => void take(c.path)}>
        <span aria-hidden="true">{glyph[c.kind] ?? "•"}</span> <b>{c.mote >= 0 ? "mote " + c.mote : "network"}</b> {c.title}
        {c.natural ? <i>due first</i> : null}
      </button>
    </li>
  );
}

export function Explore({ run }: { run: Opened }) {
  const now = useSignal<Choices | null>(null);
  const error = useSignal("");
  useSignalEffect(() => {
    const { at } = focus.value;
    if (!at || focus.value.run !== run.id) return;
    const asked = new AbortController();
    ask<Choices>("choices", { at }, asked.signal).then((c) => {
      now.value = c;
      error.value = "";
    }, (e: unknown) => {
      if (!gone(e)) error.value = said(e);
    });
    return () => asked.abort();
  });
  const c = now.value;
  const number = c ? Number(c.at.slice(1)) : 1;
  const before = run.events?.[number - 2];
  const inside = c?.choices.filter((x) => x.inside) ?? [];
  return (
    <section class="explore" aria-label="Explore">
      <h2>What can happen next</h2>
      {error.value ? <p class="wrong">{error.value}</p> : null}
      <p class="buttons">
        <button type="button" disabled={number < 2} onClick={() => void step("event", true)}>◀ back</button>
        {[1, 10, 100].map((n) => <button type="button" key={n} title={"in the natural order: " + (n === 1 ? "the event that is due first" : n + " events")} disabled={!c} onClick={() => void take(c?.path + ".n" + n)}>run on {n}</button>)}
      </p>
      <p class="dim">{before ? <>After event {number - 1}: {before.title}{before.mote >= 0 ? " of mote " + before.mote : ""}.</> : "At the start."}{" "}
        {run.events && number <= run.events.length ? "The path goes on with " + (run.events[number - 1]?.title ?? "") + "; another choice leaves it here." : ""}</p>
      {before?.broken.length ? <p class="verdict bad" role="status">It broke: {before.broken.join("; ")}</p> : null}
      {c?.goals.length ? <ul class="goals">{c.goals.map((g, i) => <li key={i} class={g.holds ? "holds" : ""}>{g.holds ? "✓" : "○"} {g.name}{g.mote >= 0 ? ", mote " + g.mote : ""}: {g.holds ? "holds" : "not yet"}</li>)}</ul> : null}
      {c && !c.choices.length ? <p class="empty">Nothing: no event is enabled any more.</p> : null}
      <ul class="choices">{c?.choices.filter((x) => !x.inside).map((x) => <Row key={x.path} c={x} />)}</ul>
      {inside.length ? <details><summary>Interrupts in the middle of something: {inside.length}</summary><ul class="choices">{inside.map((x) => <Row key={x.path} c={x} />)}</ul></details> : null}
      {c?.more ? <p class="empty">… and {c.more} more</p> : null}
    </section>
  );
}
