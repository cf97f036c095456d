// A campaign that somebody has done.
import { part, region, seen, shows } from "./user.mjs";

await part("campaigns: how far it is, and what it found", async () => {
  const row = region("Campaigns").getByRole("listitem");
  await shows(row, "31 of 31 items");
  await shows(row, "lost update of count");
  await seen("campaigns");
});
