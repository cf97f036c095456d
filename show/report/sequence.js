// sequence draws a chart: a row is an event, with a strip of all life lines in the middle. Which rows there are is decided elsewhere.
const sequence = (root, key, jumps, chart) => {
  const { el, svg, grouped, counted, hint } = ui;
  const y = 12, open = new Set(), used = new Set();
  const wide = root.clientWidth || 800, numbers = Math.max(26, 12 + 8 * String(Math.max(1, ...chart.rows.map((r) => r.n || 0))).length);
  const step = Math.max(15, Math.min(84, (wide - numbers) * (wide < 600 ? .34 : .45) / chart.lanes.length));
  const x = (lane) => Math.round(step * (lane + .5));
  root.style.setProperty("--numbers", numbers + "px");
  root.style.setProperty("--lanes", Math.ceil(step * chart.lanes.length) + "px");

  const shapes = {
    interrupt: (x) => svg("circle", { class: "glyph interrupt", cx: x, cy: y, r: 4.5 }),
    task: (x) => svg("rect", { class: "glyph task", x: x - 4, y: y - 4, width: 8, height: 8 }),
    frame: (x) => svg("path", { class: "glyph frame", d: "M" + x + " " + (y - 5) + "l5 5l-5 5l-5 -5z" }),
    input: (x) => svg("path", { class: "glyph input", d: "M" + x + " " + (y - 5) + "l5 5l-5 5l-5 -5z" }),
    fault: (x) => svg("path", { class: "glyph fault", d: "M" + (x + 2) + " " + (y - 9) + "l-7 11h4l-2 8l7 -11h-4z" }),
    heal: (x) => svg("path", { class: "glyph heal", d: "M" + (x - 5) + " " + y + "h10M" + x + " " + (y - 5) + "v10" }),
    within: (x) => svg("g", {}, svg("rect", { class: "glyph body", x: x - 4, y: y - 10, width: 8, height: 20 }), svg("circle", { class: "glyph within", cx: x, cy: y, r: 5 })),
  };
  const kindOf = (r) => r.within ? "within" : r.class;

  // arrow is a frame that goes from one life line to another; a lost one ends before it arrives.
  function arrow(from, to, lost) {
    const way = Math.sign(to - from), end = to - way * (lost ? 12 : 6), out = [svg("line", { class: "arrow" + (lost ? " lost" : ""), x1: from, y1: y, x2: end, y2: y })];
    if (lost) out.push(svg("path", { class: "cross", d: "M" + (end - 4) + " " + (y - 4) + "l8 8m0 -8l-8 8" }));
    else out.push(svg("path", { class: "tip", d: "M" + (to - way * 5) + " " + y + "l" + -way * 8 + " -4v8z" }));
    return out;
  }

  function strip(r) {
    const out = chart.lanes.map((_, i) => svg("line", { class: "life", x1: x(i), x2: x(i), y1: 0, y2: "100%" }));
    if (r.cycle || r.lane < 0 && r.class) out.push(svg("line", { class: "rule", x1: 2, x2: step * chart.lanes.length - 2, y1: y, y2: y }));
    if (!r.class) return svg("svg", { "aria-hidden": "true" }, ...out);
    const at = r.lane < 0 ? x(0) : x(r.lane), sent = r.from >= 0 && r.from !== r.lane;
    used.add(r.lost ? "lost" : kindOf(r));
    if (sent) out.push(svg("circle", { class: "tip", cx: x(r.from), cy: y, r: 2.5 }), ...arrow(x(r.from), at, r.lost));
    if (!r.lost || !sent) out.push((shapes[kindOf(r)] || shapes.task)(at));
    if (sent && !r.lost) out.push(...arrow(x(r.from), at, false).slice(1));
    if (r.mark) out.push(svg("circle", { class: "ring", cx: at, cy: y, r: 9 }));
    return svg("svg", { "aria-hidden": "true" }, ...out);
  }

  const cells = (r, number, what, more) => el("div", { class: "row" + more, "data-event": r.n, ...(r.title ? { title: r.class + (r.within ? ", in the middle of other code" : "") } : {}) },
    el("div", { class: "n" }, number), el("div", { class: "lanes" }, strip(r)), el("div", { class: "what" }, ...what));

  const change = (text) => el("code", {}, text.replace(" -> ", " → "));

  function event(r, more) {
    const what = [r.title + (r.times > 1 ? " × " + grouped(r.times) : "")];
    if (r.mark) what.push(" ", el("b", {}, "◄ " + r.mark));
    what.push(...(r.notes || []).map((t) => el("div", { class: "note" }, t)), ...(r.changed || []).map(change));
    return cells(r, grouped(r.n), what, more + (r.mark ? " marked" + (r.mark.startsWith("critical") ? " critical" : "") : ""));
  }

  function folded(r, i, more) {
    if (open.has(i)) {
      const absent = r.absent ? [cells({ lane: -1 }, "⋮", [counted(r.absent, "event") + " not on this page: motehound replay shows all"], " fold" + more)] : [];
      return [...absent, ...r.hidden.map((h) => event(h, more))];
    }
    const what = (r.hidden || []).length ? el("button", { class: "small", onclick: () => { open.add(i); draw(); } }, counted(r.left, "event") + " folded: show" + (r.absent ? " the last of them" : "")) :
      counted(r.left, "event") + " left out: motehound replay shows all";
    return [cells({ lane: -1 }, "⋮", [what], " fold" + more)];
  }

  function names() {
    const texts = chart.lanes.map((name, i) => svg("text", { x: x(i), y: 16, "text-anchor": "middle", ...hint(name) }, step < 52 ? name.replace(/^mote /, "") : name));
    return el("div", { class: "row names" }, el("div", { class: "n" }, "#"), el("div", { class: "lanes" }, svg("svg", {}, ...texts)), el("div", { class: "what" }, chart.lanes.length > 1 && step < 52 ? "motes, and what happens" : "what happens"));
  }

  function draw() {
    let loop = "";
    const rows = [names()];
    chart.rows.forEach((r, i) => {
      if (r.cycle) {
        loop = " loop";
        rows.push(cells(r, "", [el("i", {}, "from here on for ever")], " loop"));
      } else if (r.left) rows.push(...folded(r, i, loop));
      else rows.push(event(r, loop));
    });
    if (chart.again) rows.push(cells({ cycle: true, lane: -1 }, "", [el("i", {}, "and again from event " + grouped(chart.again))], loop));
    root.replaceChildren(...rows);
    legend();
    jumps.replaceChildren(...chart.rows.filter((r) => r.mark).map((r) => el("button", { class: "small", onclick: () =>
      root.querySelector('[data-event="' + r.n + '"]').scrollIntoView({ block: "center" }) }, r.mark + ": event " + grouped(r.n))));
  }

  const words = { interrupt: "interrupt", task: "task", frame: "frame", input: "input", fault: "fault", heal: "no more faults", within: "interrupt in the middle of code" };
  function legend() {
    const signs = Object.keys(words).filter((k) => used.has(k)).map((k) => el("span", {}, svg("svg", { viewBox: "0 0 24 24" }, shapes[k](12)), words[k]));
    if (used.has("lost")) signs.push(el("span", {}, svg("svg", { viewBox: "0 0 24 24" }, ...arrow(2, 28, true)), "lost frame"));
    if (chart.others.length) signs.push(el("span", {}, (chart.shared ? "… stands for " : "nothing happens on ") + chart.others.join(", ")));
    key.replaceChildren(...signs);
  }
  draw();
};
