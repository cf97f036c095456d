// Moments are text, since they are exact; for drawing they are numbers: seconds, or events.

const explored = (at: string): boolean => at.startsWith("e");

/** position is where a moment is on an axis: seconds since the start, or the number of an event, and a half if it is inside of it. */
export function position(at: string): number {
  if (!at) return 0;
  if (!explored(at)) return Number(BigInt(at) / 1000n) / 1e9;
  const [event, inside] = at.slice(1).split(".");
  return Number(event) + (inside ? 0.5 : 0);
}

/** momentAt is the moment at a place of an axis. */
export function momentAt(x: number, events: boolean): string {
  if (events) return "e" + Math.max(1, Math.floor(x));
  return (BigInt(Math.round(Math.max(0, x) * 1e9)) * 1000n).toString();
}

/** spoken is a time for people. */
export function spoken(seconds: number): string {
  const a = Math.abs(seconds);
  if (a >= 1) return seconds.toFixed(a >= 100 ? 1 : 3) + " s";
  if (a >= 1e-3) return (seconds * 1e3).toFixed(a >= 0.1 ? 1 : 3) + " ms";
  return (seconds * 1e6).toFixed(a >= 1e-5 ? 0 : 2) + " µs";
}
