// What a card shows, read from a content state, and the small parts that presentations share.
import {h, set, write} from '../lib/dom.js';

/** The number that a card prints. Swift's Int(level * 100) truncates, and so does this. */
export const percent = level => Math.trunc(level * 100);

/** Health is red at 0.2 and below (S0). */
export const isLow = level => level <= 0.2;

/**
 * The words that stand on a card and come from no push, in the phone's language. A stale card says
 * `over` where a time of its state has passed, else `stale`.
 */
const words = {
  en: {stale: 'no news for a while', over: 'time is up', level: 'Lv', now: 'now'},
  de: {stale: 'länger nichts Neues', over: 'Zeit abgelaufen', level: 'Lv', now: 'jetzt'},
  es: {stale: 'sin novedades por ahora', over: 'se acabó el tiempo', level: 'Nv.', now: 'ahora'},
  fr: {stale: 'rien de neuf pour l’instant', over: 'temps écoulé', level: 'Niv.', now: 'maint.'},
  ja: {stale: 'しばらく更新なし', over: '時間切れ', level: 'Lv', now: '今'},
  zh: {stale: '好一阵没有消息', over: '时间到了', level: 'Lv', now: '现在'},
};

/** The times of a content state are seconds since 2001, as a default `JSONDecoder` reads a `Date`. */
const dateEpochMilliseconds = 978_307_200_000;

/** Returns the milliseconds since 1970 of a time in a content state; null for none. */
export const timeOf = date => date === undefined || date === null ? null : date * 1000 + dateEpochMilliseconds;

/** `0:42`, `12:05`: how long until then. */
function countdown(milliseconds) {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Returns the words of a language tag such as `zh-Hans`; English for others. */
export function wordsIn(language) {
  return words[(language ?? 'en').split('-')[0]] ?? words.en;
}

/** Room beside a button for the news below a question, in columns of the question. */
const shortQuestionColumns = 30;

/** How many columns a text has: those of East Asia take two. */
const columns = text => [...text].reduce((sum, each) => sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(each) ? 2 : 1), 0);

/**
 * Returns what presentations take. `hero` is a hero of the API; `state` is a content state or null;
 * `phase` is `none` (no card yet), `active`, `stale`, `ended` or `dismissed`.
 */
export function cardModel({hero, state, language = 'en', phase = 'active', alert = null, at = null}) {
  const level = Math.min(1, Math.max(0, state?.currentHealthLevel ?? 0));
  const now = at ?? Date.now();
  const asksUntil = timeOf(state?.ask?.endsAt);
  const times = [asksUntil, timeOf(state?.deadline?.at)].filter(each => each !== null);
  const ahead = times.filter(each => each > now);
  // No push takes a question away at its end; a stale card may be older than that.
  const ask = phase === 'active' && !(asksUntil !== null && asksUntil <= now) ? state?.ask ?? null : null;
  const news = state?.eventDescription ?? '';
  return {
    avatar: hero?.avatar ?? '👤',
    name: hero?.name ?? '',
    type: hero?.heroType ?? '',
    rank: hero?.level ? `${wordsIn(language).level} ${hero.level}` : '',
    level,
    number: String(percent(state?.currentHealthLevel ?? 0)),
    low: isLow(level),
    text: ask?.text ?? news,
    news: ask && news !== ask.text && columns(ask.text) <= shortQuestionColumns ? news : '',
    ask,
    left: phase === 'active' && ahead.length ? countdown(Math.min(...ahead) - now) : '',
    old: phase === 'stale' ? times.length > ahead.length ? wordsIn(language).over : wordsIn(language).stale : '',
    team: state?.team ?? [],
    boss: state?.boss ?? null,
    way: state?.way ?? null,
    link: state?.link ?? null,
    words: wordsIn(language),
    language, phase, alert, at,
  };
}

/** A part is an element and `update(model)`, which changes what differs. */
export const part = (root, update) => ({root, update});

/** One part of several: its root holds theirs already. */
export function group(root, parts) {
  return part(root, model => {
    for (const each of parts) each.update(model);
  });
}

export function avatar(size, glyph) {
  const root = h('span', {class: 'avatar', 'aria-hidden': 'true', vars: {'--size': `${size}px`, '--glyph': `${glyph}px`}});
  return part(root, model => write(root, model.avatar));
}

export function heroName() {
  const root = h('bdi', {class: 'name'});
  return part(root, model => write(root, model.name));
}

/** How long until something happens, the class and the level of the hero; or that the card is old. */
export function heroType() {
  const root = h('span', {class: 'type'});
  return part(root, model => {
    write(root, model.old
      ? `🕓 ${model.old}`
      : [model.left && `⏳ ${model.left}`, model.type, model.rank].filter(Boolean).join(' · '));
  });
}

export function number() {
  const root = h('span', {class: 'num'});
  return part(root, model => {
    write(root, model.number);
    root.classList.toggle('red', model.low);
  });
}

export function text() {
  const root = h('p', {class: 'desc'});
  return part(root, model => write(root, model.text));
}

/** What has happened, below a question that leaves it room. */
export function news() {
  const root = h('p', {class: 'news', dir: 'auto'});
  return part(root, model => {
    write(root, model.news);
    root.hidden = !model.news;
  });
}

/** The bar of the hero's health. */
export function bar() {
  const root = h('span', {class: 'hp', 'aria-hidden': 'true'}, h('i'));
  return part(root, model => {
    set(root, {vars: {'--level': `${model.level * 100}%`}});
    root.classList.toggle('low', model.low);
  });
}

/** The boss's health, or else how much of the way is behind the party; version 2 of the state. */
export function progress() {
  const root = h('span', {class: 'progress', 'aria-hidden': 'true'}, h('i'));
  return part(root, model => {
    const share = model.boss ?? model.way;
    root.hidden = share === null;
    root.classList.toggle('boss', model.boss !== null);
    if (share !== null) set(root, {vars: {'--level': `${share}%`}});
  });
}

/** The avatars of the team with their moods; version 2 of the state. */
export function team() {
  const root = h('span', {class: 'team', 'aria-hidden': 'true'});
  return part(root, model => {
    root.hidden = model.team.length < 2;
    root.replaceChildren(...model.team.map(mate => h('span', {data: {mood: mate.mood}}, mate.avatar)));
  });
}

/** The button of the card's question: it stands beside the sentence that asks, and goes with it. */
export function ask() {
  const label = h('span');
  const votes = h('small');
  const root = h('button', {class: 'ask', type: 'button', tabindex: '-1', inert: true}, label, votes);
  return part(root, ({ask}) => {
    root.hidden = !ask;
    if (!ask) return;
    write(label, ask.button);
    write(votes, ask.of === undefined ? '' : ` ${ask.yes}/${ask.of}`);
    root.classList.toggle('mine', ask.mine === true);
  });
}

/** A ring of the health around a number (`number`) or the avatar (`avatar`). */
export function ring(size, width, content) {
  const radius = (size - width) / 2;
  const circle = kind => h('circle', {
    class: kind, cx: size / 2, cy: size / 2, r: radius, 'stroke-width': width, pathLength: 100,
    ...(kind === 'fill' ? {transform: `rotate(-90 ${size / 2} ${size / 2})`} : {}),
  });
  const fill = circle('fill');
  const inner = content === 'number' ? h('b') : h('em');
  const root = h('span', {class: 'ring', vars: {'--size': `${size}px`}},
    h('svg', {width: size, height: size, viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true'}, circle('track'), fill),
    inner);
  return part(root, model => {
    set(fill, {'stroke-dasharray': `${model.level * 100} 100`, visibility: model.level > 0 ? 'visible' : 'hidden'});
    write(inner, content === 'number' ? model.number : model.avatar);
    root.classList.toggle('low', model.low);
    root.classList.toggle('full', model.number.length > 2);
  });
}
