// What a card shows, read from a content state, and the small parts that presentations share.
import {h, set, write} from '../lib/dom.js';

/** The number that a card prints. Swift's Int(level * 100) truncates, and so does this. */
export const percent = level => Math.trunc(level * 100);

/** Health is red at 0.2 and below (S0). */
export const isLow = level => level <= 0.2;

/** The words that stand on a card and come from no push, in the phone's language. */
const words = {
  en: {stale: 'out of date', level: 'Lv', now: 'now'},
  de: {stale: 'nicht aktuell', level: 'Lv', now: 'jetzt'},
  es: {stale: 'no actualizado', level: 'Nv.', now: 'ahora'},
  fr: {stale: 'pas à jour', level: 'Niv.', now: 'maint.'},
  ja: {stale: '古い情報', level: 'Lv', now: '今'},
  zh: {stale: '信息已过时', level: 'Lv', now: '现在'},
};

/** Returns the words of a language tag such as `zh-Hans`; English for others. */
export function wordsIn(language) {
  return words[(language ?? 'en').split('-')[0]] ?? words.en;
}

/**
 * Returns what presentations take. `hero` is a hero of the API; `state` is a content state or null;
 * `phase` is `none` (no card yet), `active`, `stale`, `ended` or `dismissed`.
 */
export function cardModel({hero, state, language = 'en', phase = 'active', alert = null, at = null}) {
  const level = Math.min(1, Math.max(0, state?.currentHealthLevel ?? 0));
  return {
    avatar: hero?.avatar ?? '👤',
    name: hero?.name ?? '',
    type: hero?.heroType ?? '',
    rank: hero?.level ? `${wordsIn(language).level} ${hero.level}` : '',
    level,
    number: String(percent(state?.currentHealthLevel ?? 0)),
    low: isLow(level),
    text: state?.eventDescription ?? '',
    ask: state?.ask ?? null,
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

/** The class and the level of the hero; or that the card is out of date. */
export function heroType() {
  const root = h('span', {class: 'type'});
  return part(root, model => {
    write(root, model.phase === 'stale'
      ? `🕓 ${model.words.stale}`
      : [model.type, model.rank].filter(Boolean).join(' · '));
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

/** The one question of a card; hidden at its `endsAt`, which no push does. */
export function ask(now = () => Date.now()) {
  const label = h('span');
  const votes = h('small');
  const root = h('button', {class: 'ask', type: 'button', tabindex: '-1', inert: true}, label, votes);
  return part(root, ({ask, at, phase}) => {
    const isOver = ask?.endsAt && ask.endsAt * 1000 <= (at ?? now());
    root.hidden = !ask || isOver || phase === 'ended';
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
