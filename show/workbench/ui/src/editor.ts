// The editor of scenarios: CodeMirror, loaded when somebody edits. It lives in a shadow tree, where its styles need no exception from the page's policy.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, linter } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { ScenarioError } from "./documents";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.definitionKeyword], color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.number, tags.bool], color: "var(--good)" },
  { tag: tags.comment, color: "var(--dim)" },
]);

const looks = EditorView.theme({
  "&": { height: "100%", color: "var(--fg)", backgroundColor: "var(--bg)", fontSize: "13px" },
  "&.cm-focused": { outline: "2px solid var(--accent)" },
  ".cm-scroller": { fontFamily: 'ui-monospace, "DejaVu Sans Mono", Menlo, monospace', overflow: "auto" },
  ".cm-gutters": { backgroundColor: "var(--card)", color: "var(--dim)", borderRight: "1px solid var(--line)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--fg)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { background: "var(--pick) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--fg)", border: "1px solid var(--line)" },
});

export interface Editor {
  text(): string;
  /** goTo puts the cursor to a line and column, which count from 1. */
  goTo(line: number, column: number): void;
  close(): void;
}

/** edit opens an editor in an element. Check says what is wrong with a text. */
export function edit(host: HTMLElement, text: string, check: (text: string) => Promise<ScenarioError[]>): Editor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: "open" });
  root.replaceChildren();
  const where = (state: EditorState, line: number, column: number): number => {
    const at = state.doc.line(Math.min(Math.max(line, 1), state.doc.lines));
    return Math.min(at.from + Math.max(column - 1, 0), at.to);
  };
  const lints = linter(async (view): Promise<Diagnostic[]> => {
    const now = view.state;
    return (await check(now.doc.toString())).map((e) => {
      const from = where(now, e.line, e.column);
      const to = Math.max(from, now.wordAt(from)?.to ?? now.doc.lineAt(from).to);
      return { from, to, severity: "error", message: e.text };
    });
  }, { delay: 300 });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({ doc: text, extensions: [
      lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), python(), indentUnit.of("    "), syntaxHighlighting(colours), looks, lints,
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]), EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "text of the scenario", tabindex: "0" }),
    ] }),
  });
  view.focus();
  return {
    text: () => view.state.doc.toString(),
    goTo: (line, column) => {
      const at = where(view.state, line, column);
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
    close: () => view.destroy(),
  };
}
