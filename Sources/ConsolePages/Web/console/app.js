// The console's frame: the bar, the pages, the session, the keys. 🐼
import {fill, h, set, write} from '../lib/dom.js';
import {call, get, includes, part, remove, roleName, whenSignedOut} from '../lib/api.js';
import {go, href, parse} from '../lib/route.js';
import {Keys} from '../lib/keys.js';
import {Stream} from '../lib/stream.js';

const pages = {
  live: ['Live', 'l', () => import('../pages/live.js')],
  party: ['Party', 'p', () => import('../pages/party.js')],
  pushes: ['Pushes', 'u', () => import('../pages/pushes.js')],
  players: ['Players', 'y', () => import('../pages/players.js')],
  content: ['Content', 'c', () => import('../pages/content.js')],
  audit: ['Audit', 'a', () => import('../pages/audit.js'), 'director'],
};

const state = h('span', {class: 'state', role: 'status'});
const badge = h('span', {class: 'env'});
const account = h('span', {class: 'account'});
const nav = h('nav', {'aria-label': 'Pages'});
const main = h('main', {id: 'main', tabindex: '-1'});
const said = h('div', {class: 'toast', role: 'status', 'aria-live': 'polite', hidden: true});
const keys = new Keys();
const stream = new Stream(showState, () => signedOut());
let session = null;
let shown = null;
let turn = 0;
let mode = null;

/** What pages get: the stream, the session, and ways to tell the reader something. */
const context = {
  stream, keys, say,
  get session() { return session; },
  may: role => includes(session.role, role),
  setMode(text) {
    mode = text;
    showState(lastState);
  },
  rememberParty(id) {
    lastParty = id;
    renderNav();
  },
};
let lastState = {state: 'off'};
let lastParty = null;

function showState(next) {
  lastState = next;
  const lag = next.lag === null || next.lag === undefined ? '' : `, ${(Math.max(0, next.lag) / 1000).toFixed(1)} s behind`;
  const words = {live: `live${lag}`, reconnecting: 'reconnecting', off: 'connecting'};
  const isReplay = mode && next.state === 'live';
  set(state, {'data-state': isReplay ? 'replay' : next.state});
  write(state, isReplay ? mode : words[next.state]);
}

/** A sentence at the bottom, read out by screen readers. */
function say(text, kind = 'done') {
  clearTimeout(say.timer);
  fill(said, text);
  set(said, {'data-kind': kind});
  said.hidden = false;
  say.timer = setTimeout(() => { said.hidden = true; }, 8000);
}

function frame() {
  const find = h('button', {type: 'button', class: 'find', onclick: openFind, 'aria-keyshortcuts': '/'}, 'Find', h('kbd', {'aria-hidden': 'true'}, '/'));
  const help = h('button', {type: 'button', class: 'quiet', onclick: () => keys.help(), 'aria-label': 'Keys'}, '?');
  fill(document.body,
    h('a', {class: 'skip', href: '#main', onclick: event => { event.preventDefault(); main.focus(); }}, 'Skip to the page'),
    h('header', {class: 'top'}, h('a', {class: 'brand', href: '#/live'}, h('span', {'aria-hidden': 'true'}, '🐼'), 'Rangers'),
      nav, state, badge, find, help, account),
    main, said);
  const {environment, simulator} = session.server ?? {};
  document.body.dataset.environment = environment ?? 'unknown';
  write(badge, [environment, simulator ? 'simulator' : null].filter(Boolean).join(' · '));
  badge.hidden = !environment;
  fill(account, h('bdi', session.name), ` · ${roleName(session.role)} `,
    h('button', {type: 'button', class: 'quiet', onclick: signOut}, 'Sign out'));
  renderNav();
}

function renderNav() {
  const page = parse(location.hash).page;
  fill(nav, Object.entries(pages).filter(([, [, , , role]]) => !role || includes(session.role, role))
    .map(([key, [title]]) => h('a', {
      href: key === 'party' && lastParty ? href('party', lastParty) : `#/${key}`,
      'aria-current': key === page ? 'page' : null,
    }, title)));
}

/** Shows the page of the address; a page that is shown may take the change itself. */
async function navigate() {
  const route = parse(location.hash);
  if (!pages[route.page]) return go('#/live');
  if (shown?.page === route.page && shown.view?.update?.(route)) return renderNav();
  const mine = ++turn;
  shown?.view?.leave?.();
  shown = {page: route.page, view: null};
  delete document.body.dataset.ready;
  context.setMode(null);
  keys.bindPage({});
  stream.release();
  renderNav();
  document.title = `${pages[route.page][0]} · Rangers`;
  fill(main, h('p', {class: 'loading'}, 'Loading…'));
  try {
    const {show} = await pages[route.page][2]();
    if (mine !== turn) return;
    const view = await show(main, route, context);
    if (mine !== turn) return view?.leave?.();
    shown.view = view;
    if (document.activeElement === document.body) main.focus({preventScroll: true});
  } catch (error) {
    if (mine !== turn) return;
    fill(main, problem(error));
    console.info(error);
  }
  document.body.dataset.ready = route.page;
}

function problem(error) {
  return h('section', {class: 'panel empty', role: 'alert'}, h('h1', 'This page could not be loaded'),
    h('p', error.message), h('button', {type: 'button', onclick: () => { shown = null; navigate(); }}, 'Try again'));
}

async function openFind() {
  const {open} = await import('../pages/find.js');
  open();
}

async function signOut() {
  await remove('admin/session').catch(() => {});
  signedOut('You have signed out.');
}

async function signedOut(reason = 'Your session has ended. Sign in again.') {
  turn += 1;
  shown?.view?.leave?.();
  shown = null;
  session = null;
  stream.close();
  for (const dialog of document.querySelectorAll('dialog')) dialog.close();
  const {signIn} = await import('../pages/signin.js');
  delete document.body.dataset.ready;
  signIn(reason, start);
}

async function start() {
  const code = location.hash.match(/^#enter=(.+)$/)?.[1];
  if (code) history.replaceState(null, '', location.pathname + location.search);
  try {
    if (code) await call('POST', 'admin/session', {code: decodeURIComponent(code)});
    session = await get('admin/session');
  } catch (error) {
    const reason = error.status === 401 ? (code ? 'This link has been used, or is older than 10 minutes. Sign in with your key.' : '') : error.message;
    return signedOut(reason);
  }
  frame();
  navigate();
}

keys.bind({
  '?': ['Show the keys', () => keys.help()],
  '/': ['Find a party, a hero, a player or an activity', openFind],
  ...Object.fromEntries(Object.entries(pages).map(([page, [title, key]]) =>
    [`g ${key}`, [title, () => go(page === 'party' && lastParty ? href('party', part(lastParty)) : `#/${page}`)]])),
});
whenSignedOut(() => { if (session) signedOut(); });
addEventListener('hashchange', () => { if (session) navigate(); });
start();
