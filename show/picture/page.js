"use strict";
// The pictures are in the page already; this folds them, and shows code beside them. Text goes onto the page by textContent only. It needs nothing else of the
// page: root has the pictures, and actions are what can be done with a line of a source besides.
const pictured = (root, sources, actions) => {
  const $ = (id) => document.getElementById(id);
  const all = (selector, of) => [...(of || root).querySelectorAll(selector)];
  const el = (tag, attributes, ...children) => {
    const node = document.createElement(tag);
    for (const [k, v] of Object.entries(attributes || {})) {
      if (k.startsWith("on")) node.addEventListener(k.slice(2), v);
      else if (v !== undefined) node.setAttribute(k, v);
    }
    node.append(...children);
    return node;
  };
  const ROW = 26, HEAD = 20, NODE = 20; // as draw_tree.go has them

  // A tree is rows; each has one side or two, with the row of its caller.
  function foldable(svg) {
    const rows = all(".row", svg).map((row) => ({
      row, folds: all(".fold", row), folded: false, layer: 1,
      sides: all(".side", row).map((g) => ({ g, side: g.dataset.side, edge: g.querySelector(".edge") })),
    }));
    const caller = (s) => s.edge ? rows[s.edge.dataset.up] : undefined;
    for (const r of rows) for (const s of r.sides) if (s.edge) r.layer = caller(s).layer + 1;
    const full = Number(svg.getAttribute("height"));
    const gone = (s) => {
      const up = caller(s);
      return up !== undefined && (up.folded || up.sides.some((x) => x.side === s.side && x.gone));
    };
    const draw = () => {
      let next = 0;
      for (const r of rows) {
        for (const s of r.sides) {
          s.gone = gone(s);
          s.g.style.display = s.gone ? "none" : "";
        }
        r.hidden = r.sides.every((s) => s.gone);
        if (r.hidden) continue;
        r.at = next++;
        r.row.setAttribute("transform", "translate(0," + (HEAD + r.at * ROW) + ")");
        for (const s of r.sides) {
          if (!s.edge || s.gone) continue;
          const { x, to } = s.edge.dataset;
          s.edge.setAttribute("d", "M" + x + "," + ((caller(s).at - r.at) * ROW + NODE) + "V" + NODE / 2 + "H" + to);
        }
        for (const f of r.folds) {
          const x = Number(f.dataset.at);
          f.setAttribute("d", r.folded ? "M" + (x + 1) + ",6v8l6,-4z" : "M" + x + ",7h8l-4,6z");
        }
      }
      const height = full - (rows.length - next) * ROW;
      svg.setAttribute("height", height);
      const box = svg.getAttribute("viewBox").split(" ");
      svg.setAttribute("viewBox", [box[0], box[1], box[2], height].join(" "));
    };
    for (const r of rows) for (const f of r.folds) f.addEventListener("click", (e) => { e.stopPropagation(); r.folded = !r.folded; draw(); });
    const deepest = Math.max(0, ...rows.map((r) => r.layer));
    const to = (layer) => { for (const r of rows) r.folded = r.folds.length > 0 && r.layer >= layer; draw(); };
    const open = (row) => { // so that a row is seen
      const up = (r) => { for (const s of r.sides) if (s.edge) { caller(s).folded = false; up(caller(s)); } };
      up(row);
      draw();
    };
    return { rows, deepest, to, open };
  }

  for (const s of all(".pictures section")) s.setAttribute("aria-label", s.querySelector("h3").textContent);
  const trees = new Map();
  for (const svg of all(".figure svg")) {
    svg.style.minWidth = svg.dataset.least + "px"; // what is too wide is made smaller, as far as it can still be read
    if (!svg.querySelector(".row")) continue;
    const tree = foldable(svg);
    trees.set(svg, tree);
    if (tree.deepest < 2) continue;
    const tools = el("div", { class: "tools" }, "layers");
    for (let l = 1; l < tree.deepest && l < 9; l++) tools.append(el("button", { "data-layers": l, onclick: () => tree.to(l) }, String(l)));
    tools.append(el("button", { "data-layers": "all", onclick: () => tree.to(Infinity) }, "all"));
    svg.closest("section").prepend(tools);
  }

  const short = (file) => file.split("/").pop();
  const KEYWORDS = /\b(?:if|else|for|while|do|switch|case|default|return|break|continue|static|inline|const|void|struct|enum|typedef|sizeof|task|event|command|async|atomic|post|call|signal|implementation|module|uses|provides|interface|as)\b/;

  // Comments are dim and keywords bold: enough to find one's way.
  function paint(line, state) {
    const parts = [];
    let rest = line;
    while (rest) {
      if (state.comment) {
        const end = rest.indexOf("*/"), n = end < 0 ? rest.length : end + 2;
        state.comment = end < 0;
        parts.push(el("i", {}, rest.slice(0, n)));
        rest = rest.slice(n);
        continue;
      }
      const m = /\/\/.*|\/\*|"(?:[^"\\]|\\.)*"/.exec(rest);
      const plain = m ? rest.slice(0, m.index) : rest;
      for (let p = plain; p;) {
        const k = KEYWORDS.exec(p);
        if (!k) { parts.push(p); break; }
        parts.push(p.slice(0, k.index), el("b", {}, k[0]));
        p = p.slice(k.index + k[0].length);
      }
      rest = rest.slice(plain.length);
      if (!m) break;
      if (m[0] === "/*") { state.comment = true; parts.push(el("i", {}, "/*")); rest = rest.slice(2); continue; }
      parts.push(m[0].startsWith("//") ? el("i", {}, m[0]) : m[0]);
      rest = rest.slice(m[0].length);
    }
    return parts;
  }

  function showFile(source, line, kind) {
    const s = sources[source];
    if (!s.lines.length) {
      $("text").replaceChildren(el("div", { class: "empty" }, s.file + ": " + (s.note || "the file is empty") + "."));
      return;
    }
    const state = { comment: false };
    const rows = s.lines.map((text, i) => el("div", { class: "line" + (i + 1 === line ? " " + kind : ""), "aria-current": i + 1 === line ? "location" : undefined, "data-line": i + 1 }, el("span", {}, String(i + 1)), el("code", {}, ...paint(text, state))));
    $("text").replaceChildren(...rows);
    const target = rows[line - 1];
    if (target) $("text").scrollTop = Math.max(0, target.offsetTop - $("text").offsetTop - $("text").clientHeight / (kind === "at" ? 4 : 2.5));
  }

  function showCode(node) {
    for (const n of all(".node.picked")) n.classList.remove("picked");
    node.classList.add("picked");
    $("code-name").textContent = node.dataset.name;
    $("code-kind").textContent = kindOf(node);
    const places = [];
    const add = (label, source, line, kind) => places.push(el("button", { onclick: (e) => {
      for (const b of places) b.setAttribute("aria-pressed", String(b === e.currentTarget));
      showFile(source, line, kind);
      $("places").replaceChildren(...places, ...actions(sources[source].file, line));
    } }, label + " " + short(sources[source].file) + ":" + line));
    if (node.dataset.source !== undefined) add("declared at", Number(node.dataset.source), Number(node.dataset.line), "at");
    for (const site of (node.dataset.sites || "").split(" ").filter(Boolean)) {
      const [source, line] = site.split(":").map(Number);
      add("called at", source, line, "site");
    }
    $("places").replaceChildren();
    if (places.length) places[0].click();
    else $("text").replaceChildren(el("div", { class: "empty" }, "Its source is not known: build with -gdwarf-4."));
  }

  const says = { interrupt: "an interrupt's handler", task: "a task, run by the kernel", post: "a post of a task", call: "a call", inlined: "a call, inlined by the compiler", jump: "a call by a jump" };
  function kindOf(node) {
    const kind = Object.keys(says).find((k) => node.classList.contains(k));
    return (says[kind] || "") + (node.classList.contains("leaving") ? "; here the approved path is left" : "");
  }

  function activate(node, act) {
    node.setAttribute("tabindex", "0");
    node.setAttribute("role", "button");
    node.addEventListener("click", act);
    node.addEventListener("keydown", (e) => { if (e.key === "Enter") act(e); });
  }
  for (const node of all(".figure .node")) activate(node, () => showCode(node));

  function goTo(section) {
    section.scrollIntoView({ block: "start" });
    section.classList.add("flash");
    setTimeout(() => section.classList.remove("flash"), 900);
    for (const a of all("#list a")) a.classList.toggle("here", a.getAttribute("href") === "#" + section.id);
    const first = section.querySelector(".node.leaving") || section.querySelector(".node");
    if (first) showCode(first);
  }
  const models = new Map(all("section[data-model]").map((s) => [s.dataset.model, s]));
  for (const box of all(".figure .box[data-model]")) {
    const section = models.get(box.dataset.model);
    if (section) activate(box, () => goTo(section));
  }
  for (const a of all("#list a")) a.addEventListener("click", (e) => { e.preventDefault(); goTo($(a.getAttribute("href").slice(1))); });

  $("search").addEventListener("input", () => {
    const query = $("search").value.trim().toLowerCase();
    let hits = 0, sections = 0;
    for (const section of all(".pictures section")) {
      let found = !query || section.querySelector("h3").textContent.toLowerCase().includes(query);
      const svg = section.querySelector("svg"), tree = trees.get(svg);
      for (const node of all(".node", section)) {
        const hit = query !== "" && node.dataset.name.toLowerCase().includes(query);
        node.classList.toggle("hit", hit);
        if (!hit) continue;
        hits++;
        found = true;
        const row = tree && tree.rows.find((r) => r.row.contains(node));
        if (row && row.hidden) tree.open(row);
      }
      section.hidden = !found;
      sections += found;
      const a = root.querySelector('#list a[href="#' + section.id + '"]');
      if (a) a.hidden = !found;
    }
    $("found").textContent = query ? hits + " functions in " + sections + " pictures" : "";
  });
  $("search").addEventListener("keydown", (e) => { if (e.key === "Escape") { $("search").value = ""; $("search").dispatchEvent(new Event("input")); } });

  const begin = root.querySelector(".violation .node.leaving") || root.querySelector(".violation .node[data-source]") ||
    root.querySelector(".pictures .node[data-source]") || root.querySelector(".pictures .node");
  if (begin) showCode(begin);
};
