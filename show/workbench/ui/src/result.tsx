// What a job found: the pages of the reports, as panes.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { findings, mined } from "virtual:report";
import mineParts from "../../../report/mine.html?raw";
import { get, post, said } from "./api";
import type { Decoded, Job, Judgements } from "./documents";
import { focus, go } from "./focus";
import { Behaviour } from "./behaviour";
import { Trace } from "./trace";
import { open } from "./travel";

interface Result {
  findings?: { recipe?: string; bundle?: string }[];
  verdict?: string;
  hash?: string;
}

/** recipeOf is the file that makes the run of a finding again. */
function recipeOf(j: Job, r: Result, number: number): string {
  const f = r.findings?.[number - 1];
  const file = f?.recipe || f?.bundle || "";
  return file && j.command === "hunt" && !file.startsWith(".motehound") ? ".motehound/" + file : file;
}

export function ResultView() {
  const root = useRef<HTMLDivElement>(null);
  const error = useSignal("");
  const job = useSignal<Job | null>(null);
  const shown = useSignal<preact.VNode | null>(null);
  const id = focus.value.job;

  useEffect(() => {
    const at = root.current;
    if (!at) return;
    at.replaceChildren();
    shown.value = null;
    const travel = (file: string): void => void open({ file }).catch((e: unknown) => (error.value = said(e)));
    const show = async (): Promise<void> => {
      const j = await get<Job>("jobs/" + id);
      job.value = j;
      const result = await get<Result>("jobs/" + id + "/result");
      if (!j.page) {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Travel through the run", className: "main", onclick: () => travel(j.folder + "/recipe.json") });
        at.append(button);
        return;
      }
      const data = await get<unknown>("jobs/" + id + "/page");
      if (j.command === "model" || j.command === "verify") {
        shown.value = <Behaviour key={id} job={j} builds={(data as { builds: Parameters<typeof Behaviour>[0]["builds"] }).builds} />;
        return;
      }
      if (j.command === "trace") {
        shown.value = <Trace key={id} data={data as Decoded} />;
        return;
      }
      if (j.command === "mine") {
        at.innerHTML = mineParts; // our own file; what the data has goes into it as text
        let said = (await get<Judgements>("jobs/" + id + "/judged")).judged;
        mined(at, data, { judged: () => said, judge: async (key, says) => void (said = (await post<Judgements>("jobs/" + id + "/judged", { key, says })).judged) });
        return;
      }
      findings(at, data, {
        chosen: () => focus.peek().finding,
        choose: (n) => go({ finding: String(n) }, true),
        actions: (f) => {
          const file = recipeOf(j, result, f.number);
          if (!file) return [];
          const p = document.createElement("p");
          p.append(Object.assign(document.createElement("button"), { type: "button", textContent: "Travel to it", className: "main", onclick: () => travel(file) }));
          return [p];
        },
      });
    };
    show().catch((e: unknown) => (error.value = said(e)));
  }, [id]);

  return (
    <main class="result">
      {job.value ? <h2 class="title">{job.value.command} of {String(job.value.request["file"] ?? job.value.request["files"] ?? "")}{job.value.state === "cancelled" ? ", cancelled" : ""}</h2> : null}
      {error.value ? <p class="wrong" role="alert">{error.value}</p> : null}
      {shown.value}
      <div ref={root} class={"report " + (job.value?.command ?? "")} />
    </main>
  );
}
