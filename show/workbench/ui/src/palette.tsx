// The command palette: everything that can be done from here, by typing a part of its name; and views that are kept.
import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get, post, remove, said } from "./api";
import type { Jobs, View, Views } from "./documents";
import { focus, go, goTo, nowhere } from "./focus";
import { help, onKeys, perform } from "./keys";

export const views = signal<View[]>([]);

export async function loadViews(): Promise<void> {
  views.value = (await get<Views>("views")).views;
}

export async function forget(name: string): Promise<void> {
  views.value = (await remove<Views>("views/" + encodeURIComponent(name))).views;
}

interface Command {
  says: string;
  keys?: string;
  does: () => void;
}

const jobs = signal<Command[]>([]);

async function load(): Promise<void> {
  const [list] = await Promise.all([get<Jobs>("jobs"), loadViews()]);
  jobs.value = list.jobs.filter((j) => j.state === "done" || j.state === "cancelled").map((j) => ({ says: "Result of job " + j.id + ": " + j.command + " of " + String(j.request["file"] ?? j.request["files"] ?? ""), does: () => go({ ...nowhere, job: String(j.id) }) }));
}

const all = (): Command[] => [
  { says: "Work: start a job", keys: "H", does: () => go(nowhere) },
  ...views.value.map((v) => ({ says: "View: " + v.name, does: () => goTo(v.address) })),
  ...(focus.value.run ? help.flatMap((h) => (h.single ? h.keys.split(" ").map((key, i) => ({ says: h.single?.[i] ?? "", keys: key, does: () => perform(key) })) : [])) : []),
  ...jobs.value,
];

export function Palette() {
  const box = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const text = useSignal("");
  const at = useSignal(0);
  const show = (): void => {
    text.value = "";
    at.value = 0;
    void load();
    box.current?.showModal();
    field.current?.focus();
  };
  useEffect(() => onKeys({ ":": show, "Control+k": show }), []);
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all().filter((c) => words.every((w) => c.says.toLowerCase().includes(w))).slice(0, 50);
  const run = (c: Command | undefined): void => {
    box.current?.close();
    c?.does();
  };
  return (
    <>
      <button type="button" class="small" title="commands (Ctrl+K, or :)" onClick={show}>commands</button>
      <dialog ref={box} class="palette" aria-label="Commands">
        <input ref={field} type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" aria-activedescendant={"command-" + at.value} aria-label="command" placeholder="what to do" value={text.value}
          onInput={(e) => { text.value = e.currentTarget.value; at.value = 0; }}
          onKeyDown={(e) => {
            if (e.key === "ArrowDown" || e.key === "ArrowUp") {
              e.preventDefault();
              at.value = Math.min(Math.max(at.value + (e.key === "ArrowDown" ? 1 : -1), 0), found.length - 1);
            } else if (e.key === "Enter") {
              e.preventDefault();
              run(found[at.value]);
            }
          }} />
        <ul id="palette-list" role="listbox" aria-label="commands">
          {found.map((c, i) => <li key={c.says} id={"command-" + i} role="option" aria-selected={i === at.value} onClick={() => run(c)}>{c.says}{c.keys ? <kbd>{c.keys}</kbd> : null}</li>)}
        </ul>
        {found.length ? null : <p class="empty">Nothing is called so.</p>}
      </dialog>
    </>
  );
}

export function SaveView() {
  const box = useRef<HTMLDialogElement>(null);
  const error = useSignal("");
  if (!focus.value.job && !focus.value.run) return null;
  const save = async (name: string): Promise<void> => {
    try {
      views.value = (await post<Views>("views", { name, address: location.search })).views;
      box.current?.close();
    } catch (e) {
      error.value = said(e);
    }
  };
  return (
    <>
      <button type="button" class="small" onClick={() => { error.value = ""; box.current?.showModal(); }}>save view</button>
      <dialog ref={box} aria-label="Save this view">
        <form onSubmit={(e) => { e.preventDefault(); void save(String(new FormData(e.currentTarget).get("name"))); }}>
          <label>Save this view as <input name="name" required maxLength={150} /></label>{" "}
          <button class="main">Save</button> <button type="button" onClick={() => box.current?.close()}>Cancel</button>
          {error.value ? <p class="wrong" role="alert">{error.value}</p> : null}
        </form>
      </dialog>
    </>
  );
}
