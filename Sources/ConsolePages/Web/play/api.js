// The HTTP API for one player, by relative URLs: the page works behind a proxy at any path.

/** Why a request did not succeed: the status, 0 without a response, and the server's sentence. */
export class Problem extends Error {
  constructor(status, detail, retryAfter = null) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export const gone = 'The server does not respond. This phone keeps its last card, as any phone would, and tries again.';

/** Sends a request; returns the response if it is a success. Throws a Problem. */
export async function request(method, path, {token, body, language, signal} = {}) {
  const headers = {Accept: 'application/json'};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (language) headers['Accept-Language'] = language;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch('../v1/' + path, {
      method, headers, signal, credentials: 'omit', cache: method === 'GET' ? 'no-cache' : 'no-store',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, gone);
  }
  if (response.ok) return response;
  const retryAfter = Number(response.headers.get('retry-after')) || null;
  throw new Problem(response.status, await detailOf(response), retryAfter);
}

async function detailOf(response) {
  try {
    return (await response.json()).detail;
  } catch {
    return `The server responded with status ${response.status}.`;
  }
}

/** Sends a request and returns its JSON, or null without a body. */
export async function call(method, path, options) {
  const text = await (await request(method, path, options)).text();
  return text ? JSON.parse(text) : null;
}

/** A part of a path. */
export const part = text => encodeURIComponent(text);
