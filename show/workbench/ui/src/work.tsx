// The first view: start work, and see what there is.
import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { get, post, remove, said, upload } from "./api";
import { Campaigns } from "./campaigns";
import type { About, File as Listed, Files, Finding, Job, Jobs, ModelFile, Models } from "./documents";
import { go, goTo, nowhere } from "./focus";
import { forget, loadViews, views } from "./palette";
import { ScenarioEditor, draft, edited, placeIn } from "./scenario";
import { open } from "./travel";

export const about = signal<About | null>(null);
const jobs = signal<Job[]>([]);
const stored = signal<Finding[]>([]);
const files = signal<Files | null>(null);
const approved = signal<ModelFile[]>([]);
const error = signal("");
const came = signal(""); // what was dropped, or opened

const form = signal({ file: "", command: "check", nodes: "1", topology: "full", serial: "", seconds: "10", budget: "30", anyOrder: false, node: "all", models: "" });

const set = (change: Partial<typeof form.value>): void => {
  form.value = { ...form.value, ...change };
};

const commands: Record<string, string> = {
  hunt: "all engines, one after the other",
  check: "other orders of events, interrupts in the middle of code, faults",
  fuzz: "bytes, frames and readings that are made up",
  symbolic: "all inputs at once",
  mine: "unusual intervals of ordinary runs",
  model: "how the firmware behaves, to look at and to approve",
  verify: "does a run behave as you approved?",
  trace: "what a traced mote has recorded in its flash",
  run: "one ordinary run",
};
const timed = (command: string): boolean => ["mine", "model", "verify", "trace", "run"].includes(command);
const watches = (command: string): boolean => ["mine", "model", "verify", "trace"].includes(command);

/** attempt does something, and says what is wrong with it. */
async function attempt(does: () => Promise<unknown>): Promise<void> {
  try {
    error.value = "";
    await does();
  } catch (e) {
    error.value = said(e);
  }
}

function requestOf(command: string): Record<string, unknown> {
  const f = form.value;
  const r: Record<string, unknown> = command === "mine" ? { files: [f.file] } : { file: f.file };
  r["nodes"] = Number(f.nodes) || 1;
  r["topology"] = f.topology;
  if (f.serial) r["serial_in"] = [f.serial];
  if (timed(command)) r["time_ns"] = Math.round(Number(f.seconds) * 1e9);
  else r["budget_ns"] = Math.round(Number(f.budget) * 1e9);
  if (watches(command) && f.node && f.node !== "all") r["node"] = f.node.split(",").map((n) => n.trim());
  if (command === "verify") r["models"] = f.models;
  if (command === "check" && f.anyOrder) r["any_order"] = true;
  return r;
}

const followed = new Map<number, EventSource>();

/** follow has a job shown as it goes on. */
function follow(id: number): void {
  if (followed.has(id)) return;
  const events = new EventSource("api/jobs/" + id + "/events");
  followed.set(id, events);
  const end = (): void => {
    events.close();
    followed.delete(id);
  };
  events.addEventListener("job", (e) => {
    const j = JSON.parse((e as MessageEvent<string>).data) as Job;
    jobs.value = jobs.value.some((x) => x.id === j.id) ? jobs.value.map((x) => (x.id === j.id ? j : x)) : [j, ...jobs.value];
    if (final(j)) {
      end();
      if (j.command === "hunt") void loadFindings();
    }
  });
  events.onerror = end;
}

export const final = (j: Job): boolean => j.state !== "waiting" && j.state !== "running";

async function loadFindings(): Promise<void> {
  try {
    stored.value = (await get<{ findings: Finding[] }>("findings")).findings;
  } catch {
    // A hunt has them; they come when it ends.
  }
}

async function load(): Promise<void> {
  const [a, j, f, m] = await Promise.all([get<About>("about"), get<Jobs>("jobs"), get<Files>("files", { folder: "." }), get<Models>("models")]);
  about.value = a;
  jobs.value = j.jobs;
  files.value = f;
  approved.value = m.files;
  if (!form.value.models) set({ models: m.files[0]?.path ?? "" });
  if (!form.value.file) set({ file: a.file });
  j.jobs.filter((x) => !final(x)).forEach((x) => follow(x.id));
  await Promise.all([loadFindings(), loadViews()]);
}

const start = (): Promise<void> => attempt(async () => {
  const j = await post<Job>("jobs", { command: form.value.command, request: requestOf(form.value.command) });
  jobs.value = [j, ...jobs.value];
  follow(j.id);
});

const look = (): Promise<void> => attempt(() => open({ ...requestOf("run") }));

/** explore opens a run whose events are to be chosen. */
const explore = (): Promise<void> => attempt(() => open({ ...requestOf("run"), explore: true }));

/** write opens the editor: on the scenario that is chosen, or on one of the firmware that is. */
function write(): void {
  const f = form.value;
  if (f.file.endsWith(".star")) edited.value = { path: f.file, draft: "" };
  else edited.value = { path: (f.file.replace(/^example:/, "").split("/").at(-1) ?? "").replace(/\.\w+$/, "") + ".star", draft: draft(f.file, Number(f.nodes) || 1, f.topology, about.value?.boards ?? [], Number(f.seconds) || 10) };
}

/** written starts a job on a scenario that was saved. */
const written = (path: string): Promise<void> => {
  set({ file: path });
  return start();
};

const drop = (list: FileList | null | undefined): Promise<void> => attempt(async () => {
  const file = list?.[0];
  if (!file) return;
  const kept = await upload<Listed>(file.name.replace(/[^\w.-]/g, "_"), file);
  set({ file: kept.path });
  came.value = file.name + " is here: choose what to do with it.";
});

function Field({ label, children }: { label: string; children: preact.ComponentChildren }) {
  return <label><span>{label}</span>{children}</label>;
}

function Browser() {
  const f = files.value ?? { folder: ".", files: [], more: 0 };
  const enter = (folder: string): Promise<void> => attempt(async () => void (files.value = await get<Files>("files", { folder })));
  return (
    <details class="browser" onToggle={(e) => { if (e.currentTarget.open) void enter(f.folder); }}>
      <summary>Files in {f.folder === "." ? (about.value?.folder ?? "") : f.folder}</summary>
      <ul>
        {f.folder !== "." ? <li><button type="button" class="link" onClick={() => void enter(f.folder.split("/").slice(0, -1).join("/") || ".")}>..</button></li> : null}
        {f.files.map((x) => (
          <li key={x.path}>
            <button type="button" class="link" onClick={() => (x.kind === "folder" ? void enter(x.path) : x.kind === "recipe" || x.kind === "bundle" ? void attempt(() => open({ file: x.path })) : set({ file: x.path }))}>{x.name}</button>{" "}
            <span class="dim">{x.kind}</span>
          </li>
        ))}
        {f.files.length ? null : <li class="empty">no firmware, scenario or recipe here</li>}
      </ul>
    </details>
  );
}

function Start() {
  const picker = useRef<HTMLInputElement>(null);
  const f = form.value;
  const text = (key: "nodes" | "serial" | "seconds" | "budget" | "node", more: object) => <input value={f[key]} onInput={(e) => set({ [key]: e.currentTarget.value })} {...more} />;
  return (
    <section class="start" aria-label="Start work" onDragOver={(e) => e.preventDefault()} onDrop={(e) => { e.preventDefault(); void drop(e.dataTransfer?.files); }}>
      <h2>Start work</h2>
      <form onSubmit={(e) => { e.preventDefault(); void start(); }}>
        <Field label="firmware or scenario">
          <input name="file" list="examples" required placeholder="example:ring, app.elf, or drop a file here" value={f.file} onInput={(e) => set({ file: e.currentTarget.value })} />
        </Field>
        <p class="buttons"><button type="button" onClick={() => picker.current?.click()}>Open a file …</button><span class="dim" role="status">{came.value}</span></p>
        <input ref={picker} type="file" hidden onChange={(e) => { void drop(e.currentTarget.files); e.currentTarget.value = ""; }} />
        <datalist id="examples">{about.value?.examples.map((x) => <option key={x.name} value={x.name}>{x.about}</option>)}</datalist>
        <Browser />
        <fieldset>
          <legend>What to do</legend>
          {Object.entries(commands).map(([name, says]) => (
            <label key={name} class="choice">
              <input type="radio" name="command" value={name} checked={f.command === name} onChange={() => set({ command: name })} />
              <b>{name}</b> <span class="dim">{says}</span>
            </label>
          ))}
        </fieldset>
        <div class="row-of">
          <Field label="motes">{text("nodes", { type: "number", min: 1, max: 1000, name: "nodes" })}</Field>
          <Field label="topology">
            <select value={f.topology} onChange={(e) => set({ topology: e.currentTarget.value })}>{about.value?.topologies.map((t) => <option key={t}>{t}</option>)}</select>
          </Field>
          {timed(f.command) ? <Field label="seconds to run">{text("seconds", { type: "number", min: 0.001, step: "any", name: "seconds" })}</Field> :
            <Field label="seconds to search">{text("budget", { type: "number", min: 1, name: "budget" })}</Field>}
          <Field label="serial input">{text("serial", { name: "serial", placeholder: "none" })}</Field>
          {watches(f.command) ? <Field label="motes to watch">{text("node", { name: "node", placeholder: "all, or ids" })}</Field> : null}
        </div>
        {f.command === "verify" ? (
          <Field label="approved models">
            <input name="models" list="approved" required placeholder="approve those of a job of model first" value={f.models} onInput={(e) => set({ models: e.currentTarget.value })} />
            <datalist id="approved">{approved.value.map((m) => <option key={m.path} value={m.path}>{m.firmware}</option>)}</datalist>
          </Field>
        ) : null}
        {f.command === "check" ? <label class="choice"><input type="checkbox" checked={f.anyOrder} onChange={(e) => set({ anyOrder: e.currentTarget.checked })} /> any order, also if hardware hardly produces it</label> : null}
        <p class="buttons">
          <button type="submit" class="main">Start {f.command}</button>
          <button type="button" disabled={!f.file} onClick={() => void look()}>Look inside a run</button>
          <button type="button" disabled={!f.file} onClick={() => void explore()}>Choose what happens</button>
          <button type="button" disabled={!f.file} onClick={write}>{f.file.endsWith(".star") ? "Edit the scenario" : "Write a scenario"}</button>
        </p>
      </form>
      {error.value ? <p class="wrong" role="alert">{error.value}</p> : null}
      <ScenarioEditor command={f.command} start={written} />
    </section>
  );
}

function doing(j: Job): string {
  const n = j.now;
  if (j.state === "failed") return j.error ?? "";
  if (j.state === "waiting") return "waits for its turn";
  if (!n) return "";
  const parts = [n.text ?? "", n.until_ps ? Math.round((100 * (n.now_ps ?? 0)) / n.until_ps) + " %" : "", n.events ? n.events.toLocaleString("en") + " events" : "", n.states ? n.states.toLocaleString("en") + " states" : "",
    n.outcomes ? n.outcomes + " outcomes" : "", n.findings ? n.findings + " suspicious" : ""];
  return parts.filter(Boolean).join(" · ");
}

const subject = (j: Job): string => String(j.request["file"] ?? (j.request["files"] as string[] | undefined)?.join(", ") ?? "");

function JobRow({ j }: { j: Job }) {
  const place = placeIn(j.error ?? "");
  const verdict = j.verdict === "violated" ? "bad" : j.verdict === "holds" ? "good" : "unknown";
  return (
    <li class={"job " + j.state} data-job={j.id}>
      <div>
        <b>{j.command}</b> <span>{subject(j)}</span>{" "}
        {final(j) ? <span class={"state " + (j.state === "done" ? verdict : "unknown")}>{j.state === "done" ? j.verdict || "done" : j.state}</span> : <span class="state running">{j.state}</span>}
      </div>
      <div class="dim">{doing(j) || j.said.at(-1) || ""}</div>
      <div class="buttons">
        {final(j) && j.state !== "failed" && j.state !== "lost" ? <button type="button" onClick={() => go({ job: String(j.id) })}>Show result</button> : null}
        {place ? <button type="button" onClick={() => (edited.value = { ...place, draft: "" })}>Edit line {place.line}</button> : null}
        {final(j) ? null : <button type="button" onClick={() => void attempt(() => remove("jobs/" + j.id))}>Cancel</button>}
      </div>
    </li>
  );
}

function StoredFinding({ x }: { x: Finding }) {
  const file = x.bundle ?? x.recipe;
  const judge = (body: object): Promise<void> => attempt(async () => {
    await post("findings/" + x.key, body);
    await loadFindings();
  });
  return (
    <li class="job">
      <div><span class={"grade " + x.grade}>{x.grade}</span><b>{x.title}</b></div>
      <div class="dim">{x.subject} · {x.state}{x.reason ? ": " + x.reason : ""} · seen by {x.engines.join(", ")}</div>
      <div class="buttons">
        {file ? <button type="button" onClick={() => void attempt(() => open({ file }))}>Travel to it</button> : null}
        {x.state === "dismissed" ? <button type="button" onClick={() => void judge({ reason: "", undo: true })}>Reopen</button> : (
          <form class="inline" onSubmit={(e) => { e.preventDefault(); void judge({ reason: String(new FormData(e.currentTarget).get("reason")) }); }}>
            <input name="reason" required placeholder="why it does not matter" aria-label="why it does not matter" /> <button type="submit">Dismiss</button>
          </form>
        )}
      </div>
    </li>
  );
}

export function Work() {
  useEffect(() => {
    void attempt(load);
    return () => {
      followed.forEach((e) => e.close());
      followed.clear();
    };
  }, []);
  return (
    <main class="work">
      <Start />
      <div>
        <section aria-label="Jobs">
          <h2>Jobs</h2>
          {jobs.value.length ? <ul class="jobs">{jobs.value.map((j) => <JobRow key={j.id} j={j} />)}</ul> : <p class="empty">None yet. Try check on example:ring with serial input hello.</p>}
        </section>
        <Campaigns />
        {views.value.length ? (
          <section aria-label="Views">
            <h2>Saved views</h2>
            <ul class="jobs">{views.value.map((v) => (
              <li class="job view" key={v.name}>
                <button type="button" class="link" onClick={() => goTo(v.address)}>{v.name}</button>
                <div class="buttons"><button type="button" class="small" aria-label={"remove the view " + v.name} onClick={() => void attempt(() => forget(v.name))}>remove</button></div>
              </li>
            ))}</ul>
          </section>
        ) : null}
        {stored.value.length ? (
          <section aria-label="Findings">
            <h2>Findings of hunts</h2>
            <ul class="jobs">{stored.value.map((x) => <StoredFinding key={x.key + x.subject} x={x} />)}</ul>
          </section>
        ) : null}
      </div>
    </main>
  );
}

/** home turns to the first view. */
export const home = (): void => go(nowhere);
