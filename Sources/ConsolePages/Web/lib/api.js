// The HTTP API, by relative URLs: the console works behind a proxy at any path.

/** Why a request did not succeed: the status, 0 without a response, and the server's sentence. */
export class Problem extends Error {
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

let onSignedOut = () => {};

/** Sets what happens when the session has ended. */
export function whenSignedOut(action) {
  onSignedOut = action;
}

/** Sends a request and returns its JSON, or null without a body. Throws a Problem. */
export async function call(method, path, body, signal) {
  const headers = {Accept: 'application/json'};
  // The server takes nothing else with the cookie: a form of another site cannot send it.
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  let response;
  try {
    response = await fetch('../v1/' + path, {
      method, headers, signal, credentials: 'same-origin', cache: 'no-store',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Problem(0, 'The server does not respond. The page tries again as soon as it does.');
  }
  const text = await response.text();
  if (response.ok) return text ? JSON.parse(text) : null;
  if (response.status === 401 && !path.startsWith('admin/session')) onSignedOut();
  throw new Problem(response.status, detailOf(text) ?? `The server responded with status ${response.status}.`);
}

function detailOf(text) {
  try {
    return JSON.parse(text).detail ?? null;
  } catch {
    return null;
  }
}

/** GET with a query; parameters that are null, undefined or empty are left out. */
export function get(path, query = {}, signal) {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') parameters.append(key, value);
  }
  const text = parameters.toString();
  return call('GET', text ? `${path}?${text}` : path, undefined, signal);
}

export const post = (path, body) => call('POST', path, body);
export const remove = path => call('DELETE', path);

/** A part of a path. */
export const part = text => encodeURIComponent(text);

/** The roles, each with all that the ones before it may do. */
const roles = ['observer', 'moderator', 'gamemaster', 'director', 'owner'];

/** Whether a role includes another. The page only hides by it; the server refuses. */
export function includes(role, needed) {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

export const roleName = role => role === 'gamemaster' ? 'game master' : role;

/** The commands of game masters, as the buttons name them. */
export const commandTitles = {boss: 'Summon boss', loot: 'Loot', storm: 'Storm', heal: 'Heal', message: 'Message', pause: 'Pause', resume: 'Resume', end: 'End…'};

/** Opens the dialog of a command: for a party, or for a cohort. */
export async function askToRun(request) {
  const {open} = await import('../pages/dryrun.js');
  open(request);
}
