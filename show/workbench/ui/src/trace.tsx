// What a mote in the field has recorded: its paths, with what repeats folded, and the lines that they lead through.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Decoded, TraceLine } from "./documents";

/** Piece is lines that come several times in a row. */
interface Piece {
  from: number;
  lines: TraceLine[];
  times: number;
}

const alike = (a: TraceLine | undefined, b: TraceLine | undefined): boolean =>
  a !== undefined && b !== undefined && a.kind === b.kind && a.name === b.name && a.path === b.path && a.depth === b.depth && a.boot === b.boot && a.count === b.count && a.kind !== "reset";

const longest = 16; // lines of a piece that is folded

/** folded puts together what repeats: the shortest piece that comes again right after itself. None begins with the end of a procedure. */
function folded(lines: TraceLine[]): Piece[] {
  const all: Piece[] = [];
  for (let at = 0; at < lines.length; ) {
    let size = 1;
    let times = 1;
    for (let n = 1; n <= (lines[at]?.kind === "leave" ? 1 : longest); n++) {
      let same = 0;
      while (alike(lines[at + same], lines[at + same + n])) same++;
      if (same >= n) {
        size = n;
        times = 1 + Math.floor(same / n);
        break;
      }
    }
    all.push({ from: at, lines: lines.slice(at, at + size), times });
    at += size * times;
  }
  return all;
}

/** spans are the lines of a file that a path leads through: link.c:31,34,36-39. */
function spans(text: string): { file: string; lines: Set<number>; first: number }[] {
  return text.split(" ").filter((t) => /^[^:]+:[\d,-]+$/.test(t)).map((t) => {
    const at = t.lastIndexOf(":");
    const lines = new Set<number>();
    for (const s of t.slice(at + 1).split(",")) {
      const [a, b] = s.split("-").map(Number);
      for (let n = a ?? 0; n <= (b ?? a ?? 0) && lines.size < 10000; n++) lines.add(n);
    }
    return { file: t.slice(0, at), lines, first: Math.min(...lines) };
  });
}

const odd: Record<string, string> = { lost: "events were lost by the mote", reset: "the mote was reset", fault: "a fault", missing: "pages are missing", torn: "a page is torn", broken: "a page is broken", endless: "the rest is left out" };

function Line({ l, chosen, choose }: { l: TraceLine; chosen: boolean; choose: () => void }) {
  const at = { paddingLeft: 8 + 16 * l.depth + "px" };
  if (odd[l.kind]) return <td class="odd" style={at}>{odd[l.kind]}{l.kind === "reset" ? ": boot " + l.boot : ""}{l.count > 1 ? ", " + l.count.toLocaleString("en") : ""}</td>;
  const name = l.kind === "enter" ? l.name + " {" : l.kind === "leave" ? "} " + l.name : l.kind === "path" ? "… " + l.name : l.name;
  return (
    <td style={at}>
      {name}{l.count > 1 ? " (" + l.count.toLocaleString("en") + " times)" : ""}{" "}
      {l.lines ? <button type="button" class="link lines" aria-pressed={chosen} onClick={choose}>{l.lines}</button> : null}
    </td>
  );
}

function Code({ data, line }: { data: Decoded; line: TraceLine }) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = useSignal(0);
  const ways = spans(line.lines ?? "");
  const way = ways[chosen.value] ?? ways[0];
  const path = way && (data.files[line.name ?? ""] ?? []).find((f) => f.split("/").at(-1) === way.file);
  const source = data.sources.find((s) => s.file === path);
  useLayoutEffect(() => {
    const row = box.current?.querySelector<HTMLElement>("tr.path");
    if (box.current && row) box.current.scrollTop = row.offsetTop - box.current.clientHeight / 4;
  }, [line, chosen.value]);
  if (!way) return <p class="empty">Nothing is known of its lines: give the trace map.</p>;
  return (
    <>
      <h2>{line.name}</h2>
      <nav aria-label="files">{ways.map((w, i) => <button type="button" key={i} aria-pressed={w === way} onClick={() => (chosen.value = i)}>{w.file}:{w.first}</button>)}</nav>
      {source?.lines.length ? (
        <div class="source" ref={box} tabIndex={0}>
          <table><tbody>{source.lines.map((t, i) => <tr key={i} data-line={i + 1} class={way.lines.has(i + 1) ? "path" : undefined}><td class="no">{i + 1}</td><td class="text">{t}</td></tr>)}</tbody></table>
        </div>
      ) : <p class="empty">{path ?? way.file}: {source?.note ?? "not found"}.</p>}
    </>
  );
}

const shown = 2000;

export function Trace({ data }: { data: Decoded }) {
  const pieces = useSignal(folded(data.lines));
  const chosen = useSignal(-1);
  const all = useSignal(false);
  const s = data.stats;
  // The end is what one looks for first: what the mote did before it was reset.
  const rows = all.value ? pieces.value : pieces.value.slice(-shown);
  const line = data.lines[chosen.value];
  const last = data.lines.findLastIndex((l) => l.kind === "reset" && l.boot > 0);
  return (
    <div class="trace">
      <section aria-label="Trace">
        <h2>What the mote recorded</h2>
        <p class="dim">{s.events.toLocaleString("en")} events in {s.pages} pages, {s.boots} {s.boots === 1 ? "boot" : "boots"}, {s.time_s.toFixed(1)} s{s.gaps ? "; " + s.gaps + " gaps, " + s.lost.toLocaleString("en") + " events lost by the mote" : ""}. What repeats is folded.</p>
        {last > 0 ? <p class="buttons"><button type="button" onClick={() => document.querySelector('.trace tr[data-from="' + last + '"]')?.scrollIntoView({ block: "center" })}>Go to the last reset</button></p> : null}
        {data.left || rows.length < pieces.value.length ? <p class="empty">{data.left ? data.left.toLocaleString("en") + " lines before these are left out. " : ""}{rows.length < pieces.value.length ? <button type="button" class="small" onClick={() => (all.value = true)}>show all {pieces.value.length.toLocaleString("en")} rows</button> : null}</p> : null}
        <div class="scroll" tabIndex={0}>
          <table class="lines">
            <tbody>
              {rows.flatMap((p) => p.lines.map((l, i) => (
                <tr key={p.from + i} data-from={p.from + i} class={(p.times > 1 ? "again" : "") + (l.kind === "reset" ? " reset" : "")}>
                  <td class="n">{i === 0 && p.times > 1 ? <b>{p.times.toLocaleString("en")} ×</b> : null}</td>
                  <td class="n dim">{i === 0 ? l.time_s.toFixed(3) + " s" : ""}</td>
                  <Line l={l} chosen={chosen.value === p.from + i} choose={() => (chosen.value = p.from + i)} />
                </tr>
              )))}
            </tbody>
          </table>
        </div>
        <details>
          <summary>Procedures, by how often they ran</summary>
          <table>
            <thead><tr><th>procedure</th><th class="n">calls</th><th class="n">rounds</th><th class="n">paths</th><th>most often</th></tr></thead>
            <tbody>{s.procedures.map((p) => <tr key={p.proc}><td>{p.name}</td><td class="n">{p.calls.toLocaleString("en")}</td><td class="n">{p.rounds.toLocaleString("en")}</td><td class="n">{p.paths}</td><td>{p.lines}</td></tr>)}</tbody>
          </table>
        </details>
      </section>
      <section class="path-code" aria-label="Source">{line ? <Code data={data} line={line} /> : <p class="empty">Choose the lines of a path to see them.</p>}</section>
    </div>
  );
}
