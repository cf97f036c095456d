// The network: who hears whom, who is lit, who sends what to whom, what went wrong, and what it took from batteries.
import type { Flight, JourneyMote, MoteState, Opened } from "./documents";
import { focus, go } from "./focus";
import { state, step } from "./travel";

interface Spot {
  x: number;
  y: number;
}

const wide = 420;
const highest = 250;

const heightOf = (run: Opened): number => (run.motes.length < 3 ? 96 : highest);

/** layOut places motes so that those who hear each other are near: springs, from a circle, the same for the same network. */
function layOut(run: Opened): Map<number, Spot> {
  const n = run.motes.length;
  const high = heightOf(run);
  const spots = run.motes.map((_, i): Spot => ({ x: -Math.cos((i / n) * 2 * Math.PI), y: -Math.sin((i / n) * 2 * Math.PI) }));
  const index = new Map(run.motes.map((m, i) => [m.id, i]));
  const pairs = new Set(run.links.map((l) => [index.get(l.from) ?? 0, index.get(l.to) ?? 0].sort((a, b) => a - b).join()));
  if (n > 2 && n <= 300) {
    for (let round = 0; round < 150; round++) {
      const cool = 0.08 * (1 - round / 150);
      for (let i = 0; i < n; i++) {
        for (let j = i + 1; j < n; j++) {
          const a = spots[i] as Spot;
          const b = spots[j] as Spot;
          const dx = b.x - a.x;
          const dy = b.y - a.y;
          const far = Math.hypot(dx, dy) || 0.01;
          const pull = (pairs.has(i + "," + j) ? far - 0.6 : 0) - 0.25 / (far * far);
          const by = (cool * Math.max(-1, Math.min(1, pull))) / far;
          a.x += dx * by;
          a.y += dy * by;
          b.x -= dx * by;
          b.y -= dy * by;
        }
      }
    }
  }
  const xs = spots.map((s) => s.x);
  const ys = spots.map((s) => s.y);
  const fit = (v: number, all: number[], size: number, pad: number): number => {
    const low = Math.min(...all);
    const span = Math.max(...all) - low;
    return span < 0.01 ? size / 2 : pad + ((v - low) / span) * (size - 2 * pad);
  };
  return new Map(run.motes.map((m, i) => [m.id, { x: fit((spots[i] as Spot).x, xs, wide, 56), y: fit((spots[i] as Spot).y, ys, high, 44) }]));
}

const known = new WeakMap<Opened, Map<number, Spot>>();

function spotsOf(run: Opened): Map<number, Spot> {
  let s = known.get(run);
  if (!s) known.set(run, (s = layOut(run)));
  return s;
}

const hue = (name: string): string => (/red|d13/i.test(name) ? "red" : /green/i.test(name) ? "green" : /yellow/i.test(name) ? "yellow" : "blue");

function Mote({ mote, at, now, chosen }: { mote: JourneyMote; at: Spot; now: MoteState | undefined; chosen: boolean }) {
  const sends = now?.radio === "transmit";
  const choose = (): void => go({ mote: String(mote.id), file: "", line: "" });
  return (
    <g
      class={"mote" + (chosen ? " chosen" : "") + (sends ? " sends" : "") + (now?.state === "off" ? " off" : "")}
      transform={"translate(" + at.x + " " + at.y + ")"}
      role="button"
      tabIndex={0}
      aria-label={"mote " + mote.id + ": " + (now?.state ?? "")}
      onClick={choose}
      onKeyDown={(e) => { if (e.key === "Enter") choose(); }}
    >
      {sends ? <circle class="wave" r="30" /> : null}
      <rect x="-24" y="-19" width="48" height="38" rx="9" />
      <text y="-1" text-anchor="middle">{mote.id}</text>
      {mote.leds.map((name, i) => (
        <circle key={name} class={"led " + hue(name) + ((now?.leds ?? 0) >> i & 1 ? " lit" : "")} cx={(i - (mote.leds.length - 1) / 2) * 11} cy="9.5" r="3.6">
          <title>{name}</title>
        </circle>
      ))}
    </g>
  );
}

/** Frame is one on the air, on its way to somebody who hears the sender: how much of it is sent is how far it has come. */
function Frame({ flight, to, a, b }: { flight: Flight; to: number; a: Spot; b: Spot }) {
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const part = 30 / far + (1 - 60 / far) * (flight.sent / Math.max(flight.bytes, 1));
  const lost = !flight.heard.includes(to);
  return (
    <g class={"frame" + (lost ? " lost" : "")} transform={"translate(" + (a.x + (b.x - a.x) * part) + " " + (a.y + (b.y - a.y) * part) + ")"}>
      <title>{flight.sent + " of " + flight.bytes + " bytes of a frame of mote " + flight.from + ": mote " + to + (lost ? " will not hear all of it" : " hears it")}</title>
      {lost ? <path d="M-5-5 5 5M5-5-5 5" /> : <rect x="-6" y="-4.5" width="12" height="9" rx="2" />}
    </g>
  );
}

/** Happening is what is on the air, and what went wrong, in words. */
function Happening() {
  const s = state.value;
  if (!s) return null;
  const heard = (f: Flight): string => (f.heard.length ? "mote" + (f.heard.length > 1 ? "s " : " ") + f.heard.join(", ") + " will have heard it" : "nobody will have heard all of it");
  return (
    <>
      {s.flying.map((f) => <p key={f.from} class="flight">Mote {f.from} sends a frame: {f.sent} of {f.bytes} bytes; {heard(f)}.</p>)}
      {s.faults.length ? <p class="faults">Faults: {s.faults.map((f) => f.title + " (" + f.used + " of " + f.max + ")").join(", ")}</p> : null}
    </>
  );
}

/** spotOf is where a mote is, without the folders of the file. */
const spotOf = (m: MoteState): string => (m.place.file && m.place.function ? m.place.function + " at " + (m.place.file.split("/").at(-1) ?? "") + ":" + (m.place.line ?? "") : m.place.text);

const millijoules = (n: number): string => (n < 10 ? n.toFixed(2) : n < 1000 ? n.toFixed(1) : Math.round(n).toLocaleString("en"));

export function Network({ run }: { run: Opened }) {
  const spots = spotsOf(run);
  const now = new Map((state.value?.motes ?? []).map((m) => [m.id, m]));
  const seen = new Set<string>();
  const flying = state.value?.flying ?? [];
  const weighed = (state.value?.motes ?? []).some((m) => m.energy_mj !== undefined);
  return (
    <section class="network" aria-label="Network">
      <h2>
        Network{" "}
        {run.explored ? null : (
          <span class="buttons">
            <button type="button" class="small" onClick={() => void step("frame", true)}>◀ frame</button>
            <button type="button" class="small" onClick={() => void step("frame", false)}>frame ▶</button>
          </span>
        )}
      </h2>
      <svg viewBox={"0 0 " + wide + " " + heightOf(run)} class="map">
        {run.links.map((l) => {
          const a = spots.get(l.from);
          const b = spots.get(l.to);
          const sends = now.get(l.from)?.radio === "transmit";
          const pair = Math.min(l.from, l.to) + "," + Math.max(l.from, l.to);
          if (!a || !b || (seen.has(pair) && !sends)) return null;
          seen.add(pair);
          return <line key={l.from + "-" + l.to} class={"link" + (sends ? " busy" : "") + ((l.loss ?? 0) > 0 ? " lossy" : "")} x1={a.x} y1={a.y} x2={b.x} y2={b.y} />;
        })}
        {flying.flatMap((f) => run.links.filter((l) => l.from === f.from).map((l) => {
          const a = spots.get(l.from);
          const b = spots.get(l.to);
          return a && b ? <Frame key={l.from + "-" + l.to} flight={f} to={l.to} a={a} b={b} /> : null;
        }))}
        {run.motes.map((m) => (
          <Mote key={m.id} mote={m} at={spots.get(m.id) as Spot} now={now.get(m.id)} chosen={String(m.id) === focus.value.mote} />
        ))}
      </svg>
      <Happening />
      <div class="scroll" tabIndex={0}><table class="motes">
        <thead>
          <tr><th>mote</th><th>does</th><th>radio</th><th class="n">sent</th><th class="n">heard</th>{weighed ? <th class="n" title="what CPU and radio took from the supply until now">mJ</th> : null}</tr>
        </thead>
        <tbody>
          {(state.value?.motes ?? []).map((m) => (
            <tr key={m.id} aria-selected={String(m.id) === focus.value.mote} onClick={() => go({ mote: String(m.id), file: "", line: "" })}>
              <td>{m.id}</td>
              <td title={m.place.text}>{m.state === "running" ? spotOf(m) : m.state}</td>
              <td>{m.radio ?? ""}</td>
              <td class="n">{m.frames_sent}</td>
              <td class="n">{m.frames_received}</td>
              {weighed ? <td class="n">{m.energy_mj === undefined ? "" : millijoules(m.energy_mj)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table></div>
    </section>
  );
}
