// What the page asks of the server.

async function answer<T>(r: Response): Promise<T> {
  if (r.ok) return (await r.json()) as T;
  let text = r.statusText;
  try {
    text = ((await r.json()) as { error: string }).error;
  } catch {
    // It is not the server that answers.
  }
  throw new Error(text);
}

export async function get<T>(path: string, query: Record<string, string> = {}, signal?: AbortSignal): Promise<T> {
  const q = new URLSearchParams(query);
  return answer<T>(await fetch("api/" + path + (q.size ? "?" + q.toString() : ""), signal ? { signal } : {}));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  return answer<T>(await fetch("api/" + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }));
}

export async function remove<T>(path: string): Promise<T> {
  return answer<T>(await fetch("api/" + path, { method: "DELETE" }));
}

export async function upload<T>(name: string, file: Blob): Promise<T> {
  const r = await fetch("api/files?name=" + encodeURIComponent(name), { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });
  return answer<T>(r);
}

export const said = (e: unknown): string => (e instanceof Error ? e.message : String(e));

/** gone reports whether somebody no longer wants an answer. */
export const gone = (e: unknown): boolean => e instanceof DOMException && e.name === "AbortError";
