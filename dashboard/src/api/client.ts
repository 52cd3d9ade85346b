// The one place that talks to the server.

export type ProblemWords = { message: string; type: string; code: string | null; param: string | null };

/** What the server refused, in its words. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly words: ProblemWords,
    readonly more: Record<string, unknown> = {},
  ) {
    super(words.message);
    this.name = "Problem";
  }

  get code() {
    return this.words.code;
  }
}

export type Query = Record<string, string | number | boolean | undefined | null>;
type Options = { query?: Query; body?: unknown; signal?: AbortSignal; headers?: Record<string, string> };

let csrf: string | undefined;
let signedOut = () => {};

/** Every method but GET carries this once somebody is signed in. */
export function setCsrf(token: string | undefined) {
  csrf = token;
}

/** Called whenever the server does not know who is asking. */
export function onSignedOut(callback: () => void) {
  signedOut = callback;
}

export function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

export async function send(method: string, path: string, options: Options = {}): Promise<Response> {
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  if (options.body !== undefined) headers["Content-Type"] = "application/json";
  if (method !== "GET" && csrf) headers["X-CSRF-Token"] = csrf;
  let response: Response;
  try {
    response = await fetch(address(path, options.query), {
      method,
      headers,
      credentials: "same-origin",
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new Problem(0, { message: "The server cannot be reached.", type: "away", code: "away", param: null });
  }
  if (response.ok) return response;
  const problem = await problemOf(response);
  if (response.status === 401 && !path.startsWith("/v1/session")) signedOut();
  throw problem;
}

export async function get<T>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
  return (await send("GET", path, { query, signal })).json() as Promise<T>;
}

export async function post<T>(path: string, body?: unknown, headers?: Record<string, string>): Promise<T> {
  return read<T>(await send("POST", path, { body, headers }));
}

export async function put<T>(path: string, body?: unknown): Promise<T> {
  return read<T>(await send("PUT", path, { body }));
}

export async function patch<T>(path: string, body?: unknown): Promise<T> {
  return read<T>(await send("PATCH", path, { body }));
}

export async function remove<T = void>(path: string, query?: Query): Promise<T> {
  return read<T>(await send("DELETE", path, { query }));
}

async function read<T>(response: Response): Promise<T> {
  const text = await response.text();
  return (text ? JSON.parse(text) : undefined) as T;
}

async function problemOf(response: Response): Promise<Problem> {
  const unknown = { message: `The server answered ${response.status}.`, type: "unknown", code: null, param: null };
  try {
    const { error } = (await response.json()) as { error: ProblemWords & Record<string, unknown> };
    const { message, type, code, param, ...more } = error;
    return new Problem(response.status, { message, type, code, param }, more);
  } catch {
    return new Problem(response.status, unknown);
  }
}
