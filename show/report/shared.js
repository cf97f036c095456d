"use strict";
// What all pages are made with. Everything from the data goes onto a page by textContent or setAttribute, never as HTML.
const ui = (() => {
  const make = (node, attributes, children) => {
    for (const [k, v] of Object.entries(attributes || {})) {
      if (k.startsWith("on")) node.addEventListener(k.slice(2), v);
      else if (k === "style") node.style.cssText = v || ""; // which a server's policy allows, other than the attribute
      else if (v !== undefined && v !== false) node.setAttribute(k, v);
    }
    node.append(...children.filter((c) => c !== undefined && c !== ""));
    return node;
  };
  const el = (tag, attributes, ...children) => make(document.createElement(tag), attributes, children);
  const svg = (tag, attributes, ...children) => make(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
  const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, ",");
  const counted = (n, word) => grouped(n) + " " + word + (n === 1 ? "" : "s");
  const short = (file) => file.split("/").slice(-2).join("/");

  const tip = (event, text) => {
    const t = document.getElementById("tip");
    t.hidden = !text;
    if (!text) return;
    t.textContent = text;
    t.style.left = Math.min(event.pageX + 14, document.documentElement.clientWidth - t.offsetWidth - 8) + "px";
    t.style.top = event.pageY + 14 + "px";
  };
  const hint = (text) => ({ onmousemove: (e) => tip(e, text), onmouseleave: (e) => tip(e, "") });

  // skipped is a row of a table of source lines that stands for those between two.
  const skipped = (last, next) => next > last + 1 ?
    el("tr", { class: "skip" }, el("td", { colspan: 3 }, "⋯ " + (next - last - 1) + (next - last === 2 ? " line" : " lines"))) : "";

  // made says which program made the page, of which firmware.
  const made = (root, data) => root.replaceChildren("Made by Motehound " + data.motehound + ". ",
    ...(data.builds || []).flatMap((b) => [el("br"), b.firmware + " (" + b.board + motes(b.motes) + "), SHA-256 ", el("code", {}, b.sha256)]));
  const motes = (list) => !list.length ? "" : list.length === 1 ? ", mote " + list[0] : list.length > 20 ? ", " + list.length + " motes" : ", motes " + list.join(", ");

  return { el, svg, grouped, counted, short, hint, skipped, made };
})();
