// Campaigns of the working folder, as they go on.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Campaign, Campaigns as All } from "./documents";

const now = signal<All>({ campaigns: [], workers: [] });

function Row({ c }: { c: Campaign }) {
  const parts = [c.done + " of " + c.items + " items", c.rate ? c.rate.toFixed(1) + " items a second" : "", c.working ? c.working + " being done" : "", c.waiting ? c.waiting + " waiting" : ""];
  return (
    <li class="job" data-campaign={c.campaign}>
      <div><b>{c.title}</b> <span class={"state " + (c.state === "running" ? "running" : c.found.length ? "bad" : "unknown")}>{c.state}</span></div>
      <div class="dim">{parts.filter(Boolean).join(" · ")}</div>
      <progress max={c.items} value={c.done} aria-label={"items of " + c.title} />
      {c.found.length ? <ul>{c.found.map((text) => <li key={text}>{text}</li>)}</ul> : null}
      {c.failed.map((f) => <div class="wrong" key={f.item}>item {f.item} could not be done: {f.why}</div>)}
    </li>
  );
}

export function Campaigns() {
  useEffect(() => {
    const events = new EventSource("api/campaigns/events");
    events.addEventListener("campaigns", (e) => {
      now.value = JSON.parse((e as MessageEvent<string>).data) as All;
    });
    return () => events.close();
  }, []);
  if (!now.value.campaigns.length) return null;
  return (
    <section aria-label="Campaigns">
      <h2>Campaigns</h2>
      <ul class="jobs">{now.value.campaigns.map((c) => <Row key={c.campaign} c={c} />)}</ul>
      {now.value.workers.map((w) => <div class="dim" key={w.name}>worker {w.name} {w.item ? "does " + w.item : "waits"}, {w.done} done</div>)}
    </section>
  );
}
