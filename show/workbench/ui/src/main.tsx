import "../../../report/shared.css";
import "../../../report/findings.css";
import "../../../report/mine.css";
import "virtual:behaviour.css";
import "./app.css";
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { focus, go } from "./focus";
import { help, onKeys } from "./keys";
import { Palette, SaveView } from "./palette";
import { ResultView } from "./result";
import { RunView } from "./run";
import { run } from "./travel";
import { home, Work } from "./work";

function Help() {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => onKeys({ "?": () => box.current?.showModal(), h: home }), []);
  return (
    <>
      <button type="button" class="small" title="keys (?)" onClick={() => box.current?.showModal()}>?</button>
      <dialog ref={box} aria-label="Keys">
        <h2>Keys</h2>
        <table><tbody>{help.map((h) => <tr key={h.keys}><td>{h.keys.split(" ").map((k) => <kbd key={k}>{k}</kbd>)}</td><td>{h.says}</td></tr>)}</tbody></table>
        <form method="dialog"><button class="main">Close</button></form>
      </dialog>
    </>
  );
}

function App() {
  const { job, run: id } = focus.value;
  const r = run.value;
  return (
    <>
      <header>
        <h1><button type="button" class="link" onClick={home}>Motehound</button></h1>
        <nav aria-label="Views">
          <button type="button" aria-pressed={!job && !id} onClick={home}>Work</button>
          {job ? <button type="button" aria-pressed={!id} onClick={() => go({ run: "", path: "", mote: "", at: "", file: "", line: "" })}>Result of job {job}</button> : null}
          {id ? <button type="button" aria-pressed>Run{r ? " of " + (r.motes.length === 1 ? "1 mote" : r.motes.length + " motes") : ""}</button> : null}
        </nav>
        <span class="space" />
        <SaveView />
        <Palette />
        <Help />
      </header>
      {id ? <RunView /> : job ? <ResultView /> : <Work />}
    </>
  );
}

const root = document.getElementById("app");
if (root) render(<App />, root);
