// A new user goes from the firmware to the line that is wrong, by clicking: in each of the case studies.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { base, choose, example, fill, here, kept, keys, open, page, part, press, region, seen, shows, start } from "./user.mjs";

for (const file of ["serialbuf/reversed.star", "serialbuf/dispatcher.c", "elf/serialbuf_reversed-micaz.elf", "drop/quiet.star", "drop/drop.star", "drop/drop.c", "elf/drop-micaz.elf",
  "tinytcp/port.star", "tinytcp/client.c", "tinytcp/tcp.c", "elf/tinytcp_port-micaz.elf"]) cpSync(example(file), file); // into the working folder of the server

const finding = page.locator("#finding");
const row = (within, ...texts) => texts.reduce((rows, t) => rows.filter({ hasText: t }), within.getByRole("row"));

await part("ring: check finds the race of the ring buffer, and who wrote the variable", async () => {
  await fill("firmware or scenario", "example:ring");
  await fill("serial input", "hello");
  await fill("seconds to search", "5");
  await kept("start");
  await page.getByRole("heading", { name: "Start work" }).click(); // out of the field
  await keys("?");
  await seen("keys");
  await press("Close", page.getByRole("dialog", { name: "Keys" }));
  await start("Start check");
  await shows(finding, "lost update of count");
  await seen("finding");
  await press("Travel to it");
  await here(42, "count--");
  await shows(page.getByRole("status"), /in event 2.*ring\.c:42/s);
  await kept("run");
  const line = region("Source").locator("[aria-current=location]");
  await press("count", line);
  const answer = region("Mote").getByRole("status");
  await shows(answer, /ring\.c:19.*0 → 1/s);
  const address = page.url();
  await press("go there", answer);
  await here(19, "count++");
  await shows(region("Explore"), "At the start");
  await press("line 42", region("Source"));
  await press("runs next ▶");
  await here(42, "count--");
  await page.goto(base);
  await page.goto(address); // a link shows a colleague the same
  await here(42, "count--");
});

await part("serial lock: from a scenario of the working folder to who chose the wrong buffer", async () => {
  await open("serialbuf", "reversed.star");
  await fill("seconds to search", "20");
  await start("Start check");
  await shows(finding, "a free buffer takes the frame");
  await press("Travel to it");
  await fill("find a variable", "receiveState");
  await press(/receiveState/, region("Mote"));
  await press("go there", region("Mote").getByRole("status"));
  await shows(region("Source").locator("[aria-current=location]"), "receiveState");
  await kept("lock");
});

await part("pollute: mine ranks the polluted packet of Sentomist first, and names the line that overwrites it", async () => {
  await fill("firmware or scenario", "example:pollute-micaz");
  await choose("mine");
  await fill("motes", "2");
  await start("Start mine");
  await shows(page.locator("#lost"), "PolluteC.packets");
  const ranking = page.getByRole("table", { name: "Ranking" });
  const first = ranking.locator("tbody").getByRole("row").first();
  const rank = first.getByRole("cell").first();
  await first.click();
  const line = row(region("Source"), "154", "readings");
  await line.scrollIntoViewIfNeeded();
  const lanes = (name) => page.getByRole("img", { name, exact: true }).locator(".lane-name").allTextContents();
  const [interval, normal] = [await lanes("what executed during the interval"), await lanes("what executed during the nearest normal interval")];
  assert.ok(normal.at(-1).startsWith("the nearest normal interval: rank") && interval.length > normal.length, `${interval}; normally ${normal}`); // what came in between is what is wrong
  await seen("mine");
  // Whoever says that it is harmless has others first, also when the page is opened again; and back.
  await press("It is harmless");
  await shows(rank, /^(?!1$)/);
  await page.reload();
  await shows(ranking, "rejected");
  await shows(rank, /^(?!1$)/);
  await ranking.getByRole("row", { name: /^●1 / }).click();
  await press("It is a symptom");
  await shows(rank, /^1$/);
  await shows(first, "confirmed");
});

await part("relay: the models of a quiet run are approved; a busy run leaves them where a packet is dropped, and nobody sends it on", async () => {
  await open("drop", "quiet.star");
  await choose("model");
  await fill("motes to watch", "1");
  await start("Start model");
  const model = page.getByRole("region", { name: /^A8\b/ });
  await shows(model, "CC2420ReceiveP.receive");
  await seen("model");
  const all = await model.locator(".side").filter({ visible: true }).count();
  await press("1", model);
  assert.ok((await model.locator(".side").filter({ visible: true }).count()) < all);
  await press("all", model);
  await press("Approve these models");
  await shows(page.getByRole("status"), "drop-micaz.models.json");
  await press("Work");
  await open("drop", "drop.star");
  await choose("verify");
  await fill("motes to watch", "1");
  await start("Start verify");
  const violation = page.getByRole("region", { name: /procedure, B8|job flow/ }).first();
  await shows(violation, "a new event procedure, B8");
  await shows(page.getByRole("complementary", { name: "code" }).locator("[aria-current=location]"), /^209.*forward/s);
  await seen("violation");
  await press("see it run");
  await press("line 211 has", region("Source"));
  await press("runs next ▶", region("Source"));
  await here(211, "DropC__note(DropC__busy)");
  await press(/^Result of job/);
  await press("Travel to it", violation);
  await region("Mote").getByRole("table").first().waitFor();
  await press(/^Result of job/);
  await press("Approve", violation);
  await shows(page.getByRole("status"), "later runs may do this");
  await press("Work");
  await start("Start verify");
  await shows(violation, "not an approved job flow"); // the procedure is approved, where it comes is not
});

await part("tinytcp: one of three outcomes fails, with port 0, and its line is shown", async () => {
  await open("tinytcp", "port.star");
  await choose("symbolic");
  await start("Start symbolic");
  await press("show the line");
  await shows(row(finding, "119"), /./);
  await page.getByText("no violation").first().click();
  const conditions = page.getByRole("group").filter({ hasText: "no violation" }).getByRole("group").first();
  await conditions.locator("summary").click();
  await conditions.getByRole("listitem").first().waitFor();
  await seen("outcomes");
  await press("Travel to it");
  await shows(region("Source").locator("[aria-current=location]"), /./);
  await kept("tcp");
});

await part("starve: the log ends with the handler on the path that fails, and then the reset", async () => {
  await fill("firmware or scenario", "example:starve_traced-mica2");
  await choose("trace");
  await start("Start trace");
  await press("Go to the last reset");
  await press("link.c:31,34,36-39", region("Trace"));
  await shows(row(region("Source"), "34"), "StarveP__listen");
  await seen("trace");
});
