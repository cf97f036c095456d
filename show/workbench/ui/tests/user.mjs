// Somebody at the page of a server: Playwright in Debian's Chromium. Things are found as people find them, by role, name and text, so a screen reader finds them, too.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const [address, pictures] = process.argv.slice(2); // of the server, with its token; where to keep what is seen, if somebody wants to look at it
const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
// Half a screen by night, and a desk by day. What roles and names things have is the same on both.
const half = { width: 640, height: 900, colorScheme: "dark", suffix: "-half", rules: { runOnly: ["color-contrast", "link-in-text-block", "scrollable-region-focusable"] } };
const desk = { width: 1280, height: 900, colorScheme: "light", suffix: "", rules: {} };
const screens = [half, desk];

export const example = (file) => fileURLToPath(new URL("../../../../examples/" + file, import.meta.url));
export const base = new URL(address).origin + "/";

// The sandbox does not work in most containers, and the page is our own. It reaches nothing but its server.
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"] });
export const page = await browser.newPage({ viewport: { width: desk.width, height: desk.height } });
page.setDefaultTimeout(60_000); // then the page hangs

/** wrong is what the page's scripts threw, and what its policy refused. */
export const wrong = [];
page.on("pageerror", (e) => wrong.push(String(e)));
page.on("console", (m) => { if (m.type() === "error") wrong.push(m.text()); });
await page.goto(address);

/** part is what somebody does who begins at the first view. */
export const part = (name, does) => test(name, async () => {
  await page.goto(base);
  try {
    await does();
  } catch (e) {
    e.stack += "\nThe page shows\n" + (await page.locator("body").innerText()).slice(0, 3000);
    throw e;
  }
});

export const leave = () => browser.close();

export const button = (name, within = page) => within.getByRole("button", { name, exact: true }).first();
export const press = (name, within) => button(name, within).click();
export const region = (name) => page.getByRole("region", { name, exact: true });
export const fill = (label, text) => page.getByLabel(label, { exact: true }).fill(text);
export const choose = (command) => page.getByRole("radio", { name: new RegExp("^" + command + "\\b") }).check();
export const keys = async (...list) => { for (const k of list) await page.keyboard.press(k); };
export const query = (name) => new URL(page.url()).searchParams.get(name) ?? "";

/** shows waits until a part of the page has a text. */
export const shows = (part, text) => part.filter({ hasText: text }).first().waitFor();

/** here waits until the focus is at a line of the source. */
export const here = (line, text) => shows(region("Source").locator("[aria-current=location]").filter({ has: page.getByRole("button", { name: "line " + line, exact: true }) }), text);

/** moment waits until the focus is before or after one. */
export const moment = (fits) => page.waitForURL((u) => fits(Number(u.searchParams.get("at"))));

/** open goes through folders to a file. The page may still be in the folder of the last one. */
export async function open(...names) {
  const files = region("Start work"), up = button("..", files);
  await page.getByText(/^Files in/).click();
  await button(names[0], files).or(up).first().waitFor();
  if (await up.isVisible()) await up.click();
  for (const name of names) await press(name, region("Start work"));
}

/** start starts a job, and shows its result when that is there. */
export async function start(name) {
  const jobs = region("Jobs").getByRole("listitem");
  const before = await jobs.count();
  await press(name);
  await jobs.nth(before).waitFor();
  await press("Show result", jobs.first());
}

let looked = 0;
export const looks = () => looked;

const on = async ({ width, height, colorScheme }) => {
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
};

/** kept keeps what is seen, if somebody wants to look at it. */
export async function kept(name) {
  for (const screen of pictures ? screens : []) {
    await on(screen);
    await page.screenshot({ path: join(pictures, name + screen.suffix + ".png") });
  }
}

/** seen keeps what is seen, and holds it against what people need who do not see it well: axe-core must have nothing serious to say, on any screen. Behind a dialog is
 * a pane that is seen elsewhere. */
export async function seen(name) {
  await kept(name);
  if (await page.evaluate("!window.axe")) await page.evaluate(`(() => {${axe}\n})()`);
  const found = [];
  for (const screen of screens) {
    await on(screen);
    const list = await page.evaluate(async (rules) => (await window.axe.run(document.querySelector("dialog[open]") ?? document, { ...rules, resultTypes: ["violations"], preload: false })).violations, screen.rules);
    for (const v of list.filter((v) => v.impact === "serious" || v.impact === "critical")) {
      found.push(`${name}, ${screen.width} pixels wide: ${v.id}, ${v.nodes.length} times, as in ${v.nodes[0].html.slice(0, 200)} ${v.nodes[0].any[0]?.message ?? ""}`);
    }
    looked++;
  }
  assert.deepEqual(found, []);
}
