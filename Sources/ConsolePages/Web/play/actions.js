// What a player can do: each button is one call of the API, and a refusal is shown in its words.
import {fill, h} from '../lib/dom.js';

const isUnderway = party => Boolean(party.adventure) && party.adventure.phase !== 'over';

/** The buttons for a hero at this moment: `{title, name, kind, method, path, body}`. */
export function actionsOf(party, own) {
  const inn = party.inn?.heroes.find(hero => hero.id === own);
  const me = party.heroes.find(hero => hero.id === own);
  if (inn) return party.inn.mayFollow ? [act(party, own, 'Follow the party', {action: 'follow'}, 'do')] : [];
  if (!me) return [];
  return [...asks(party, own), ...readiness(party, own), ...potions(party, me), ...setOut(party, me)];
}

function act(party, hero, title, body, kind = null) {
  return {title, kind, method: 'POST', path: `parties/${party.id}/actions`, body: {hero, ...body}};
}

function answers(party, hero, {id, button, yes, no}) {
  const choice = (title, answer, list) => ({
    title, isPressed: list.includes(hero), kind: answer ? 'do' : null, method: 'POST',
    path: `parties/${party.id}/answers`, body: {hero, ask: id, yes: answer},
  });
  return [choice(button, true, yes), choice('No', false, no)];
}

function asks(party, own) {
  return (party.adventure?.asks ?? []).filter(ask => ask.kind !== 'guard' || ask.hero !== own)
    .flatMap(ask => answers(party, own, ask));
}

function readiness(party, own) {
  const check = party.readyCheck;
  return check ? answers(party, own, {...check, id: check.ask}) : [];
}

function potions(party, me) {
  if (!isUnderway(party) || !me.potions) return [];
  const drink = act(party, me.id, `Drink potion (${me.potions})`, {action: 'usePotion'}, me.condition === 'knockedDown' ? 'do' : null);
  if (me.condition !== 'standing') return [drink];
  const fallen = party.heroes.filter(hero => hero.id !== me.id && hero.condition === 'knockedDown');
  return [drink, ...fallen.map(friend => ({...act(party, me.id, 'Help ', {action: 'usePotion', target: friend.id}, 'do'), name: friend.name}))];
}

function setOut(party, me) {
  if (party.leader !== me.owner || isUnderway(party) || party.readyCheck) return [];
  return [
    {title: 'Set out', kind: 'do', method: 'POST', path: `parties/${party.id}/adventure`, body: {}},
    {title: 'Ask who is ready', method: 'POST', path: `parties/${party.id}/ready`, body: {}},
  ];
}

/** Shows the buttons; those that stay keep the focus. */
export function showActions(root, actions, run, isOff) {
  const print = JSON.stringify([actions, isOff]);
  if (root.dataset.print === print) return;
  root.dataset.print = print;
  const focused = root.contains(document.activeElement) ? document.activeElement.textContent : null;
  fill(root, actions.map(action => h('button', {
    type: 'button', class: action.kind, disabled: isOff, onclick: () => run(action),
    ...(action.isPressed === undefined ? {} : {'aria-pressed': String(action.isPressed)}),
  }, action.title, action.name ? h('bdi', action.name) : null)));
  if (!actions.length) root.append(h('p', {class: 'meta'}, 'Nothing to do right now.'));
  if (focused) [...root.children].find(each => each.textContent === focused)?.focus();
}
