// The presentations of a Live Activity: the four that must exist (S0, S4), StandBy and the Watch.
// Each function returns a part: its `root`, and `update(model)` with a model of card.js.
import {h, set, write} from '../lib/dom.js';
import {ask, avatar, bar, group, heroName, heroType, news, number, part, progress, ring, team, text} from './card.js';

const lens = () => h('span', {class: 'cam'}, h('span', {class: 'lens', 'aria-hidden': 'true'}));

/** Names the presentation for tests and screen readers, and says in which language it is. */
function presentation(root, parts, label = null) {
  if (label) set(root, {role: 'group'});
  const whole = group(root, parts);
  return part(root, model => {
    whole.update(model);
    set(root, {lang: model.language});
    root.dataset.phase = model.phase;
    if (label) set(root, {'aria-label': `${label}: ${model.name}, ${model.number}. ${model.text}`});
  });
}

/** The Lock Screen: avatar, name, health and what happened, on navy. */
export function lockScreen() {
  const parts = [avatar(44, 27), heroName(), heroType(), team(), number(), bar(), progress(), text(), news(), ask()];
  const [face, title, type, mates, level, health, way, words, below, question] = parts.map(each => each.root);
  const root = h('div', {class: 'card', data: {p: 'lock'}},
    h('div', {class: 'row'}, face,
      h('div', {class: 'grow'}, title, h('div', {class: 'row line'}, type, mates)), level),
    health, way,
    h('div', {class: 'row foot'}, h('div', {class: 'grow'}, words, below), question));
  return presentation(root, parts, 'Lock Screen');
}

/** Compact: the avatar leads, a ring with the number trails; both halves read as one. */
export function compact() {
  const face = avatarOnly(22);
  const health = ring(26, 3, 'number');
  const root = h('div', {class: 'island compact', data: {p: 'compact'}},
    h('span', {class: 'half', data: {p: 'leading'}}, face.root), lens(),
    h('span', {class: 'half', data: {p: 'trailing'}}, health.root));
  return presentation(root, [face, health], 'Compact');
}

/** Minimal with two activities: one attached to the camera. */
export function minimalAttached() {
  const health = ring(27, 3, 'avatar');
  const root = h('div', {class: 'island attached'},
    h('span', {class: 'half', data: {p: 'minimal-attached'}}, health.root), lens());
  return presentation(root, [health], 'Minimal, attached');
}

/** Minimal with two activities: the other one detached. */
export function minimal() {
  const health = ring(27, 3, 'avatar');
  const root = h('div', {class: 'island detached', data: {p: 'minimal'}}, health.root);
  return presentation(root, [health], 'Minimal, detached');
}

/** Expanded: on touch and hold, or for an alert. */
export function expanded() {
  const parts = [avatar(36, 22), number(), heroName(), heroType(), bar(), progress(), text(), news(), ask()];
  const [face, level, title, type, health, way, words, below, question] = parts.map(each => each.root);
  set(face, {'data-region': 'leading'});
  set(level, {'data-region': 'trailing'});
  const root = h('div', {class: 'island expanded', data: {p: 'expanded'}},
    h('div', {class: 'upper'}, face, lens(), level),
    h('div', {class: 'mid'}, title, type),
    h('div', {data: {region: 'bottom'}}, health, way,
      h('div', {class: 'row foot'}, h('div', {class: 'grow'}, words, below), question)));
  return presentation(root, parts, 'Expanded');
}

/** StandBy: the Lock Screen's presentation, scaled to fill. */
export function standBy() {
  const card = lockScreen();
  card.root.dataset.p = 'standby-card';
  return presentation(h('div', {class: 'standby', data: {p: 'standby'}}, card.root), [card]);
}

/** The Smart Stack without a layout of the app's own: its title and both compact halves (S2). */
export function watchStack() {
  const face = avatarOnly(26);
  const health = ring(32, 3.5, 'number');
  const when = h('span');
  const root = h('div', {class: 'watch', data: {p: 'watch'}},
    h('div', {class: 't'}, h('span', 'Emoji Rangers'), when),
    h('div', {class: 'row between'}, face.root, health.root));
  return presentation(root, [face, health, part(when, model => write(when, whenWords(model)))], 'Watch');
}

/** The Smart Stack with `.supplementalActivityFamilies([.small])`: the card in a small layout (S2). */
export function watchSmall() {
  const parts = [avatarOnly(20), heroName(), number(), bar(), text()];
  const [face, title, level, health, words] = parts.map(each => each.root);
  const root = h('div', {class: 'watch small', data: {p: 'watch-small'}},
    h('div', {class: 'row'}, face, h('div', {class: 'grow'}, title), level), health, words);
  return presentation(root, parts, 'Watch, small layout');
}

/** What only the Watch prints of an alert: its title and body (S0). */
export function watchAlert() {
  const title = h('p', {class: 'name'});
  const body = h('p', {class: 'desc'});
  const root = h('div', {class: 'watch alert', data: {p: 'watch-alert'}}, title, body);
  return presentation(root, [part(root, model => {
    write(title, model.alert?.title ?? '');
    write(body, model.alert?.body ?? '');
  })], 'Watch, alert');
}

function whenWords(model) {
  return model.old ? `🕓 ${model.old}` : model.words.now;
}

function avatarOnly(size) {
  const root = h('em', {class: 'glyph', 'aria-hidden': 'true', vars: {'--glyph': `${size}px`}});
  return part(root, model => write(root, model.avatar));
}
