// Who did what: the calls of game masters, newest first.
import {fill, h, style} from '../lib/dom.js';
import {time} from '../lib/text.js';
import {get} from '../lib/api.js';
import {href, replace} from '../lib/route.js';

await style('../style/pages.css');

const pageSize = 200;
/** Calls that change nothing. */
const reads = /^GET|\/(preview|find)$/;

export async function show(main, route, context) {
  let rows = [];
  let next = null;
  const filters = {who: route.query.get('who') ?? '', text: route.query.get('text') ?? '', kind: route.query.get('kind') ?? 'changes'};
  const body = h('tbody');
  const note = h('p', {class: 'meta', role: 'status'});
  const more = h('button', {type: 'button', class: 'quiet more', onclick: () => load()}, 'Older calls');
  const matches = row => (!filters.who || (row.key ?? 'unknown key') === filters.who)
    && (filters.kind !== 'changes' || !row.dryRun && !reads.test(row.action)) && (filters.kind !== 'refused' || row.status >= 400)
    && (!filters.text || [row.action, row.target, row.reason].some(each => each?.toLowerCase().includes(filters.text.toLowerCase())));
  const who = h('select', {name: 'who', onchange: () => change('who', who.value)});
  const kind = h('select', {name: 'kind', onchange: () => change('kind', kind.value)}, [['changes', 'changes'], ['refused', 'refused'], ['all', 'everything, reads too']].map(([value, text]) => h('option', {value, selected: value === filters.kind}, text)));
  const text = h('input', {type: 'search', name: 'text', value: filters.text, placeholder: 'Party, path or reason', 'aria-label': 'Filter', oninput: () => change('text', text.value.trim())});
  const draw = () => {
    const names = ['', ...new Set(rows.map(row => row.key ?? 'unknown key'))];
    if (names.length !== who.children.length) fill(who, names.map(each => h('option', {value: each, selected: each === filters.who}, each || 'everybody')));
    const shown = rows.filter(matches);
    fill(body, shown.map(line));
    fill(note, shown.length ? `${shown.length} of ${rows.length} calls read so far.` : 'No call like this among those read so far.');
    more.hidden = next === null;
  };
  const change = (name, value) => {
    filters[name] = value;
    replace(href('audit', null, {}, filters));
    draw();
  };
  const load = async () => {
    const answer = await get('admin/audit', {limit: pageSize, before: next});
    rows = [...rows, ...answer.calls];
    next = answer.next;
    draw();
  };
  fill(main, h('section', {class: 'panel block wide auditpage'}, h('header', h('h1', 'Audit'), h('div', {class: 'acts'}, h('button', {type: 'button', onclick: () => save(rows.filter(matches))}, 'Save as JSON lines'))),
    h('div', {class: 'filters'}, h('label', {class: 'inline'}, 'Who', who), h('label', {class: 'inline'}, 'Calls', kind), text), note,
    h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Calls'}, h('table', h('thead', h('tr', ['When', 'Who', 'What', 'Of', 'Before → after', 'Outcome', 'From'].map(title => h('th', {scope: 'col'}, title)))), body)), more));
  context.stream.open([], {});
  await load();
  return {};
}

function line(row) {
  return h('tr', h('td', {title: new Date(row.at).toString()}, `${new Date(row.at).toLocaleDateString('en', {month: 'short', day: 'numeric'})} ${time(row.at)}`),
    h('td', h('bdi', row.key ?? 'unknown key'), h('small', row.role ?? '')), h('td', row.action, row.command ? h('small', row.dryRun ? `${row.command}, dry run` : row.command) : null, row.count > 1 ? h('small', `${row.count} times`) : null, row.reason ? h('small', `“${row.reason}”`) : null),
    h('td', target(row.target)), h('td', {class: 'wide'}, changes(row.before, row.after)), h('td', {class: row.status < 400 ? 'good' : 'bad'}, row.status), h('td', row.address ?? '–'));
}

function target(id) {
  if (!id) return '–';
  const page = id.startsWith('party-') ? 'party' : id.startsWith('player-') ? 'players' : null;
  return page ? h('a', {href: href(page, id)}, id) : id;
}

/** What a call changed, field by field. */
export function changes(before, after) {
  if (!before && !after) return '–';
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const text = value => value === undefined || value === null ? '–' : typeof value === 'object' ? JSON.stringify(value) : String(value);
  const lines = names.filter(name => text(before?.[name]) !== text(after?.[name])).map(name => h('div', `${name}: ${text(before?.[name])} → ${text(after?.[name])}`));
  return lines.length ? lines : 'nothing';
}

function save(rows) {
  const blob = new Blob(rows.map(row => JSON.stringify(row) + '\n'), {type: 'application/jsonl'});
  const link = h('a', {href: URL.createObjectURL(blob), download: 'audit.jsonl'});
  link.click();
  URL.revokeObjectURL(link.href);
}
