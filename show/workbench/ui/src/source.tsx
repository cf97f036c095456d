// The source: which lines ran how often, where the mote is, what variables are, and who wrote them.
import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { gone, said, upload } from "./api";
import type { Covered, JourneyMote, Opened, Value } from "./documents";
import { focus, go } from "./focus";
import { ask, recorded, state, step, toLine, whoWrote } from "./travel";

const short = (file: string): string => file.split("/").slice(-2).join("/");
const times = (n: number): string => (n === 0 ? "never" : n === 1 ? "once" : n.toLocaleString("en") + " times");

/** Code is a line, with the variables that are known in it. */
function Code({ text, values }: { text: string; values: Map<string, Value> }) {
  const remark = text.search(/\/\/|\/\*/);
  const end = remark < 0 ? text.length : remark;
  const parts = text.slice(0, end).split(/([A-Za-z_]\w*)/);
  return (
    <>
      {parts.map((part, i) => {
        const v = i % 2 ? values.get(part) : undefined;
        return v ? (
          <button type="button" class="variable" title={v.name + " = " + v.value} onClick={() => void whoWrote(v.path)}>{part}</button>
        ) : (
          part
        );
      })}
      {text.slice(end)}
    </>
  );
}

function FileChooser({ mote, file }: { mote: JourneyMote; file: string }) {
  return (
    <select aria-label="source file" value={file} onChange={(e) => go({ file: e.currentTarget.value, line: "" })}>
      {mote.files.includes(file) ? null : <option value={file}>{file || "no source here"}</option>}
      {mote.files.map((f) => (
        <option value={f} key={f}>{short(f)}</option>
      ))}
    </select>
  );
}

/** Asked is what can be done with the line that was chosen. The line of a declaration has no code: the one to look at is the next that has. */
function Asked({ file, line, hits, next }: { file: string; line: number; hits: number | undefined; next: number }) {
  if (hits === undefined) return <p class="asked" role="status">Line {line} has no code of its own. {next ? <button type="button" class="small" onClick={() => go({ line: String(next) })}>line {next} has</button> : null}</p>;
  return (
    <p class="asked" role="status">
      Line {line} was executed {times(hits)} in this run{recorded.value?.whole ? "" : ", as far as it is recorded"}.{" "}
      {hits > 0 || !recorded.value?.whole ? (
        <>
          <button type="button" class="small" onClick={() => void toLine(file, line, true)}>◀ ran before</button>{" "}
          <button type="button" class="small" onClick={() => void toLine(file, line, false)}>runs next ▶</button>
        </>
      ) : null}
    </p>
  );
}

/** Bring has a source file opened that is not in the working folder. */
function Bring({ file, done }: { file: string; done: (error: string) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  const name = file.split("/").at(-1) ?? file;
  const bring = (f: File | undefined): void => void (f && upload(name, f).then(() => done(""), (e: unknown) => done(said(e))));
  return (
    <>
      <button type="button" class="small" onClick={() => picker.current?.click()}>Open {name} …</button>
      <input ref={picker} type="file" hidden onChange={(e) => bring(e.currentTarget.files?.[0])} />
    </>
  );
}

export function Source({ run }: { run: Opened }) {
  const text = useSignal<Covered | null>(null);
  const error = useSignal("");
  const brought = useSignal(0);
  const body = useRef<HTMLDivElement>(null);
  const place = useComputed(() => state.value?.motes.find((m) => String(m.id) === focus.value.mote)?.place);
  const file = useComputed(() => focus.value.file || place.value?.file || "");
  const here = useComputed(() => (place.value?.file === file.value ? (place.value.line ?? 0) : 0));
  const line = useComputed(() => Number(focus.value.line) || here.value);
  const whole = useComputed(() => recorded.value?.whole ?? false);

  useSignalEffect(() => {
    const mote = focus.value.mote;
    void whole.value; // then all is counted
    void brought.value;
    if (!file.value || !mote) {
      text.value = null;
      return;
    }
    const asked = new AbortController();
    ask<Covered>("source", { mote, file: file.value }, asked.signal).then((t) => {
      text.value = t;
      error.value = "";
    }, (e: unknown) => {
      if (!gone(e)) error.value = said(e);
    });
    return () => asked.abort();
  });

  useLayoutEffect(() => {
    const box = body.current;
    const row = box?.querySelector<HTMLElement>('tr[data-line="' + line.value + '"]');
    if (box && row && (row.offsetTop < box.scrollTop + 30 || row.offsetTop > box.scrollTop + box.clientHeight - 60)) box.scrollTop = row.offsetTop - box.clientHeight / 3;
  }, [line.value, text.value]);

  const mote = run.motes.find((m) => String(m.id) === focus.value.mote);
  const hits = new Map((text.value?.hits ?? []).map((h) => [h.line, h.hits]));
  const values = new Map<string, Value>();
  for (const v of [...(state.value?.mote?.variables ?? []), ...(state.value?.mote?.locals ?? [])]) if (v.known) values.set(v.path.split(".").at(-1) ?? v.path, v);
  const chosen = Number(focus.value.line);
  return (
    <section class="code" aria-label="Source">
      <h2>
        Source {mote ? <FileChooser mote={mote} file={file.value} /> : null}
        {focus.value.file ? <button type="button" class="small" onClick={() => go({ file: "", line: "" })}>back to the focus</button> : null}
      </h2>
      {error.value ? <p class="wrong">{error.value}</p> : null}
      {chosen > 0 && text.value ? <Asked file={file.value} line={chosen} hits={hits.get(chosen)} next={text.value.hits.find((h) => h.line > chosen)?.line ?? 0} /> : null}
      {!file.value && state.value ? (
        <p class="empty">
          {mote?.files.length ? <>Here the mote is in code without line numbers, as at its start. <button type="button" class="small" onClick={() => void step("line", false)}>go to the next line</button></> : "This firmware has no line numbers: build it with -gdwarf-4."}
        </p>
      ) : null}
      {text.value?.note ? <p class="empty">{text.value.file}: {text.value.note}. <Bring file={text.value.file} done={(e) => { error.value = e; brought.value++; }} /></p> : null}
      <div class="source" ref={body} tabIndex={0} hidden={!text.value?.lines.length}>
        <table>
          <tbody>
            {(text.value?.lines ?? []).map((t, i) => {
              const n = i + 1;
              const h = hits.get(n);
              const kind = (n === here.value ? "here " : "") + (n === chosen ? "chosen " : "") + (h === undefined ? "" : h > 0 ? "ran" : "never");
              return (
                <tr key={n} data-line={n} class={kind || undefined} aria-current={n === here.value ? "location" : undefined}>
                  <td class="no">
                    {h === undefined ? n : <button type="button" title="when did it run?" aria-label={"line " + n} onClick={() => go({ file: file.value, line: String(n) })}>{n}</button>}
                  </td>
                  <td class="hits">{h === undefined ? "" : h > 0 ? h.toLocaleString("en") + "×" : "–"}</td>
                  <td class="text"><Code text={t} values={values} /></td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}
