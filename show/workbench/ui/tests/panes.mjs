// The other panes' main tasks: somebody writes a scenario, chooses what happens, watches a network, and keeps what they saw.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { base, button, choose, example, fill, here, kept, keys, moment, page, part, press, query, region, seen, shows, start, wrong } from "./user.mjs";

const bring = async (name, file) => {
  const chooser = page.waitForEvent("filechooser");
  await press(name);
  await (await chooser).setFiles(file);
};
const at = () => Number(query("at"));
const idle = () => page.locator(".moment[data-busy=false]").waitFor();
const whole = () => page.locator("main[data-whole=true]").waitFor();

await part("explore: somebody chooses what happens, until an interrupt in the middle of a line loses an update", async () => {
  await fill("firmware or scenario", "example:ring");
  await fill("serial input", "hello");
  await press("Choose what happens");
  const explore = region("Explore");
  await press(/due first/, explore);
  await shows(explore, "After event 1");
  await press("run on 1", explore);
  await shows(explore, "After event 2");
  assert.notEqual(query("path"), "");
  await press(/back/, explore);
  await shows(explore, "another choice leaves it here");
  await explore.getByText("in the middle of something").click();
  await press(/before it writes count/, explore);
  await shows(explore.getByRole("status"), "lost update of count");
  await seen("explore");
  await page.goBack();
  await button(/due first/, explore).waitFor();
  assert.equal(query("at"), "e2");
  await press("run on 100", explore);
  await shows(explore, /no event is enabled|due first/);
});

await part("scenario: what is wrong with it is shown in its place, and it runs when that is corrected", async () => {
  await fill("firmware or scenario", "example:blink-micaz");
  await fill("motes", "2");
  await choose("run");
  await press("Write a scenario");
  const editor = page.getByRole("dialog", { name: "Scenario" });
  await shows(editor, "Nothing is wrong");
  await page.keyboard.insertText("x = undefined_name\n");
  await shows(editor.getByRole("status"), /line 1, column 5.*undefined_name/s);
  assert.equal(await editor.locator(".cm-lintRange-error").textContent(), "undefined_name");
  await seen("editor");
  await press(/^line 1, column 5/, editor);
  await page.keyboard.insertText("1 # ");
  await shows(editor, "Nothing is wrong");
  await start("Save and start run");
  await shows(page.getByRole("heading"), "run of blink-micaz.star");
  await seen("ran");
  assert.match(readFileSync("blink-micaz.star", "utf8"), /^x = 1 # undefined_name\nnetwork\(/);
});

await part("air: frames on their way, a link that loses everything, what it took from batteries, and time at another speed", async () => {
  writeFileSync("air.star", `network(
    motes = [mote(id = i, board = "micaz", firmware = "example:counter-micaz") for i in range(3)],
    links = [link(0, 1, loss = 0.0), link(0, 2, loss = 1.0)],
    faults = [reboot(mote = 2, max = 1)],
)
run(time = "4s", seed = 1)
`);
  await fill("firmware or scenario", "air.star");
  await choose("run");
  await fill("seconds to run", "4");
  await press("Look inside a run");
  await whole();
  const network = region("Network");
  const flight = network.getByText(/^Mote \d sends a frame/);
  for (let said = ""; !said.startsWith("Mote 0 "); said = await flight.first().textContent()) { // until it is one of mote 0, which both others are in reach of
    await press("frame ▶", network);
    await flight.first().waitFor();
    await idle();
  }
  await shows(flight, "mote 1 will have heard it");
  await shows(network, "reboot at mote 2 (0 of 1)");
  const frame = network.locator(".frame");
  assert.deepEqual(await Promise.all([frame.filter({ hasText: "hears it" }).count(), frame.filter({ hasText: "will not hear all of it" }).count()]), [1, 1]);
  await seen("air");
  const energy = network.getByRole("row", { name: /^0 / }).getByRole("cell").last();
  const [took, then] = [Number(await energy.textContent()), at()];
  await page.getByRole("combobox", { name: "speed" }).selectOption("1/10");
  await press("play");
  await moment((now) => now > then);
  await press("play backwards");
  await moment((now) => now < then);
  await press("play backwards");
  await idle();
  assert.ok(took > 0 && Number(await energy.textContent()) <= took);
});

await part("network: played, stopped, stepped and scrubbed, with the mouse and with keys; a view of it is kept", async () => {
  await fill("firmware or scenario", "example:counter-micaz");
  await choose("run");
  await fill("motes", "5");
  await fill("seconds to run", "4");
  await press("Look inside a run");
  await button(/^mote 4/, region("Network")).waitFor();
  await press("play");
  await moment((now) => now > 1.5e12);
  await keys("Space");
  await page.getByRole("button", { name: "play", exact: true, pressed: false }).waitFor();
  await idle();
  const stopped = at();
  await keys(".");
  await moment((now) => now > stopped);
  await keys(",", ",");
  await moment((now) => now <= stopped);
  await keys("b");
  await moment((now) => now < 1e12);
  await keys("b");
  await press(/^mote 3/, region("Network"));
  await page.getByRole("heading", { name: "Mote 3" }).waitFor();
  await keys("f", ...Array(26).fill("w")); // until the calls of the mote are to be seen
  await page.locator("canvas:not([data-calls='0'])").waitFor();
  await idle();
  await kept("zoomed");
  await press("save view");
  await fill("Save this view as", "here <b>it</b> begins");
  await seen("save");
  await press("Save", page.getByRole("dialog"));
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  const address = page.url();
  await keys("h");
  await button("here <b>it</b> begins", region("Views")).waitFor();
  await keys(":");
  await fill("command", "view begins");
  await page.getByRole("option").nth(1).waitFor({ state: "hidden" });
  await seen("palette");
  await keys("Enter");
  await page.getByRole("heading", { name: "Mote 3" }).waitFor();
  assert.equal(page.url(), address);
  await press("commands");
  await fill("command", "next event");
  await page.getByRole("option", { name: "Next event" }).click();
  await page.waitForURL((u) => String(u) !== address);
});

await part("findings: a file of somebody's own is hunted in; what is found is dismissed, and opened again", async () => {
  await bring("Open a file …", example("elf/ring-uno.elf"));
  await shows(page.getByRole("status"), "ring-uno.elf is here");
  await fill("serial input", "hello");
  await choose("hunt");
  await fill("seconds to search", "2");
  await start("Start hunt");
  await shows(page.locator("#finding"), "An update of count is lost");
  await kept("hunt");
  await press("Work");
  const found = region("Findings").getByRole("listitem").filter({ hasText: "An update of count is lost" });
  await found.getByLabel("why it does not matter").fill("only a test");
  await press("Dismiss", found);
  await shows(found, "dismissed: only a test");
  await page.getByText(/^Files in/).click();
  await seen("findings");
  await press("Reopen", found);
  await press("Travel to it", found);
  await here(42, "count--");
});

await part("source: of firmware from elsewhere, whose source is opened, too", async () => {
  const folder = mkdtempSync(join(tmpdir(), "own-"));
  try {
    writeFileSync(join(folder, "own.c"), "#include <avr/io.h>\nint main(void)\n{\n    for (;;)\n        PORTB++;\n}\n");
    execFileSync("avr-gcc", ["-mmcu=atmega328p", "-Os", "-gdwarf-4", "-o", "own.elf", "own.c"], { cwd: folder });
    await bring("Open a file …", join(folder, "own.elf"));
    await shows(page.getByRole("status"), "own.elf is here");
    await choose("run");
    await fill("seconds to run", "0.01"); // it is never idle
    await press("Look inside a run");
    await press("go to the next line");
    await shows(region("Source"), "own.c: not found");
    await bring("Open own.c …", join(folder, "own.c"));
    await here(5, "PORTB++");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

await part("names: what files, symbols and scripts are called is shown as text, whatever is in it", async () => {
  const evil = `<img src=x onerror=alert(1)>&"'.star`;
  writeFileSync(evil, `network(motes = [mote(id = 1, board = "uno", firmware = "example:blink-uno")])
run(time = "1s", seed = 1)
always("<script>document.title = 'owned'</script><img src=x onerror=\\"document.title = 'owned'\\">", lambda net: False)
`);
  await page.getByText(/^Files in/).click();
  await press(evil);
  await choose("check");
  await fill("seconds to search", "2");
  await start("Start check");
  await shows(page.locator("#finding"), "<script>document.title");
  await press("Travel to it");
  await shows(page.locator("main .verdict"), "<script>document.title");
  const harmless = async () => assert.deepEqual([await page.title(), await page.locator("img").count()], ["Motehound", 0]);
  await harmless();
  await page.goto(base + "?run=" + encodeURIComponent(`<img src=x onerror="document.title = 'owned'">`));
  await shows(page.locator("body"), "no run");
  assert.deepEqual(wrong.splice(-1), ["Failed to load resource: the server responded with a status of 404 (Not Found)"]);
  await harmless();
});

await part("a million events: how smooth the timeline is, as a figure, not a bar that a busy machine fails", async () => {
  await button("Start check").waitFor();
  const first = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
  await fill("firmware or scenario", "example:counter-mica2");
  await choose("run");
  await fill("motes", "16");
  await fill("seconds to run", "30");
  await press("Look inside a run");
  await whole();
  await keys(...Array(22).fill("s")); // until all of it is in view
  const events = await page.evaluate(async () => {
    const run = new URL(location.href).searchParams.get("run");
    const line = await (await fetch("api/runs/" + run + "/timeline?from=0&to=30000000000000&bins=1000")).json();
    return line.motes.flatMap((m) => m.lanes).reduce((n, l) => n + l.total, 0);
  });
  assert.ok(events >= 1_000_000, `only ${events} things happen`);
  const stop = await page.evaluateHandle(() => {
    const times = [];
    let last = performance.now();
    let on = true;
    const look = (now) => {
      times.push(now - last);
      last = now;
      if (on) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    return () => { on = false; return times.slice(1); };
  });
  for (const key of "wwwwwwdadadassssss") await keys(...Array(8).fill(key));
  const box = await page.getByRole("img", { name: /^What every mote did/ }).boundingBox();
  await page.mouse.move(box.x + 900, box.y + 60);
  await page.mouse.down();
  await page.mouse.move(box.x + 300, box.y + 60, { steps: 60 });
  await page.mouse.up();
  const times = (await stop.evaluate((end) => end())).sort((a, b) => a - b);
  const at = (part) => times[Math.min(Math.floor(times.length * part), times.length - 1)].toFixed(1) + " ms";
  console.log(`${events} events, zoomed and moved by keys and mouse for ${times.length} frames: a frame takes ${at(0.5)} in the middle, ${at(0.95)} for 95 of 100, ${at(1)} at worst (30 frames a second are 33.3 ms)`);
  console.log(`the first view is there after ${first.toFixed(0)} ms`);
  await seen("million");
});
