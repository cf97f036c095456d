// The timeline: a lane for each kind of thing on each mote. A canvas, since there may be a million of them; what is too dense to be told apart is counted by the server.
import { useEffect, useRef } from "preact/hooks";
import { gone, said } from "./api";
import type { Calls, Opened, Timeline as Stretch, TimelineLane } from "./documents";
import { focus, go } from "./focus";
import { onKeys } from "./keys";
import { momentAt, position, spoken } from "./moments";
import { ask, recorded, wrong } from "./travel";

const labels = 132;
const axis = 22;
const laneHeight = 17;
const moteGap = 7;

interface View {
  from: number;
  to: number;
}

interface Row {
  mote: number;
  lane: number;
  kind: string;
  y: number;
}

const callHeight = 13;
const callsAcross = 0.05; // in seconds: how much is in view, at most, when calls are shown

const hues: Record<string, string> = { interrupts: "--own", tasks: "--other", loop: "--other", frames: "--good", events: "--own" };

/** Chart draws a timeline on a canvas, and asks for what it needs. */
class Chart {
  view: View;
  private data: (View & { stretch: Stretch; known: number }) | null = null; // known is up to where the run was recorded then
  private asked: AbortController | null = null;
  private calls: (View & { mote: string; list: Calls }) | null = null;
  private askedCalls: AbortController | null = null;
  private callsAt = 0; // the top of their rows
  private frame = 0;
  private colours: Record<string, string> = {};
  private rows: Row[] = [];
  private width = 0;
  private readonly end: number;
  private readonly start: number;

  constructor(private readonly canvas: HTMLCanvasElement, private readonly run: Opened) {
    this.start = position(run.first);
    this.end = Math.max(position(run.last), this.start + (run.explored ? 1 : 1e-6)); // a path may have no event yet
    const here = position(focus.peek().at);
    const wide = run.explored ? 40 : Math.min(10, 40 / run.motes.length);
    this.view = this.clipped(here - wide / 2, here + wide / 2);
    this.readColours();
  }

  readColours(): void {
    const style = getComputedStyle(document.documentElement);
    for (const name of ["--fg", "--dim", "--line", "--card", "--bg", "--accent", "--own", "--other", "--good", "--bad", "--pick"]) this.colours[name] = style.getPropertyValue(name).trim();
    this.draw();
  }

  private colour(name: string): string {
    return this.colours[name] ?? "#888";
  }

  private clipped(from: number, to: number): View {
    const least = this.run.explored ? 2 : 2e-6;
    const wide = Math.min(Math.max(to - from, least), this.end - this.start);
    const middle = (from + to) / 2;
    const begin = Math.min(Math.max(middle - wide / 2, this.start), this.end - wide);
    return { from: begin, to: begin + wide };
  }

  show(from: number, to: number): void {
    this.view = this.clipped(from, to);
    this.draw();
    this.want();
    this.wantCalls();
  }

  zoom(by: number, around = (this.view.from + this.view.to) / 2): void {
    this.show(around - (around - this.view.from) * by, around + (this.view.to - around) * by);
  }

  pan(part: number): void {
    const by = (this.view.to - this.view.from) * part;
    this.show(this.view.from + by, this.view.to + by);
  }

  /** reveal has the focus in view. */
  reveal(centre: boolean): void {
    const here = position(focus.peek().at);
    const { from, to } = this.view;
    if (centre || here < from || here > to) this.show(here - (to - from) / 2, here + (to - from) / 2);
    else {
      this.draw();
      this.wantCalls();
    }
  }

  /** want asks for a stretch around the view, if what is there is not enough. One request is under way at a time. */
  private want(): void {
    const { from, to } = this.view;
    const wide = to - from;
    const d = this.data;
    if (d && d.from <= from && d.to >= to && d.to - d.from <= 6 * wide && (d.known >= d.to || d.known >= this.known())) return;
    if (this.asked || this.run.first === this.run.last || this.left()) return;
    const more = d && d.from < to && d.to > from ? wide : 0; // whoever jumps wants to see that place first
    const around = { from: Math.max(this.start, from - more), to: Math.min(this.end, to + more) };
    const known = this.known();
    const bins = Math.min(2048, Math.max(64, Math.round(((this.canvas.clientWidth - labels) / 2) * ((around.to - around.from) / wide))));
    const asked = new AbortController();
    this.asked = asked;
    const query = { from: momentAt(around.from, this.run.explored), to: momentAt(Math.ceil(around.to * 1e6) / 1e6 + (this.run.explored ? 0.999 : 0), this.run.explored), bins: String(bins) };
    ask<Stretch>("timeline", query, asked.signal).then((stretch) => {
      this.asked = null;
      this.data = { from: position(stretch.from), to: Math.max(position(stretch.to), Math.min(around.to, this.end)), stretch, known };
      this.layOut(stretch);
      this.draw();
      this.want();
    }, (e: unknown) => {
      this.asked = null;
      if (!gone(e)) wrong.value = said(e);
    });
  }

  /** wantCalls asks for what the mote in focus executes, if so little is in view that it can be seen. */
  private wantCalls(): void {
    const { from, to } = this.view;
    const mote = focus.peek().mote;
    if (this.run.explored || !mote || to - from > callsAcross) {
      if (this.calls) {
        this.calls = null;
        if (this.data) this.layOut(this.data.stretch);
      }
      return;
    }
    const c = this.calls;
    if ((c && c.mote === mote && c.from <= from && c.to >= to) || this.askedCalls || this.left()) return;
    const around = { from: Math.max(this.start, from - (to - from) / 2), to: Math.min(this.end, to + (to - from) / 2) };
    const asked = new AbortController();
    this.askedCalls = asked;
    ask<Calls>("calls", { mote, from: momentAt(around.from, false), to: momentAt(around.to, false) }, asked.signal).then((list) => {
      this.askedCalls = null;
      this.calls = { ...around, mote, list };
      this.canvas.dataset["calls"] = String(list.slices.length);
      if (this.data) this.layOut(this.data.stretch);
      this.draw();
      if (focus.peek().mote !== mote) this.wantCalls();
    }, (e: unknown) => {
      this.askedCalls = null;
      if (!gone(e)) wrong.value = said(e);
    });
  }

  /** left reports whether the page has turned to something else. */
  private left(): boolean {
    return focus.peek().run !== this.run.id;
  }

  /** known is up to where the run is recorded. */
  known(): number {
    const r = recorded.peek();
    return r?.whole || this.run.explored ? Infinity : position(r?.until ?? "");
  }

  begin(): void {
    this.want();
    this.wantCalls();
    this.draw();
  }

  close(): void {
    this.asked?.abort();
    this.askedCalls?.abort();
    cancelAnimationFrame(this.frame);
  }

  private layOut(stretch: Stretch): void {
    let y = axis + moteGap;
    this.rows = [];
    for (const [mote, m] of stretch.motes.entries()) {
      for (const [lane, l] of m.lanes.entries()) {
        this.rows.push({ mote, lane, kind: l.kind, y });
        y += laneHeight;
      }
      if (String(m.id) === this.calls?.mote) {
        this.callsAt = y;
        y += callHeight * (1 + this.calls.list.slices.reduce((n, s) => Math.max(n, s.depth), 0));
      }
      y += moteGap;
    }
    this.canvas.style.height = Math.max(y, 80) + "px";
  }

  x(at: number): number {
    return labels + ((at - this.view.from) / (this.view.to - this.view.from)) * (this.width - labels);
  }

  at(x: number): number {
    return this.view.from + ((x - labels) / (this.width - labels)) * (this.view.to - this.view.from);
  }

  draw(): void {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.paint());
  }

  private paint(): void {
    const c = this.canvas.getContext("2d");
    if (!c) return;
    const ratio = window.devicePixelRatio || 1;
    const width = (this.width = this.canvas.clientWidth);
    const height = this.canvas.clientHeight;
    const box = this.canvas.parentElement;
    const top = box?.scrollTop ?? 0;
    const bottom = top + (box?.clientHeight ?? height);
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.clearRect(0, 0, width, height);
    c.font = "11px system-ui, 'DejaVu Sans', sans-serif";
    c.textBaseline = "middle";
    this.paintAxis(c, width, height);
    const unknown = Math.max(labels, this.x(this.known()));
    if (unknown < width) {
      c.globalAlpha = 0.35;
      c.fillStyle = this.colour("--line");
      c.fillRect(unknown, axis, width - unknown, height);
      c.globalAlpha = 1;
    }
    for (const row of this.rows) if (row.y + laneHeight > top && row.y < bottom) this.paintLane(c, row, width);
    this.paintCalls(c, width);
    this.paintNames(c, height);
    this.paintFocus(c, width, height);
  }

  private paintAxis(c: CanvasRenderingContext2D, width: number, height: number): void {
    const wide = this.view.to - this.view.from;
    let tick = 10 ** Math.floor(Math.log10((wide / (width - labels)) * 110));
    for (const k of [1, 2, 5, 10]) if (((tick * k) / wide) * (width - labels) >= 90) { tick *= k; break; }
    if (this.run.explored) tick = Math.max(1, Math.round(tick));
    c.fillStyle = this.colour("--dim");
    c.strokeStyle = this.colour("--line");
    c.lineWidth = 1;
    for (let n = Math.ceil(this.view.from / tick); n * tick <= this.view.to; n++) {
      const x = Math.round(this.x(n * tick)) + 0.5;
      c.beginPath();
      c.moveTo(x, axis - 4);
      c.lineTo(x, height);
      c.stroke();
      c.fillText(this.run.explored ? "event " + n * tick : spoken(n * tick), x + 3, axis / 2);
    }
  }

  private paintLane(c: CanvasRenderingContext2D, row: Row, width: number): void {
    const l = this.data?.stretch.motes[row.mote]?.lanes[row.lane];
    if (!l || !this.data) return;
    c.fillStyle = this.colour(hues[l.kind] ?? "--own");
    if (l.counts?.length) this.paintCounts(c, row, l.counts, width);
    else this.paintSlices(c, row, l, width);
    c.globalAlpha = 1;
  }

  private paintCounts(c: CanvasRenderingContext2D, row: Row, counts: number[], width: number): void {
    const d = this.data;
    if (!d) return;
    const bin = (position(d.stretch.to) - position(d.stretch.from)) / counts.length;
    const most = counts.reduce((a, b) => Math.max(a, b), 1);
    const first = Math.max(0, Math.floor((this.view.from - d.from) / bin));
    const last = Math.min(counts.length - 1, Math.ceil((this.view.to - d.from) / bin));
    const step = this.x(d.from + bin) - this.x(d.from);
    const start = this.x(d.from);
    for (let i = first; i <= last; i++) {
      const n = counts[i] ?? 0;
      if (!n) continue;
      const x = Math.max(labels, start + i * step);
      const wide = Math.max(1, start + (i + 1) * step - x);
      if (x > width) break;
      const high = 3 + (laneHeight - 6) * (n / most);
      c.globalAlpha = 0.35 + 0.65 * (n / most);
      c.fillRect(x, row.y + laneHeight - 2 - high, wide, high);
    }
  }

  private paintSlices(c: CanvasRenderingContext2D, row: Row, l: TimelineLane, width: number): void {
    for (const s of l.slices) {
      if (s.to_s < this.view.from || s.from_s > this.view.to) continue;
      const x = Math.max(labels, this.x(s.from_s));
      const wide = Math.max(1.5, Math.min(width, this.x(s.to_s)) - x - (this.run.explored ? 1 : 0));
      c.globalAlpha = 0.85;
      c.fillRect(x, row.y + 2, wide, laneHeight - 4);
      if (wide < 34) continue;
      c.globalAlpha = 1;
      c.save();
      c.beginPath();
      c.rect(x, row.y, wide - 3, laneHeight);
      c.clip();
      c.fillStyle = this.colour("--card");
      c.fillText(l.names[s.name] ?? "", x + 4, row.y + laneHeight / 2 + 0.5);
      c.restore();
    }
  }

  private paintCalls(c: CanvasRenderingContext2D, width: number): void {
    const calls = this.calls;
    if (!calls) return;
    for (const s of calls.list.slices) {
      if (s.to_s < this.view.from || s.from_s > this.view.to) continue;
      const x = Math.max(labels, this.x(s.from_s));
      const wide = Math.max(1, Math.min(width, this.x(s.to_s)) - x - 0.5);
      const y = this.callsAt + s.depth * callHeight;
      c.globalAlpha = s.inlined ? 0.45 : 0.8;
      c.fillStyle = this.colour("--accent");
      c.fillRect(x, y, wide, callHeight - 1);
      c.globalAlpha = 1;
      if (wide < 30) continue;
      c.save();
      c.beginPath();
      c.rect(x, y, wide - 3, callHeight);
      c.clip();
      c.fillStyle = this.colour(s.inlined ? "--fg" : "--card");
      c.fillText(calls.list.names[s.name] ?? "", x + 4, y + callHeight / 2);
      c.restore();
    }
  }

  private paintNames(c: CanvasRenderingContext2D, height: number): void {
    c.fillStyle = this.colour("--card");
    c.fillRect(0, 0, labels - 1, height);
    const mine = focus.peek().mote;
    for (const row of this.rows) {
      const id = this.data?.stretch.motes[row.mote]?.id;
      const y = row.y + laneHeight / 2;
      if (String(id) === mine) {
        c.fillStyle = this.colour("--pick");
        c.fillRect(0, row.y, labels - 6, laneHeight);
      }
      if (row.lane === 0) {
        c.fillStyle = this.colour("--fg");
        c.font = "600 11px system-ui, 'DejaVu Sans', sans-serif";
        c.fillText("mote " + id, 6, y);
        c.font = "11px system-ui, 'DejaVu Sans', sans-serif";
      }
      c.fillStyle = this.colour("--dim");
      c.fillText(row.kind, 62, y);
    }
    if (this.calls) c.fillText("calls", 62, this.callsAt + callHeight / 2);
  }

  private paintFocus(c: CanvasRenderingContext2D, width: number, height: number): void {
    const x = Math.round(this.x(position(focus.peek().at))) + 0.5;
    if (x < labels || x > width) return;
    c.strokeStyle = c.fillStyle = this.colour("--bad");
    c.lineWidth = 1.5;
    c.beginPath();
    c.moveTo(x, axis - 6);
    c.lineTo(x, height);
    c.stroke();
    c.beginPath();
    c.moveTo(x - 5, axis - 12);
    c.lineTo(x + 5, axis - 12);
    c.lineTo(x, axis - 4);
    c.fill();
  }

  private callAt(px: number, py: number): { says: string; at: string; mote: string } | null {
    const calls = this.calls;
    const depth = Math.floor((py - this.callsAt) / callHeight);
    if (!calls || px < labels || depth < 0) return null;
    const at = this.at(px);
    const s = calls.list.slices.findLast((x) => x.depth === depth && x.from_s <= at && x.to_s >= at);
    return s ? { says: (calls.list.names[s.name] ?? "") + (s.inlined ? " (inlined)" : "") + "\n" + spoken(s.from_s) + ", for " + spoken(s.to_s - s.from_s), at: s.at, mote: calls.mote } : null;
  }

  /** under is what is at a place of the canvas. */
  under(px: number, py: number): { says: string; at: string; mote: string } | null {
    const call = this.callAt(px, py);
    if (call) return call;
    const row = this.rows.find((r) => py >= r.y && py < r.y + laneHeight);
    const m = row && this.data?.stretch.motes[row.mote];
    const l = row && m?.lanes[row.lane];
    if (!l || !m || px < labels) return null;
    const at = this.at(px);
    const near = ((this.view.to - this.view.from) / this.canvas.clientWidth) * 3;
    const mote = String(m.id);
    const s = l.slices.findLast((s) => s.from_s - near <= at && Math.max(s.to_s, s.from_s) + near >= at);
    if (s) return { says: (l.names[s.name] ?? "") + (this.run.explored ? "" : "\n" + spoken(s.from_s) + ", for " + spoken(s.to_s - s.from_s)), at: s.at, mote };
    if (!l.counts?.length) return { says: "", at: momentAt(at, this.run.explored), mote };
    return { says: "zoom in to see each of " + l.total + " " + l.kind, at: momentAt(at, this.run.explored), mote };
  }
}

function tip(e: PointerEvent | null, text: string): void {
  const t = document.getElementById("tip");
  if (!t) return;
  t.hidden = !text;
  if (!e || !text) return;
  t.textContent = text;
  t.style.left = Math.min(e.pageX + 14, document.documentElement.clientWidth - t.offsetWidth - 8) + "px";
  t.style.top = e.pageY + 14 + "px";
}

/** listen has a chart follow mouse and keys. */
function listen(canvas: HTMLCanvasElement, chart: Chart): () => void {
  let held: { x: number; view: View; moved: boolean } | null = null;
  canvas.onpointerdown = (e) => {
    held = { x: e.offsetX, view: { ...chart.view }, moved: false };
    canvas.setPointerCapture(e.pointerId);
  };
  canvas.onpointermove = (e) => {
    if (held) {
      held.moved ||= Math.abs(e.offsetX - held.x) > 3;
      const by = ((held.x - e.offsetX) / (canvas.clientWidth - labels)) * (held.view.to - held.view.from);
      if (held.moved) chart.show(held.view.from + by, held.view.to + by);
      return;
    }
    tip(e, chart.under(e.offsetX, e.offsetY)?.says ?? "");
  };
  canvas.onpointerup = (e) => {
    const u = held && !held.moved ? chart.under(e.offsetX, e.offsetY) : null;
    const there = held && !held.moved && e.offsetX >= labels;
    held = null;
    if (u) go({ at: u.at, mote: u.mote, file: "", line: "" });
    else if (there) go({ at: momentAt(chart.at(e.offsetX), focus.peek().at.startsWith("e")) });
  };
  canvas.onpointerleave = () => tip(null, "");
  canvas.onwheel = (e) => {
    if (!e.ctrlKey && Math.abs(e.deltaX) > Math.abs(e.deltaY)) chart.pan(e.deltaX / 800);
    else if (e.ctrlKey || e.shiftKey) chart.zoom(Math.exp(e.deltaY / 300), chart.at(e.offsetX));
    else return;
    e.preventDefault();
  };
  return onKeys({
    w: () => chart.zoom(0.8, position(focus.peek().at) >= chart.view.from && position(focus.peek().at) <= chart.view.to ? position(focus.peek().at) : undefined),
    s: () => chart.zoom(1.25),
    a: () => chart.pan(-0.15),
    d: () => chart.pan(0.15),
    f: () => chart.reveal(true),
  });
}

export function Timeline({ run }: { run: Opened }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart | null>(null);
  useEffect(() => {
    const canvas = ref.current;
    if (!canvas) return;
    const made = new Chart(canvas, run);
    chart.current = made;
    made.begin();
    const deaf = listen(canvas, made);
    const sized = new ResizeObserver(() => made.draw());
    sized.observe(canvas);
    const box = canvas.parentElement;
    const scrolled = () => made.draw();
    box?.addEventListener("scroll", scrolled);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const themed = () => made.readColours();
    dark.addEventListener("change", themed);
    const followed = focus.subscribe(() => made.reveal(false));
    const grown = recorded.subscribe(() => made.show(made.view.from, made.view.to));
    return () => {
      followed();
      grown();
      box?.removeEventListener("scroll", scrolled);
      dark.removeEventListener("change", themed);
      sized.disconnect();
      deaf();
      made.close();
    };
  }, [run]);
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="lanes" tabIndex={0}>
        <canvas ref={ref} role="img" data-calls="0" aria-label="What every mote did, over time. W and S zoom, A and D pan, F goes to the focus; full stop and comma go to the next and the previous event." />
      </div>
    </section>
  );
}
