// Everything has a URL: `#/party/ID/hero/ID?event=31`, so a link shows the same moment.

/** `#/party/ID/hero/H?event=31` as `{page: 'party', id: 'ID', hero: 'H', query}`. */
export function parse(hash) {
  const [path, query] = hash.replace(/^#\/?/, '').split('?');
  const parts = path.split('/').filter(Boolean).map(decode);
  const route = {page: parts[0] ?? 'live', id: parts[1] ?? null, query: new URLSearchParams(query)};
  for (let index = 2; index + 1 < parts.length; index += 2) route[parts[index]] = parts[index + 1];
  return route;
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** href('party', 'ID', {hero: 'H'}, {event: 31}) */
export function href(page, id = null, names = {}, query = {}) {
  const parts = [page, ...(id ? [id] : [])];
  for (const [key, value] of Object.entries(names)) if (value) parts.push(key, value);
  const kept = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = new URLSearchParams(kept).toString();
  return '#/' + parts.map(encodeURIComponent).join('/') + (text ? '?' + text : '');
}

/** Browsers refuse more than a hundred changes of the address in ten seconds. */
const replaceDelay = 200;
let wanted = null;
let timer = null;

/** Changes the address without a step back to it, soon: for what changes many times a minute. */
export function replace(address) {
  const from = location.hash;
  wanted = address;
  timer ??= setTimeout(() => {
    timer = null;
    // Not after a step to another page meanwhile.
    if (location.hash === from && from !== wanted) history.replaceState(null, '', wanted);
  }, replaceDelay);
}

export function go(address) {
  location.hash = address;
}
