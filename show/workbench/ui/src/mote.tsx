// One mote at the focus: what it is in the middle of, its variables, and its devices.
import { useSignal } from "@preact/signals";
import type { MoteDetail, Value } from "./documents";
import { focus, go } from "./focus";
import { state, whoWrote, wrote } from "./travel";

const how: Record<string, string> = { in: "in", inlined: "inlined in", called: "called by", interrupted: "in the middle of" };
const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, "0");

function Calls({ mote }: { mote: MoteDetail }) {
  return (
    <ol class="calls">
      {mote.calls.map((c, i) => (
        <li key={i}>
          <span>{how[c.how] ?? c.how}</span>{" "}
          {c.place.file ? (
            <button type="button" class="link" onClick={() => go({ file: c.place.file ?? "", line: String(c.place.line ?? "") })}>{c.place.text}</button>
          ) : (
            c.place.text
          )}
        </li>
      ))}
    </ol>
  );
}

function Wrote() {
  const w = wrote.value;
  if (!w) return null;
  const s = w.store?.stop;
  return (
    <div class="box answer" role="status">
      <p><b>{w.variable}</b> {w.error ? "" : s ? "was written last here:" : w.store ? "" : "…"}</p>
      {w.error ? <p class="wrong">{w.error}</p> : null}
      {s ? (
        <>
          <p>{s.says}, mote {s.mote}</p>
          <p><code>{s.place.text}</code> · {w.store?.address}: {w.store?.old} → {w.store?.new}</p>
          <p><button type="button" class="small" onClick={() => go({ at: s.at, mote: String(s.mote), file: "", line: "" })}>go there</button></p>
        </>
      ) : null}
      {w.store?.says ? <p>{w.store.says}</p> : null}
    </div>
  );
}

function Values({ list, ask }: { list: Value[]; ask: boolean }) {
  return (
    <table class="values">
      <tbody>
        {list.map((v) => (
          <tr key={v.path}>
            <td>{ask ? <button type="button" class="link" title="who wrote this?" onClick={() => void whoWrote(v.path)}>{v.name}</button> : v.name}</td>
            <td class={v.known ? "" : "unknown"}>{v.value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Devices({ mote }: { mote: MoteDetail }) {
  const r = mote.registers;
  return (
    <details>
      <summary>Registers, pins and stack</summary>
      <p>
        pc <code>0x{hex(r.pc, 4)}</code> · sp <code>0x{hex(r.sp, 4)}</code> · sreg <code>0x{hex(r.sreg, 2)}</code> · {mote.stack_bytes} bytes of stack · cycle {mote.cycles.toLocaleString("en")}
      </p>
      <p>next: <code>{mote.next}</code></p>
      <p>{mote.pending.length ? "interrupts that wait: " + mote.pending.join(", ") : "no interrupt waits"}{mote.masked ? "; interrupts are off" : ""}</p>
      <div class="registers">{r.r.map((v, i) => <span key={i}>r{i} <code>{hex(v, 2)}</code></span>)}</div>
      <div class="pins">
        {mote.pins.map((p) => <span key={p.name} class={(p.output ? "out" : "in") + (p.high ? " high" : "")} title={(p.output ? "output" : "input") + ", " + (p.high ? "high" : "low")}>{p.name}</span>)}
      </div>
    </details>
  );
}

export function MotePane() {
  const filter = useSignal("");
  const mote = state.value?.mote;
  if (!mote || String(mote.id) !== focus.value.mote) return <section class="mote-pane" aria-label="Mote"><p class="empty">…</p></section>;
  const wanted = mote.variables.filter((v) => v.name.toLowerCase().includes(filter.value.toLowerCase()));
  return (
    <section class="mote-pane" aria-label="Mote">
      <h2>Mote {mote.id}</h2>
      <Wrote />
      <Calls mote={mote} />
      {mote.locals.length ? <><h3>Local variables</h3><Values list={mote.locals} ask={false} /></> : null}
      <h3>
        Variables{" "}
        <input type="search" aria-label="find a variable" placeholder="find" value={filter.value} onInput={(e) => (filter.value = e.currentTarget.value)} />
      </h3>
      <div class="scroll"><Values list={wanted.slice(0, 300)} ask /></div>
      <Devices mote={mote} />
    </section>
  );
}
