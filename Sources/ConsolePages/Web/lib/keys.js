// Keys of the whole console and of the page that is shown.
import {h} from './dom.js';

const sequenceMax = 1500;

export class Keys {
  #all = new Map();
  #page = new Map();
  #prefix = null;
  #prefixAt = 0;

  constructor() {
    addEventListener('keydown', event => this.#pressed(event));
  }

  /** `{'g l': ['Live', action]}`: keys that always work. */
  bind(keys) {
    for (const [key, value] of Object.entries(keys)) this.#all.set(key, value);
  }

  /** Keys of one page, in place of those of the page before. */
  bindPage(keys) {
    this.#page = new Map(Object.entries(keys));
  }

  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const isFresh = this.#prefix && event.timeStamp - this.#prefixAt < sequenceMax;
    const key = (isFresh ? this.#prefix + ' ' : '') + (event.shiftKey && event.key.length > 1 ? 'Shift ' : '') + event.key;
    this.#prefix = null;
    const found = this.#page.get(key) ?? this.#all.get(key);
    if (found) {
      event.preventDefault();
      found[1](event);
    } else if (event.key === 'g') {
      this.#prefix = 'g';
      this.#prefixAt = event.timeStamp;
    }
  }

  /** The dialog of `?`. */
  help() {
    const list = keys => h('dl', {class: 'keys'}, [...keys].map(([key, [what]]) => h('div',
      h('dt', key.split(' ').map(each => h('kbd', names[each] ?? each))), h('dd', what))));
    const dialog = h('dialog', {class: 'help', 'aria-labelledby': 'help-title', onclose: () => dialog.remove()},
      h('form', {method: 'dialog'},
        h('header', h('h2', {id: 'help-title'}, 'Keys'), h('button', {autofocus: true}, 'Close')),
        this.#page.size ? [h('h3', 'This page'), list(this.#page)] : null,
        h('h3', 'Everywhere'), list(this.#all)));
    document.body.append(dialog);
    dialog.showModal();
  }
}

const names = {ArrowLeft: '←', ArrowRight: '→', ' ': 'Space'};

/** Keys belong to a field that takes text, and Space and Enter to what they press. */
function isTyping(target) {
  if (target.closest?.('textarea, select, [contenteditable]')) return true;
  const input = target.closest?.('input');
  return input !== null && input !== undefined && !['range', 'checkbox', 'radio'].includes(input.type);
}
