// What goes to Apple and what comes back, for all parties.
import {fill, h, style} from '../lib/dom.js';
import {ago, count, time} from '../lib/text.js';
import {get} from '../lib/api.js';
import {bars, rows} from '../lib/chart.js';
import {href} from '../lib/route.js';

await style('../style/pages.css');

const refreshDelay = 2000;
const refusalsMax = 60;

export async function show(main, route, context) {
  const page = h('div', {class: 'pushespage'});
  let timer = null;
  let isGone = false;
  let range = 'seconds';
  let data = await get('admin/pushes');
  const draw = () => fill(page, rate(data, range, next => { range = next; draw(); }), answers(data), latency(data), hosts(data), budgets(data), refusals(data));
  const refresh = async () => {
    try {
      data = await get('admin/pushes');
      const focus = document.activeElement?.dataset?.focus;
      if (!isGone) draw();
      if (focus) page.querySelector(`[data-focus="${focus}"]`)?.focus();
    } catch {
      // The bar says that the server is away.
    }
    if (!isGone) timer = setTimeout(refresh, refreshDelay);
  };
  draw();
  fill(main, page);
  context.stream.open([], {});
  timer = setTimeout(refresh, refreshDelay);
  return {leave() {
    isGone = true;
    clearTimeout(timer);
  }};
}

function rate(data, range, choose) {
  const series = data[range] ?? {high: [], low: [], refused: []};
  const sum = values => values.reduce((total, value) => total + value, 0);
  const names = {seconds: '60 seconds', minutes: '60 minutes'};
  return h('section', {class: 'panel block wide'}, h('header', h('h1', 'Pushes'),
    h('p', {class: 'legend'}, h('span', {class: 'hi'}, `high priority ${sum(series.high)}`), h('span', {class: 'lo'}, `low ${sum(series.low)}`), h('span', {class: 'no'}, `refused ${sum(series.refused ?? [])}`)),
    h('div', {class: 'seg', role: 'group', 'aria-label': 'Time'}, Object.entries(names).map(([key, name]) =>
      h('button', {type: 'button', data: {focus: key}, 'aria-pressed': String(key === range), onclick: () => choose(key)}, name)))),
  bars([{className: 'lo', values: series.low}, {className: 'hi', values: series.high}, {className: 'no', values: series.refused ?? []}],
    {width: 1200, height: 140, label: `Pushes of the last ${names[range]}: ${sum(series.high)} of high priority, ${sum(series.low)} of low, ${sum(series.refused ?? [])} refused`}));
}

function block(title, ...content) {
  return h('section', {class: 'panel block'}, h('header', h('h2', title)), content);
}

function answers({answers: list = []}) {
  const entries = list.map(each => ({label: each.status ? `${each.status} ${each.reason ?? ''}`.trim() : each.reason ?? 'no response', count: each.count, className: each.status === 200 ? 'good' : 'bad'}));
  return block('What Apple answered, 60 minutes', entries.length ? rows(entries, 'Answers') : h('p', {class: 'empty'}, 'No push in the last hour.'));
}

function latency({latency: found}) {
  const text = value => value === null || value === undefined ? '–' : `${value.toFixed(2)} s`;
  const entries = (found?.buckets ?? []).map((bucket, index, all) => ({label: bucket.upTo === null ? `over ${all[index - 1]?.upTo ?? 0} s` : `≤ ${bucket.upTo} s`, count: bucket.count, className: bucket.upTo === null || bucket.upTo > 1 ? 'warn' : 'good'}));
  return block('Latency', h('p', {class: 'meta'}, 'p50 ', h('b', text(found?.p50)), ' · p99 ', h('b', text(found?.p99)), '. From the moment a push may leave until Apple takes it. What the policy holds back is not late.'), rows(entries, 'Latency'));
}

const states = {answers: ['answers', 'good'], slowed: ['slowed', 'warn'], paused: ['paused', 'bad']};

function hosts({hosts: list = [], quarantined = 0, waits = []}) {
  return block('Hosts and keys', h('ul', {class: 'hosts'}, list.map(host => {
    const [word, kind] = states[host.state] ?? [host.state, 'warn'];
    return h('li', h('b', host.host), h('span', {class: kind}, word), h('span', {class: 'meta'}, [host.since ? `since ${time(host.since)}` : null, host.key ? `key ${host.key}` : null, count(host.goAways ?? 0, 'GOAWAY')].filter(Boolean).join(' · ')));
  })), h('p', {class: 'meta'}, `${count(quarantined, 'token')} in quarantine.`),
  waits.length ? [h('h3', 'Cards that wait'), rows(waits.map(each => ({label: each.reason, count: each.cards, className: 'warn'})), 'Cards that wait')] : h('p', {class: 'meta'}, 'No card waits.'));
}

function budgets({budget = []}) {
  return block('High-priority budget that cards have spent', budget.length ? rows(budget.map((bin, index) => ({label: `${Math.round((budget[index - 1]?.upTo ?? 0) * 100)}–${Math.round(bin.upTo * 100)} %`, count: bin.cards, className: bin.upTo > 0.6 ? 'warn' : 'good'})), 'Cards by share spent') : h('p', {class: 'empty'}, 'No card yet.'));
}

function refusals({refusals: list = [], at}) {
  return h('section', {class: 'panel block wide'}, h('header', h('h2', 'Newest refusals')),
    list.length ? h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Refusals'}, h('table', h('thead', h('tr', ['When', 'Party', 'Apple', 'What it means', 'What the server did'].map(text => h('th', {scope: 'col'}, text)))),
      h('tbody', list.slice(0, refusalsMax).map(each => h('tr', h('td', {title: time(each.at)}, ago(each.at, at)), h('td', each.party ? h('a', {href: href('party', each.party, {}, {phone: each.activity})}, each.party) : '–'),
        h('td', {class: 'bad'}, each.status ?? '', ' ', each.reason ?? ''), h('td', {class: 'wide'}, each.means ?? ''), h('td', {class: 'wide'}, each.action ?? '')))))) : h('p', {class: 'empty'}, 'Apple has refused nothing.'));
}
