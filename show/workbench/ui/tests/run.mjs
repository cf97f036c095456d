// Scripts that use the page, one after the other, in one browser: run.mjs ADDRESS PICTURES SCRIPT...
import assert from "node:assert/strict";
import { test } from "node:test";
import { leave, looks, wrong } from "./user.mjs";

try {
  for (const script of process.argv.slice(4)) await import("./" + script);
  await test("the page's scripts threw nothing, and its policy refused nothing", () => assert.deepEqual(wrong, []));
  console.log(`axe-core has looked at ${looks()} views`);
} finally {
  await leave();
}
