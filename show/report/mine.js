// The page of mine, as a pane: it puts data onto an element that has the parts of mine.html, and needs nothing else of the page but the tip. Around, if somebody
// may judge intervals, has what they said, by key, and is told more.
const mined = (root, data, around) => {
  const $ = (id) => root.querySelector("#" + id);
  const state = { vector: 0, rank: 1, sort: "rank", down: false, open: new Set(), file: -1 };

  const { el, svg, grouped, short, hint, skipped } = ui;
  const time = (cycles) => {
    const us = cycles / ranking().hertz * 1e6;
    return us < 1000 ? us.toFixed(us < 10 ? 1 : 0) + " µs" : us < 1e6 ? (us / 1000).toFixed(us < 1e4 ? 2 : 1) + " ms" : (us / 1e6).toFixed(2) + " s";
  };
  const hex = (pc) => "0x" + pc.toString(16).padStart(4, "0");
  const place = (p) => (p.function || "code at " + hex(p.pc)) + (p.file ? " (" + short(p.file) + ":" + p.line + ")" : p.function ? " at " + hex(p.pc) : "");
  const bytes = (l) => l.part ? "" : l.first_byte === l.last_byte ? ", byte " + l.first_byte : ", bytes " + l.first_byte + " to " + l.last_byte;
  const times = (n) => n === 1 ? "once" : n === 2 ? "twice" : n + " times";
  const ranking = () => data.rankings[state.vector];
  const firmwares = [...new Set(data.rankings.map((r) => r.firmware))];
  const shown = () => [...ranking().ranking, ...(ranking().beyond || [])];
  const detail = (rank) => ranking().details.find((d) => d.rank === rank);

  // Red is outside of the detector's boundary, the deeper the farther; the usual is blue to grey.
  const colour = (score, worst) => score < 0
    ? "hsl(" + (28 - 24 * Math.log1p(-score) / Math.log1p(-worst)) + " 78% 52%)"
    : "hsl(215 " + (20 + 45 * Math.min(1, score)) + "% 58%)";

  function showVectors() {
    $("vectors").replaceChildren(...data.rankings.map((r, i) => el("button", {
      "aria-pressed": String(i === state.vector), class: r.stand_out ? "bad" : undefined,
      onclick: () => { Object.assign(state, { vector: i, rank: 1, file: -1 }); state.open.clear(); showAll(); },
    }, (firmwares.length > 1 ? short(r.firmware) + " · " : "") + r.vector_name + " · " + r.intervals)));
  }

  function showVerdict() {
    const r = ranking();
    $("verdict").textContent = r.says;
    $("verdict").className = "verdict " + (r.ranked === "stands_out" ? "bad" : r.ranked === "unknown" ? "unknown" : "");
    const runs = data.runs.filter((x) => x.firmware === r.firmware || (x.also || []).includes(r.firmware));
    const names = [...new Set(runs.flatMap((x) => (x.values || []).map((v) => v.name)))];
    const swept = names.map((n) => n + " = " + [...new Set(runs.flatMap((x) => x.values.filter((v) => v.name === n).map((v) => v.value)))].join(", "));
    $("facts").textContent = r.vector_name + " (vector " + r.vector + "): " + grouped(r.intervals) + " event-handling intervals, " + grouped(r.distinct) +
      " different ones, ranked by " + r.detector + ", of " + runs.length + (runs.length === 1 ? " run" : " runs") + " of " + r.firmware + " on " + r.board +
      (swept.length ? ", with " + swept.join(" and ") : "") + ".";
  }

  // What somebody said of intervals moves those that deviate in the same way: up if it is a symptom, down if it is harmless.
  const judged = () => around ? around.judged() : {};
  const keyOf = (e) => [ranking().firmware, ranking().vector, e.run, e.mote, e.instance].join(" ");
  const deviations = (e) => {
    const all = new Map((e.why || []).map((y) => [y.pc, y.weight * (y.count > y.usual ? 1 : -1)]));
    for (const l of e.lost || []) all.set("lost " + l.variable + " " + place(l.wrote), 1);
    return all;
  };
  function likeness(a, b) {
    const x = deviations(a), y = deviations(b), length = (m) => Math.sqrt([...m.values()].reduce((n, v) => n + v * v, 0));
    let dot = 0;
    for (const [k, v] of x) dot += v * (y.get(k) || 0);
    return dot / (length(x) * length(y) || 1);
  }
  function moved(entries) {
    const said = judged(), pull = new Map();
    const those = (what) => entries.filter((e) => said[keyOf(e)] === what);
    const most = (e, list) => Math.max(0, ...list.map((x) => x === e ? 1 : likeness(x, e)));
    const yes = those("confirmed"), no = those("rejected");
    for (const e of entries) {
      const by = most(e, yes) - most(e, no);
      pull.set(e.rank, Math.abs(by) < 0.5 ? 0 : by);
    }
    return pull;
  }

  const columns = [
    ["rank", "rank", (e) => e.rank], ["run", "run", (e) => e.run + (e.with ? ": " + e.with : "")], ["mote", "mote", (e) => e.mote], ["instance", "instance", (e) => e.instance],
    ["score", "score", (e) => e.score], ["length", "length", (e) => e.end_cycle - e.start_cycle], ["tasks", "tasks", (e) => e.tasks.join(", ")],
  ];

  function gist(e) {
    if (e.lost) return "lost " + e.lost[0].variable + e.lost[0].part + ", written by " + place(e.lost[0].wrote);
    if (e.score < 0 && e.why && e.why.length) return place(e.why[0]) + " ran " + e.why[0].count + " times, usually " + e.why[0].usual;
    return "";
  }

  function row(e, members) {
    const text = [e.rank, e.run + (e.with ? ": " + e.with : ""), e.mote, e.instance, e.score.toFixed(3), time(e.end_cycle - e.start_cycle)];
    const cells = text.map((t, i) => el("td", { class: "n" + (i === 0 && e.stands_out ? " flag bad" : "") }, String(t)));
    const tasks = el("td", { class: "tasks", title: e.tasks.join(", ") }, e.tasks.join(", "));
    if (judged()[keyOf(e)]) tasks.prepend(el("span", { class: "said " + judged()[keyOf(e)] }, judged()[keyOf(e)]), " ");
    if (members) {
      tasks.prepend(el("button", { class: "more", style: "margin: 0 6px 0 0", onclick: (x) => {
        x.stopPropagation();
        state.open.has(e.rank) ? state.open.delete(e.rank) : state.open.add(e.rank);
        showRanking();
      } }, (state.open.has(e.rank) ? "hide " : "+") + members + " alike"));
    }
    return el("tr", { "data-rank": e.rank, "aria-selected": String(e.rank === state.rank), tabindex: 0, onclick: () => choose(e.rank),
      class: (e.same_as ? "member " : "") + (!e.same_as && gist(e) ? "hasgist" : ""), onkeydown: (x) => { if (x.key === "Enter") choose(e.rank); } }, ...cells, tasks);
  }

  function showRanking() {
    const entries = shown();
    const value = columns.find((c) => c[0] === state.sort)[2];
    const pull = state.sort === "rank" ? moved(entries) : new Map();
    const order = (a, b) => { const x = value(a), y = value(b), up = (pull.get(b.rank) || 0) - (pull.get(a.rank) || 0); return up !== 0 ? up : (x < y ? -1 : x > y ? 1 : a.rank - b.rank) * (state.down ? -1 : 1); };
    const body = el("tbody");
    for (const e of entries.filter((x) => !x.same_as).sort(order)) {
      const members = entries.filter((x) => x.same_as === e.rank);
      body.append(row(e, members.length));
      if (gist(e)) body.append(el("tr", { class: "gist", "data-of": e.rank, onclick: () => choose(e.rank) }, el("td"), el("td", { colspan: 6 }, gist(e))));
      if (state.open.has(e.rank)) body.append(...members.sort(order).map((x) => row(x, 0)));
    }
    const head = columns.map(([key, title], i) => el("th", { class: i < 6 ? "n" : undefined, "data-key": key,
      "aria-sort": key === state.sort ? (state.down ? "descending" : "ascending") : undefined,
      onclick: () => { state.down = key === state.sort && !state.down; state.sort = key; showRanking(); } }, title));
    $("ranking").replaceChildren(el("thead", {}, el("tr", {}, ...head)), body);
  }

  function showScatter() {
    const points = ranking().points, w = 560, h = 380, pad = 24;
    const range = (of) => { const all = points.map(of), lo = Math.min(...all), hi = Math.max(...all); return [lo, hi - lo || 1]; };
    const [x0, dx] = range((p) => p.x), [y0, dy] = range((p) => p.y);
    const worst = Math.min(-1e-9, ...points.map((p) => p.score)), most = Math.max(...points.map((p) => p.intervals));
    const chosen = detail(state.rank), at = chosen && points.reduce((best, p) => p.rank <= state.rank && same(p, chosen) ? p : best, undefined);
    const dots = [...points].sort((a, b) => b.rank - a.rank).map((p) => svg("circle", {
      class: "dot" + (p.stands_out ? " out" : "") + (p === at ? " picked" : ""), "data-rank": p.rank,
      cx: (pad + (p.x - x0) / dx * (w - 2 * pad)).toFixed(1), cy: (h - pad - (p.y - y0) / dy * (h - 2 * pad)).toFixed(1),
      r: (4 + 9 * Math.sqrt(p.intervals / most)).toFixed(1), fill: colour(p.score, worst), onclick: () => choose(p.rank),
      ...hint("rank " + p.rank + ", score " + p.score.toFixed(3) + "\n" + grouped(p.intervals) + (p.intervals === 1 ? " interval" : " equal intervals") +
        (p.stands_out ? "\nstands out" : "")),
    }));
    $("scatter").setAttribute("viewBox", "0 0 " + w + " " + h);
    $("scatter").replaceChildren(svg("line", { class: "axis", x1: pad / 2, y1: h - pad / 2, x2: w - pad / 2, y2: h - pad / 2 }),
      svg("line", { class: "axis", x1: pad / 2, y1: pad / 2, x2: pad / 2, y2: h - pad / 2 }),
      svg("text", { x: w - pad / 2, y: h - pad / 2 - 4, "text-anchor": "end" }, "first component"), svg("text", { x: pad / 2 + 5, y: 16 }, "second component"), ...dots);
    $("legend").textContent = "A point is all intervals with the same counter, the larger the more. Blue is usual, orange to red ever less so; a red ring stands out. Click one to choose it.";
  }
  // An interval's point has its score, and a rank that is not after it.
  const same = (p, e) => p.score === e.score && p.rank <= e.rank;

  function showLost(e) {
    $("lost").replaceChildren(...(e.lost ? [el("ul", {}, ...e.lost.map((l) => el("li", {}, el("b", {}, l.variable + l.part), bytes(l) + ", written by ",
      el("code", {}, place(l.wrote)), l.overwrote ? ", was overwritten by " : ", was not used until the run ended", l.overwrote ? el("code", {}, place(l.overwrote)) : "",
      ". It was " + (l.reads === 0 ? "never read" : "read " + times(l.reads)) + "; what is written there is read " + times(l.usual) + " or more.")))] : []));
  }

  // An interval that is not normal is beside the nearest one that is, on the same scale.
  function showTimeline(e) {
    const normal = (ranking().normal || []).find((n) => n.rank === e.nearest), length = (x) => Math.max(1, x.end_cycle - x.start_cycle);
    const total = Math.max(length(e), normal ? length(normal) : 1);
    $("normal-box").hidden = !normal;
    drawTimeline($("timeline"), e, total, normal ? "this interval" : "", !!normal);
    if (normal) drawTimeline($("normal"), normal, total, "the nearest normal interval: rank " + normal.rank + ", mote " + normal.mote + ", instance " + normal.instance, true);
    $("timeline-legend").textContent = "Blue: the interval's own handler and tasks, dashed while a task waits. Orange: what came in between. From cycle " + grouped(e.start_cycle) + " to " + grouped(e.end_cycle) +
      (normal ? "; the normal one from cycle " + grouped(normal.start_cycle) + " to " + grouped(normal.end_cycle) : "") + ".";
  }

  function drawTimeline(onto, e, total, title, half) {
    const left = half ? 190 : 250, w = half ? 650 : 1300, lane = 26, top = title ? 44 : 24, longest = half ? 28 : 38;
    const lanes = [];
    const laneOf = (own, name) => {
      let i = lanes.findIndex((l) => l.own === own && l.name === name);
      if (i < 0) i = lanes.push({ own, name }) - 1;
      return i;
    };
    const steps = e.steps.filter((s) => s.name);
    for (const s of steps) if (s.own) laneOf(true, s.name);
    for (const p of e.posts) laneOf(true, p.name);
    for (const s of steps) if (!s.own) laneOf(false, s.name);
    const x = (c) => left + c / total * (w - left - 10), y = (i) => top + i * lane;
    const out = [];
    for (let i = 0; i <= 4; i++) {
      out.push(svg("line", { class: "axis", x1: x(total * i / 4), x2: x(total * i / 4), y1: top - 6, y2: y(lanes.length) }),
        svg("text", { x: x(total * i / 4), y: top - 12, "text-anchor": i === 4 ? "end" : i ? "middle" : "start" }, i ? time(total * i / 4) : "0"));
    }
    lanes.forEach((l, i) => {
      const name = l.name.length > longest ? l.name.slice(0, longest - 1) + "…" : l.name;
      out.push(svg("line", { class: "lane", x1: left, x2: w, y1: y(i) + lane / 2, y2: y(i) + lane / 2 }),
        svg("text", { class: "lane-name", x: left - 10, y: y(i) + lane / 2 + 4, "text-anchor": "end" }, name, svg("title", {}, l.name)));
    });
    for (const p of e.posts) {
      const at = y(laneOf(true, p.name)) + lane / 2, until = p.state === "waiting" ? total : p.start;
      out.push(svg("line", { class: "wait", x1: x(p.posted), x2: x(until), y1: at, y2: at }),
        svg("circle", { class: "post", cx: x(p.posted), cy: at, r: 3.5, ...hint(p.name + " was posted at " + time(p.posted)) }));
    }
    for (const s of steps) {
      out.push(svg("rect", { class: "step " + (s.own ? "own" : "other"), x: x(s.from).toFixed(1), width: Math.max(2, x(s.to) - x(s.from)).toFixed(1),
        y: y(laneOf(s.own, s.name)) + 5, height: lane - 10, rx: 2,
        ...hint(s.name + "\n" + (s.own ? "of this interval" : "came in between") + "\nfrom " + time(s.from) + " to " + time(s.to) + ", " + grouped(s.to - s.from) + " cycles") }));
    }
    const moments = new Map();
    for (const l of e.lost || []) {
      if (l.wrote_cycle >= e.start_cycle && l.wrote_cycle <= e.end_cycle) moments.set(l.wrote_cycle - e.start_cycle, l.variable + l.part + " is written");
      if (l.overwrote && l.overwrote_cycle >= e.start_cycle && l.overwrote_cycle <= e.end_cycle) moments.set(l.overwrote_cycle - e.start_cycle, l.variable + l.part + " is overwritten");
    }
    let label = -1e9;
    for (const [c, text] of [...moments].sort((a, b) => a[0] - b[0])) {
      out.push(svg("line", { class: "moment", x1: x(c), x2: x(c), y1: top - 4, y2: y(lanes.length) + 4, ...hint(text + " at " + time(c)) }));
      if (x(c) - label > 40) out.push(svg("text", { class: "moment-name", x: x(c) + (x(c) > w * .7 ? -5 : 5), y: y(lanes.length) + 4, "text-anchor": x(c) > w * .7 ? "end" : "start" }, text));
      label = x(c);
    }
    if (title) out.push(svg("text", { class: "lane-name", x: 4, y: 14 }, title));
    onto.setAttribute("viewBox", "0 0 " + w + " " + (y(lanes.length) + 12));
    onto.replaceChildren(...out);
  }

  function showWhy(e) {
    if (!e.why || !e.why.length) {
      $("why").replaceChildren(el("tbody", {}, el("tr", {}, el("td", {}, e.score < 0 ? "Too far down the ranking to be explained here: see --top." : "It is as usual."))));
      return;
    }
    const head = el("thead", {}, el("tr", {}, ...["part", "place", "ran", "usually"].map((t, i) => el("th", { class: i > 1 ? "n" : undefined }, t))));
    const most = Math.max(...e.why.map((y) => y.weight));
    $("why").replaceChildren(head, el("tbody", {}, ...e.why.map((y) => {
      const code = e.code.find((c) => c.pc === y.pc);
      return el("tr", { "data-pc": y.pc }, el("td", {}, el("span", { class: "bar", style: "width:" + Math.max(2, 70 * y.weight / most).toFixed(0) + "px" }), " " + (100 * y.weight).toFixed(0) + " %"),
        el("td", {}, el("code", {}, place(y)), code && code.lines && code.lines.length ? el("details", {}, el("summary", {}, "instructions"), el("pre", {}, code.lines.join("\n"))) : ""),
        el("td", { class: "n" }, grouped(y.count)), el("td", { class: "n" }, grouped(y.usual)));
    })));
  }

  const strength = (h) => Math.abs(h.count - h.usual) / Math.max(h.count, h.usual, 1);
  const heat = (h) => h.count === h.usual ? "rgb(128 128 128 / .08)" : (h.count > h.usual ? "rgb(214 58 40 / " : "rgb(52 110 214 / ") + (0.12 + 0.33 * strength(h)).toFixed(2) + ")";

  function filesOf(e) {
    const weight = new Map();
    for (const h of e.heat) weight.set(h.file, (weight.get(h.file) || 0) + strength(h) / 1000);
    const index = (name) => name in ranking().files ? ranking().files[name] : -1;
    for (const y of e.why || []) if (y.file) weight.set(index(y.file), (weight.get(index(y.file)) || 0) + y.weight);
    for (const l of e.lost || []) if (l.wrote.file) weight.set(index(l.wrote.file), 10 + (weight.get(index(l.wrote.file)) || 0));
    return [...weight.keys()].filter((i) => i >= 0).sort((a, b) => weight.get(b) - weight.get(a) || a - b);
  }

  function showSource(e) {
    const files = filesOf(e);
    if (!files.includes(state.file)) state.file = files.length ? files[0] : -1;
    $("files").replaceChildren(...files.map((i) => el("button", { "aria-pressed": String(i === state.file), title: data.sources[i].file,
      onclick: () => { state.file = i; showSource(e); } }, short(data.sources[i].file))));
    const s = data.sources[state.file];
    if (!s) {
      $("source").replaceChildren(el("div", { class: "note" }, "No source is known for this interval: the firmware has no line numbers for what ran (compile with -gdwarf-4), or it is as usual."));
      return;
    }
    const lines = e.heat.filter((h) => h.file === state.file), named = new Set();
    for (const p of [...(e.why || []), ...(e.lost || []).map((l) => l.wrote), ...(e.lost || []).map((l) => l.overwrote)]) if (p && p.file === s.file) named.add(p.line);
    const lost = (e.lost || []).map((l) => l.wrote).filter((p) => p.file === s.file).map((p) => p.line);
    s.lines.length ? showText(s, lines, named, lost) : showTable(s, lines, named);
  }

  const ran = (h) => h ? grouped(h.count) + " ×" + (h.count === h.usual ? "" : ", usually " + grouped(h.usual)) : "";

  function showText(s, lines, named, lost) {
    const hot = new Map(lines.map((h) => [h.line, h])), near = 5, shown = new Set();
    for (const n of [...hot.keys(), ...named]) for (let i = n - near; i <= n + near; i++) if (i >= 1 && i <= s.lines.length) shown.add(i);
    const body = el("tbody");
    let last = 0;
    for (const n of [...shown].sort((a, b) => a - b)) {
      body.append(skipped(last, n));
      const h = hot.get(n);
      body.append(el("tr", { "data-line": n, class: named.has(n) ? "named" : undefined }, el("td", { class: "no" }, String(n)), el("td", { class: "ran" }, ran(h)),
        el("td", { class: "text", style: h ? "background:" + heat(h) : undefined }, s.lines[n - 1])));
      last = n;
    }
    $("source").replaceChildren(el("table", {}, body));
    const first = lost.length ? lost[0] : [...named].sort((a, b) => a - b)[0], line = first && body.querySelector('[data-line="' + first + '"]');
    if (line) $("source").scrollTop = Math.max(0, line.offsetTop - 140);
  }

  function showTable(s, lines, named) {
    const rows = [...lines].sort((a, b) => strength(b) - strength(a) || a.line - b.line).map((h) => el("tr", { "data-line": h.line, class: named.has(h.line) ? "named" : undefined },
      el("td", { class: "no" }, String(h.line)), el("td", { class: "ran" }, ran(h)), el("td", { class: "text", style: "background:" + heat(h) }, h.function)));
    $("source").replaceChildren(el("div", { class: "note" }, s.file + ": " + s.note + ". Its lines by number and function:"), el("table", {}, el("tbody", {}, ...rows)));
  }

  function showJudgement(e) {
    const now = judged()[keyOf(e)] || "";
    const say = (what) => around.judge(keyOf(e), what).then(() => { showRanking(); choose(e.rank); });
    const choice = (what, text) => el("button", { type: "button", "aria-pressed": String(now === what), onclick: () => say(now === what ? "" : what) }, text);
    $("judgement").replaceChildren(choice("confirmed", "It is a symptom"), choice("rejected", "It is harmless"),
      el("span", { class: "empty" }, now ? "The ranking follows: intervals that deviate in the same way go with it. Click again to take it back." : "The ranking follows what you say."));
  }

  function choose(rank) {
    state.rank = rank;
    state.file = -1;
    for (const tr of root.querySelectorAll("#ranking tr[data-rank]")) tr.setAttribute("aria-selected", String(Number(tr.dataset.rank) === rank));
    showScatter();
    const e = detail(rank);
    if (!e) {
      $("chosen-title").textContent = "Rank " + rank + ": too far down the ranking for this report";
      return;
    }
    $("chosen-title").textContent = "Rank " + e.rank + ": run " + e.run + (e.with ? " (" + e.with + ")" : "") + ", mote " + e.mote + ", instance " + e.instance + ", score " + e.score.toFixed(3) +
      ", " + time(e.end_cycle - e.start_cycle) + (e.stands_out ? ": stands out" : "");
    if (around) showJudgement(e);
    showLost(e);
    showTimeline(e);
    showWhy(e);
    showSource(e);
  }

  function showAll() {
    showVectors();
    showVerdict();
    showRanking();
    choose(ranking().details.length ? state.rank : 0);
  }

  $("bounded").textContent = (data.bounded || []).join(" ");
  $("firmware").textContent = firmwares.join(", ");
  // Begin where most stands out, or else where most is unusual.
  data.rankings.forEach((r, i) => {
    const best = ranking();
    if (r.stand_out > best.stand_out || r.stand_out === best.stand_out && r.unusual > best.unusual) state.vector = i;
  });
  const out = shown().find((e) => e.stands_out);
  if (out) state.rank = out.rank;
  showAll();
};
