// How the firmware behaves: procedures, job flows and what violates approved models, as the pictures of model --html; and approval.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { pictured, type PictureSource } from "virtual:report";
import { post, said } from "./api";
import type { Job, Models } from "./documents";
import { go } from "./focus";
import { open } from "./travel";

interface Build {
  name: string;
  body: string;
  sources: PictureSource[];
  violations: { id: string; again: string }[];
}

const button = (text: string, kind: string, onclick: () => void): HTMLButtonElement => Object.assign(document.createElement("button"), { type: "button", textContent: text, className: kind, onclick });

/** worldOf is what a run is made of that shows what the job has seen. */
function worldOf(j: Job): Record<string, unknown> {
  const wanted = ["file", "nodes", "topology", "time_ns", "serial_in", "seed", "board", "loss", "params"];
  return Object.fromEntries(Object.entries(j.request).filter(([k]) => wanted.includes(k)));
}

export function Behaviour({ job, builds }: { job: Job; builds: Build[] }) {
  const root = useRef<HTMLDivElement>(null);
  const chosen = useSignal(0);
  const error = useSignal("");
  const done = useSignal("");
  const build = builds[chosen.value];

  const attempt = (does: () => Promise<unknown>): void => void does().catch((e: unknown) => (error.value = said(e)));
  const approve = (ids: string[]): void => attempt(async () => {
    const m = await post<Models>("models", ids.length ? { job: job.id, ids } : { job: job.id });
    done.value = ids.length ? "Approved: later runs may do this." : "Approved. Verify holds later runs to " + m.files.map((f) => f.path).join(", ") + ".";
  });

  useEffect(() => {
    const at = root.current;
    if (!at || !build) return;
    at.innerHTML = build.body; // of our own program, which has escaped all text of the firmware
    const node = (job.request["node"] as string[] | undefined)?.[0] ?? "";
    pictured(at, build.sources, (file, line) => [button("see it run", "run-it", () => attempt(async () => {
      await open(worldOf(job));
      go({ file, line: String(line), ...(/^\d+$/.test(node) ? { mote: node } : {}) }, true);
    }))]);
    build.violations.forEach((v, i) => {
      const p = document.createElement("p");
      p.className = "buttons";
      if (v.again) p.append(button("Travel to it", "main", () => attempt(() => open({ file: v.again }, "last"))));
      p.append(button("Approve", "", () => approve([v.id])));
      at.querySelector("#violation-" + i + " .figure")?.before(p);
    });
  }, [build]);

  return (
    <>
      {builds.length > 1 ? <nav aria-label="Firmware">{builds.map((b, i) => <button type="button" key={b.name} aria-pressed={i === chosen.value} onClick={() => (chosen.value = i)}>{b.name}</button>)}</nav> : null}
      {job.command === "model" ? <p class="buttons"><button type="button" class="main" onClick={() => approve([])}>Approve these models</button><span class="dim">if this is how it should behave</span></p> : null}
      {done.value ? <p class="verdict" role="status">{done.value}</p> : null}
      {error.value ? <p class="wrong" role="alert">{error.value}</p> : null}
      <div class="behaviour"><div class="whole" ref={root} /></div>
    </>
  );
}
