// The page of findings, as a pane: it puts data onto any element, and needs nothing else of the page but the tip. Around is the page: which finding was chosen
// there, by its number, what happens when another one is, and what can be done with one.
const findings = (root, data, around) => {
  const page = around || {
    chosen: () => window.location.hash.slice(1),
    choose: (n) => window.history.replaceState(null, "", "#" + n),
    actions: () => [],
  };
  const { el, grouped, counted, skipped } = ui;
  let chosen = 0;

  const items = (texts, attributes) => el("ul", attributes || {}, ...texts.map((t) => el("li", {}, t)));
  const part = (title, ...nodes) => nodes.some(Boolean) ? [el("h3", {}, title), ...nodes.filter(Boolean)] : [];
  const word = { doubtful: "may be none" };
  const grade = (f) => el("span", { class: "grade " + f.grade }, word[f.grade] || f.grade);

  function verdict() {
    const kind = data.verdict === "violated" ? " bad" : data.verdict === "unknown" ? " unknown" : "";
    return el("div", { class: "verdict" + kind, role: "status" }, data.says[0], ...data.says.slice(1).map((t) => el("p", {}, t)),
      ...(data.left_out.length ? [el("p", {}, counted(data.left_out.length, "thing") + " left out: ", el("a", { href: "#limits" }, "see the limits"))] : []));
  }

  function list() {
    return el("nav", { "aria-label": "findings" }, ...data.findings.map((f, i) => el("button", { "aria-pressed": String(i === chosen), "data-finding": f.number, onclick: () => choose(i) },
      el("b", {}, f.number + ". " + f.title), grade(f), el("span", {}, f.place))));
  }

  // code is an excerpt of a source file.
  function code(x) {
    if (!x.lines.length) return el("div", { class: "source" }, el("div", { class: "note" }, x.file + ": " + x.note + "."), items(x.marks.map((m) => "line " + m.from + (m.to > m.from ? " to " + m.to : "") + ": " + m.says), { class: "facts" }));
    const body = el("tbody");
    let last = x.lines[0].n - 1;
    for (const l of x.lines) {
      const marks = x.marks.filter((m) => m.from <= l.n && l.n <= m.to);
      const says = x.marks.filter((m) => m.from === l.n).map((m) => el("span", { class: m.kind }, m.says));
      body.append(skipped(last, l.n), el("tr", { "data-line": l.n, class: marks.map((m) => m.kind).join(" ") || undefined }, el("td", { class: "no" }, String(l.n)), el("td", { class: "text" }, l.text),
        el("td", { class: "mark" }, ...says)), says.length ? el("tr", { class: "below" }, el("td"), el("td", { class: "mark", colspan: 2 }, ...says.map((s) => s.cloneNode(true)))) : "");
      last = l.n;
    }
    return el("div", { class: "source", tabindex: 0 }, el("table", {}, el("caption", {}, x.file), body));
  }

  // change shows "name: old -> new" with the new value standing out.
  function change(text) {
    const at = text.indexOf(": "), to = text.indexOf(" -> ", at);
    if (at < 0 || to < 0) return el("code", {}, text);
    return el("code", {}, text.slice(0, at + 2), el("span", { class: "was" }, text.slice(at + 2, to) + " → "), el("span", { class: "now" }, text.slice(to + 4)));
  }

  const values = (list) => list.some((v) => v.changed.length) && el("div", { class: "scroll", tabindex: 0 }, el("table", { class: "values" }, el("tbody", {}, ...[...list].reverse().map((v) => el("tr", {},
    el("td", { class: "n" }, String(v.number)), el("td", {}, v.event), el("td", {}, ...(v.changed.length ? v.changed.map(change) : [el("i", {}, "nothing that has a name")])))))));

  const commands = (list) => el("div", { class: "commands" }, ...list.map((c) => {
    const text = el("code", {}, c.text);
    const copy = el("button", { class: "small", onclick: () => {
      getSelection().selectAllChildren(text);
      document.execCommand("copy");
      copy.textContent = "copied";
    } }, "copy");
    return el("div", {}, ...(c.text ? [text, copy] : []), el("span", {}, c.about));
  }));

  const lists = (all) => all.flatMap((l) => [el("h3", {}, l.name), l.items.length > 12 ?
    el("details", { class: "list" }, el("summary", {}, counted(l.items.length, "line")), items(l.items, { class: "plain" })) : items(l.items, { class: "plain" })]);

  function finding(f) {
    const warnings = f.warnings.length ? [el("div", { class: "box warn" }, ...f.warnings.map((t) => el("p", {}, t)))] : [];
    const repair = (f.repair || []).length ? [el("div", { class: "box repair" }, ...f.repair.map((t) => el("p", {}, t)))] : [];
    return el("section", { class: "finding", id: "finding" },
      el("h2", {}, grade(f), f.number + ". " + f.title), el("p", { class: "says" }, f.says), el("div", { class: "marks" }, ...f.marks.map((m) => el("span", {}, m))),
      ...warnings, f.facts.length ? items(f.facts, { class: "facts" }) : "",
      ...page.actions(f), ...part("To see it again", commands(f.commands)),
      ...part("Source", ...f.code.map(code)), ...part("Repair", ...repair),
      ...part("What the last events changed, the last one first", values(f.values)),
      ...lists(f.lists),
      ...(f.chart ? [el("h3", {}, "Events"), el("p", { class: "jumps" }), el("div", { class: "chart" }), el("div", { class: "key" })] : []));
  }

  function choose(i) {
    chosen = i;
    show();
    if (page.chosen() !== String(data.findings[i].number)) page.choose(data.findings[i].number);
  }

  // The tree of outcomes: by how they end, then one by one, then what must hold for one. One that fails leads to the line.
  function ends() {
    if (!data.ends.length) return [];
    const where = (e) => el("button", { class: "small where", onclick: () => {
      choose(data.findings.findIndex((f) => f.number === e.finding));
      root.querySelector("#finding").scrollIntoView({ block: "start" });
    } }, "show the line");
    const outcome = (o) => o.conditions.length ? el("details", { class: "conditions" }, el("summary", {}, o.says, " ", el("i", {}, counted(o.conditions.length, "condition"))), items(o.conditions, { class: "plain" })) : o.says;
    return [el("section", { class: "more-known outcomes" }, el("h2", {}, "Outcomes, by how they end"), ...data.ends.map((e) => el("details", { class: "end" + (e.bad ? " violates" : ""), open: e.bad || data.ends.length === 1 ? "" : undefined },
      el("summary", {}, el("b", {}, grouped(e.count) + " ×"), " ", el("span", {}, e.says)), e.finding ? where(e) : "",
      el("ul", {}, ...e.outcomes.map((o) => el("li", { "data-outcome": o.number }, outcome(o))), e.count > e.outcomes.length ? el("li", { class: "empty" }, "… and " + grouped(e.count - e.outcomes.length) + " more") : ""))))];
  }

  function known() {
    return el("section", { class: "more-known", id: "limits" }, el("h2", {}, "What was explored, and what was not"), items(data.explored),
      ...lists(data.lists), el("h3", {}, "Left out"), data.left_out.length ? items(data.left_out, { class: "limits" }) : el("p", { class: "empty" }, "Nothing that is known."),
      ...data.bounded.map((t) => el("p", { class: "empty" }, t)));
  }

  function show() {
    const f = data.findings[chosen];
    const pane = f ? [el("div", { class: "pane" + (data.findings.length > 1 ? "" : " alone") }, ...(data.findings.length > 1 ? [list()] : []), finding(f))] : [];
    root.replaceChildren(verdict(), ...pane, ...ends(), known());
    if (f && f.chart) sequence(root.querySelector(".chart"), root.querySelector(".key"), root.querySelector(".jumps"), f.chart);
  }

  const named = data.findings.findIndex((f) => String(f.number) === page.chosen());
  chosen = Math.max(0, named);
  show();
  let width = root.clientWidth;
  window.addEventListener("resize", () => { if (root.clientWidth !== width) { width = root.clientWidth; show(); } });
};
