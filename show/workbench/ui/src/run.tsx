// A run: the timeline above, and below it the source, the network and the mote at the focus.
import { useEffect } from "preact/hooks";
import { said } from "./api";
import type { Found, Opened } from "./documents";
import { focus, go } from "./focus";
import { onKeys } from "./keys";
import { momentAt, position, spoken } from "./moments";
import { Explore } from "./explore";
import { MotePane } from "./mote";
import { Network } from "./network";
import { Source } from "./source";
import { Timeline } from "./timeline";
import { ask, busy, play, playing, recorded, run, speed, state, step, wrong } from "./travel";

async function toFinding(): Promise<void> {
  try {
    const f = await ask<Found>("finding");
    if (f.stop) go({ at: f.stop.at, mote: String(f.stop.mote), file: "", line: "" });
    wrong.value = f.stop ? "" : f.says;
  } catch (e) {
    wrong.value = said(e);
  }
}

const speeds = [0.001, 0.01, 0.1, 1, 10];

function Controls({ r }: { r: Opened }) {
  const first = position(r.first);
  const last = position(r.last);
  return (
    <div class="controls" role="toolbar" aria-label="Travel">
      <button type="button" title="previous event (,)" aria-label="previous event" onClick={() => void step("event", true)}>|◀</button>
      <button type="button" title="play backwards (B)" aria-label="play backwards" aria-pressed={playing.value < 0} onClick={() => play(-1)}>◀◀</button>
      <button type="button" title="play (Space)" aria-label="play" aria-pressed={playing.value > 0} onClick={() => play(1)}>{playing.value > 0 ? "❚❚" : "▶"}</button>
      <button type="button" title="next event (.)" aria-label="next event" onClick={() => void step("event", false)}>▶|</button>
      {r.explored ? null : (
        <select aria-label="speed" value={String(speed.value)} onChange={(e) => (speed.value = Number(e.currentTarget.value))}>
          {speeds.map((s) => <option key={s} value={String(s)}>{s < 1 ? "1/" + 1 / s : s + "×"}</option>)}
        </select>
      )}
      <button type="button" title="previous line (<)" onClick={() => void step("line", true)}>line ◀</button>
      <button type="button" title="next line (>)" onClick={() => void step("line", false)}>line ▶</button>
      <input type="range" aria-label="moment" min={first} max={last} step={r.explored ? 1 : "any"} value={r.explored ? Math.floor(position(focus.value.at)) : position(focus.value.at)}
        onInput={(e) => go({ at: momentAt(Number(e.currentTarget.value), r.explored), file: "", line: "" }, true)} />
      <button type="button" class="finding-button" title="where the run goes wrong (E)" onClick={() => void toFinding()}>where it goes wrong</button>
    </div>
  );
}

export function RunView() {
  const r = run.value;
  useEffect(() => onKeys({
    ".": () => void step("event", false),
    ",": () => void step("event", true),
    ">": () => void step("line", false),
    "<": () => void step("line", true),
    "]": () => void step("instruction", false),
    "[": () => void step("instruction", true),
    " ": () => play(1),
    b: () => play(-1),
    e: () => { if (run.peek()) void toFinding(); },
  }), []);
  if (!r) return <main>{wrong.value ? <p class="wrong" role="alert">{wrong.value}</p> : <p class="empty">Opening the run …</p>}</main>;
  return (
    <main class="run" data-whole={recorded.value?.whole ?? false}>
      {r.found ? <p class="verdict bad">{r.found}</p> : null}
      <Controls r={r} />
      <p class="moment" role="status" data-busy={busy.value}>
        <b>{state.value?.says ?? ""}</b> {state.value?.motes.find((m) => String(m.id) === focus.value.mote)?.place.text ?? ""}
        {wrong.value ? <span class="wrong"> {wrong.value}</span> : null}
        {recorded.value && !recorded.value.whole ? <span class="dim"> · recorded up to {spoken(position(recorded.value.until))} of {spoken(position(r.last))}: further on, a jump takes longer</span> : null}
      </p>
      <Timeline run={r} />
      <div class="panes">
        <Source run={r} />
        <div class="side">
          {r.explored ? <Explore run={r} /> : null}
          {r.motes.length > 1 ? <Network run={r} /> : null}
          <MotePane />
          {r.motes.length > 1 ? null : <Network run={r} />}
        </div>
      </div>
    </main>
  );
}
