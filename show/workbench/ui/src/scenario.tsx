// The dialog in which a scenario is written, with what is wrong shown in its place.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get, post, said } from "./api";
import type { Checked, Scenario, ScenarioError } from "./documents";
import type { Editor } from "./editor";

/** edited is the file that is open in the editor, and where to begin; draft is the text of one that is not there yet. */
export const edited = signal<{ path: string; draft: string; line?: number; column?: number } | null>(null);

/** placeIn finds a place of a scenario in what went wrong. */
export function placeIn(text: string): { path: string; line: number; column: number } | null {
  const m = /^(\S+\.star):(\d+)(?::(\d+))?: /.exec(text);
  return m ? { path: m[1] ?? "", line: Number(m[2]), column: Number(m[3] ?? 1) } : null;
}

/** draft is a scenario of some motes. */
export function draft(firmware: string, nodes: number, topology: string, boards: string[], seconds: number): string {
  const board = boards.find((b) => firmware.replace(/\.\w+$/, "").endsWith("-" + b)) ?? "micaz";
  const side = Math.ceil(Math.sqrt(nodes));
  const links = topology === "grid" ? "grid(" + side + ", " + Math.ceil(nodes / side) + ")" : (topology === "line" ? "line(" : "full(") + nodes + ")";
  const count = topology === "grid" ? side * Math.ceil(nodes / side) : nodes;
  return `network(
    motes = [mote(id = i, board = ${JSON.stringify(board)}, firmware = ${JSON.stringify(firmware)}) for i in range(${count})],
${nodes > 1 ? "    links = " + links + ",\n" : ""})
run(time = "${seconds}s", seed = 1)
`;
}

export function ScenarioEditor({ command, start }: { command: string; start: (path: string) => Promise<void> }) {
  const box = useRef<HTMLDialogElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor | null>(null);
  const file = useSignal<Scenario | null>(null);
  const errors = useSignal<ScenarioError[] | null>(null);
  const notice = useSignal("");
  const asked = edited.value;

  useEffect(() => {
    if (!asked) return;
    let over = false;
    box.current?.showModal();
    errors.value = file.value = null;
    notice.value = "";
    const begin = async (): Promise<void> => {
      const [kept, { edit }] = await Promise.all([get<Scenario>("scenarios", { path: asked.path }), import("./editor")]);
      if (over || !host.current) return;
      file.value = kept;
      editor.current = edit(host.current, kept.version ? kept.text : asked.draft, async (text) => {
        const found = (await post<Checked>("scenarios/check", { path: asked.path, text, version: "" })).errors;
        errors.value = found;
        return found;
      });
      if (asked.line) editor.current.goTo(asked.line, asked.column ?? 1);
    };
    begin().catch((e: unknown) => (notice.value = said(e)));
    return () => {
      over = true;
      editor.current?.close();
      editor.current = null;
    };
  }, [asked]);

  const close = (): void => {
    box.current?.close();
    edited.value = null;
  };
  const save = async (then?: (path: string) => Promise<void>): Promise<void> => {
    const f = file.value;
    if (!f || !editor.current) return;
    try {
      file.value = await post<Scenario>("scenarios", { path: f.path, text: editor.current.text(), version: f.version });
      notice.value = "Saved.";
      if (then) {
        close();
        await then(f.path);
      }
    } catch (e) {
      notice.value = said(e);
    }
  };
  return (
    <dialog ref={box} class="editor" aria-label="Scenario" onClose={close}>
      {asked ? (
        <>
          <h2>{asked.path}{file.value && !file.value.version ? <span class="dim"> · not saved yet</span> : null}</h2>
          <div ref={host} class="editing" />
          <div class="errors" role="status"><ul>
            {errors.value === null ? <li class="dim">…</li> : errors.value.length ? errors.value.map((e) => (
              <li key={e.text} class="wrong">
                {e.line ? <button type="button" class="link" onClick={() => editor.current?.goTo(e.line, e.column)}>line {e.line}, column {e.column}:</button> : null} {e.text}
              </li>
            )) : <li class="dim">Nothing is wrong with it, as far as can be told without a run.</li>}
          </ul></div>
          <p class="buttons">
            <button type="button" class="main" disabled={!file.value || errors.value === null || errors.value.length > 0} onClick={() => void save(start)}>Save and start {command}</button>
            <button type="button" disabled={!file.value} onClick={() => void save()}>Save</button>
            <button type="button" onClick={close}>Close</button>
            <span role="status">{notice.value}</span>
          </p>
        </>
      ) : null}
    </dialog>
  );
}
