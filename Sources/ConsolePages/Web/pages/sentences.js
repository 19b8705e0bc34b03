// Every sentence that stories of a pack can say, one after another on a card.
import {fill, h, set, write} from '../lib/dom.js';
import {get} from '../lib/api.js';
import {cardModel} from '../card/card.js';
import {figure, islandPhone, lockPhone, sizeOf} from '../card/phone.js';

const hero = {name: 'Power Panda', avatar: '🐼', heroType: 'Forest Dweller', level: 3};
const readingMilliseconds = 2500;

export class Sentences {
  constructor(packs, languages) {
    const known = packs.map(pack => `${pack.id}/${pack.version}`);
    this.pack = h('select', {name: 'pack', onchange: () => this.load()}, packs.map((pack, at) => h('option', {value: known[at]}, `${pack.title ?? pack.id} (${known[at]})`)));
    this.language = h('select', {name: 'language', onchange: () => this.load()}, languages.map(tag => h('option', {value: tag, selected: tag === 'en'}, tag)));
    this.all = h('input', {type: 'checkbox', name: 'all', onchange: () => this.choose()});
    this.play = h('button', {type: 'button', onclick: () => this.toggle()}, 'Play');
    this.place = h('p', {class: 'meta', role: 'status'});
    this.list = h('ol', {class: 'sentences', tabindex: '0', 'aria-label': 'Sentences'});
    this.figures = [figure('Lock Screen', '', lockPhone(), sizeOf('.card')), figure('Expanded', '', islandPhone('expanded'), sizeOf('.island.expanded'))];
    this.lines = [];
    this.at = 0;
    this.root = h('section', {class: 'panel block wide stories'}, h('header', h('h2', 'Sentences of a pack'), this.place),
      h('form', {class: 'fields', onsubmit: event => event.preventDefault()}, h('label', 'Pack', this.pack), h('label', 'Language', this.language), h('label', {class: 'check'}, this.all, 'And those of every story'),
        h('div', {class: 'buttons'}, h('button', {type: 'button', 'aria-label': 'Previous sentence', onclick: () => this.step(-1)}, '←'), this.play, h('button', {type: 'button', 'aria-label': 'Next sentence', onclick: () => this.step(1)}, '→'))),
      h('div', {class: 'stage', 'data-device': '393'}, this.figures.map(each => h('div', {class: 'column'}, each.root)), this.list));
    this.keys = {j: ['Next sentence', () => this.step(1)], k: ['Previous sentence', () => this.step(-1)], p: ['Play the sentences, or pause', () => this.toggle()]};
  }

  /** Reads the sentences of the pack in the language. */
  async load() {
    this.stop();
    if (!this.pack.value) return this.choose();
    const load = this.loading = Symbol('load');
    try {
      const found = await get(`admin/packs/${this.pack.value}/sentences?language=${this.language.value}`);
      // Only the last choice counts.
      if (load !== this.loading) return;
      this.sentences = found.sentences;
      this.choose();
    } catch (error) {
      write(this.place, error.message);
    }
  }

  /** Shows the lines that are wanted, from the first on. */
  choose() {
    const wanted = (this.sentences ?? []).filter(each => each.isOfPack || this.all.checked);
    this.lines = wanted.flatMap(({key, texts, button}) => texts.map(text => ({key, text, button})));
    set(this.list, {lang: this.language.value});
    fill(this.list, this.lines.map(({text}, at) => h('li', h('button', {type: 'button', class: 'link', onclick: () => this.show(at)}, text))));
    this.show(0);
  }

  show(at) {
    this.at = at;
    const line = this.lines[at];
    const language = this.language.value;
    // A title and a button have no card, but are read too.
    const ask = line?.button ? {text: line.text, button: line.button} : undefined;
    const model = cardModel({hero, state: {currentHealthLevel: 0.64, eventDescription: line?.text ?? '', ask}, language});
    for (const each of this.figures) each.update(model);
    write(this.place, line ? `${at + 1} of ${this.lines.length} · ${line.key}` : 'No sentence');
    this.list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const item = this.list.children[at];
    if (!item) return;
    set(item, {'aria-current': 'true'});
    // The list scrolls, and not the page.
    this.list.scrollTop = item.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }

  step(by) {
    if (this.lines.length) this.show((this.at + by + this.lines.length) % this.lines.length);
  }

  toggle() {
    if (this.timer) return this.stop();
    this.timer = setInterval(() => this.at + 1 < this.lines.length ? this.step(1) : this.stop(), readingMilliseconds);
    write(this.play, 'Pause');
  }

  stop() {
    clearInterval(this.timer);
    this.timer = null;
    write(this.play, 'Play');
  }
}
