// The words and rules of every kind of event, and a preview of any card.
import {fill, h, set, style, write} from '../lib/dom.js';
import {plain, priority} from '../lib/text.js';
import {get, post} from '../lib/api.js';
import {cardModel} from '../card/card.js';
import {figure, islandPhone, lockPhone, setDevice, sizeOf} from '../card/phone.js';
import {watchAlert, watchSmall, watchStack} from '../card/presentations.js';
import {Sentences} from './sentences.js';
import {iconOf} from './story.js';

await style('../style/pages.css');

const previewDelay = 150;

export async function show(main, route, context) {
  const [content, packs] = await Promise.all([get('admin/content'), get('admin/packs').catch(() => ({packs: []}))]);
  const preview = new Preview(content, route.query.get('kind'));
  const sentences = new Sentences(packs.packs, content.languages);
  const language = h('select', {'aria-label': 'Language', onchange: () => draw()}, content.languages.map(tag => h('option', {value: tag, selected: tag === 'en'}, tag)));
  const body = h('tbody');
  const draw = () => fill(body, content.kinds.map(kind => row(kind, language.value, () => preview.choose(kind.kind))));
  draw();
  fill(main, h('div', {class: 'contentpage'}, preview.root,
    h('section', {class: 'panel block wide'}, h('header', h('h2', 'Events'), language),
      h('div', {class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Events'}, h('table', {class: 'events'}, h('thead', h('tr', ['Event', 'Priority', 'Relevance', 'Kept', 'Words', 'Widest', 'Why'].map(text => h('th', {scope: 'col'}, text)))), body))),
    sentences.root, packsBlock(packs.packs), findings(content.findings)));
  context.stream.open([], {});
  context.keys.bindPage(sentences.keys);
  await Promise.all([preview.draw(), sentences.load()]);
  return {leave: () => sentences.stop()};
}

function row(kind, language, choose) {
  const widest = kind.widest;
  return h('tr', h('td', h('button', {type: 'button', class: 'link', onclick: choose}, `${kind.emoji ?? iconOf(kind.kind)} ${plain(kind.kind)}`)), h('td', priority({priority: kind.priority, alert: kind.alert})),
    h('td', kind.relevance ?? '–'), h('td', kind.keptMinutes ? `${kind.keptMinutes} min` : '–'), h('td', {class: 'wide', lang: language}, words(kind, language)),
    h('td', {class: widest?.lockScreen > 1 ? 'bad' : null}, widest?.lockScreen ? `${Math.round(widest.lockScreen * 100)} % (${widest.language})` : '–'),
    h('td', {class: 'wide'}, kind.rule, (kind.findings ?? []).map(finding => h('p', {class: 'bad'}, finding))));
}

/** The first variant, and the others behind it: an event has up to eight for each foe. */
function words(kind, language) {
  const [first, ...others] = kind.words?.[language] ?? kind.words?.en ?? [];
  if (!others.length) return first ?? '–';
  return h('details', h('summary', first, h('small', ` and ${others.length} more`)), others.map(each => h('p', each)));
}

function packsBlock(packs) {
  return h('section', {class: 'panel block'}, h('header', h('h2', 'Adventure packs')), packs.length ? h('ul', {class: 'plain'}, packs.map(pack => h('li',
    h('span', h('b', pack.title ?? pack.id), h('small', `${pack.id} · version ${pack.version} · ${pack.minutes ? `${pack.minutes} min · ` : ''}level ${pack.level ?? 1}`)),
    h('span', {class: pack.status === 'published' ? 'good' : 'meta'}, pack.status),
    (pack.warnings ?? pack.findings ?? []).map(text => h('p', {class: 'warn'}, text))))) : h('p', {class: 'empty'}, 'No pack.'));
}

function findings(list = []) {
  return h('section', {class: 'panel block'}, h('header', h('h2', 'Check of the texts at the start')), list.length ? h('ul', {class: 'plain'}, list.map(text => h('li', {class: 'bad'}, text))) : h('p', {class: 'empty'}, 'Every text fits in every language.'));
}

/** A card of any state: what the server would send, in all presentations. */
class Preview {
  constructor(content, kind) {
    this.content = content;
    this.figures = [figure('Lock Screen', '', lockPhone(), sizeOf('.card')), figure('Compact', '', islandPhone('compact')), figure('Minimal', '', islandPhone('minimal')), figure('Expanded', '', islandPhone('expanded'), sizeOf('.island.expanded')),
      figure('Watch', '', watchStack()), figure('Watch, own layout', '', watchSmall()), figure('Alert, on the Watch only', '', watchAlert())];
    this.inputs = {
      kind: h('select', {name: 'kind'}, content.kinds.map(each => h('option', {value: each.kind, selected: each.kind === (kind ?? 'criticallyHit')}, `${each.emoji ?? iconOf(each.kind)} ${plain(each.kind)}`))),
      language: h('select', {name: 'language'}, content.languages.map(tag => h('option', {value: tag, selected: tag === 'en'}, tag))),
      name: h('input', {name: 'name', value: 'Power Panda', maxlength: '16'}),
      avatar: h('input', {name: 'avatar', value: '🐼', class: 'short'}),
      heroType: h('input', {name: 'heroType', value: 'Forest Dweller', maxlength: '40'}),
      health: h('input', {type: 'range', name: 'health', min: '0', max: '100', value: '18'}),
      osVersion: h('select', {name: 'osVersion'}, ['18.1', '17.4', '16.4'].map(version => h('option', {value: version}, `iOS ${version}`))),
      device: h('select', {name: 'device'}, ['393', '430'].map(device => h('option', {value: device}, device === '393' ? '393 × 852' : '430 × 932'))),
      luminance: h('input', {type: 'checkbox', name: 'luminance'}),
    };
    const titles = {kind: 'Event', language: 'Language', name: 'Name', avatar: 'Avatar', heroType: 'Class', osVersion: 'System', device: 'Phone'};
    this.level = h('output', '18');
    this.facts = h('p', {class: 'meta', role: 'status'});
    this.payload = h('pre', {tabindex: '0', 'aria-label': 'Payload'});
    this.stage = h('div', {class: 'stage', 'data-device': '393'}, h('div', {class: 'column'}, this.figures[0].root), h('div', {class: 'column'}, this.figures.slice(1, 4).map(each => each.root)), h('div', {class: 'column'}, this.figures.slice(4).map(each => each.root)));
    this.root = h('section', {class: 'panel block wide'}, h('header', h('h1', 'Content'), this.facts),
      h('form', {class: 'fields', onsubmit: event => event.preventDefault(), oninput: () => this.later()},
        Object.entries(titles).map(([name, title]) => h('label', title, this.inputs[name])), h('label', h('span', 'Health ', this.level), this.inputs.health), h('label', {class: 'check'}, this.inputs.luminance, 'Always-On')),
      this.stage, this.payload);
  }

  choose(kind) {
    this.inputs.kind.value = kind;
    this.draw();
    this.root.scrollIntoView({block: 'start'});
    this.inputs.kind.focus({preventScroll: true});
  }

  later() {
    clearTimeout(this.timer);
    write(this.level, this.inputs.health.value);
    this.timer = setTimeout(() => this.draw(), previewDelay);
  }

  async draw() {
    const value = name => this.inputs[name].value;
    const hero = {name: value('name'), avatar: value('avatar'), heroType: value('heroType')};
    setDevice(this.stage, value('device'));
    set(this.stage, {'data-luminance': this.inputs.luminance.checked ? 'reduced' : null});
    try {
      const body = {kind: value('kind'), hero, health: Number(value('health')) / 100, language: value('language'), osVersion: value('osVersion')};
      const result = await post('admin/content/preview', body);
      const model = cardModel({hero: {...hero, level: 3}, state: result.contentState, language: value('language'), alert: result.alert});
      for (const each of this.figures) each.update(model);
      this.figures[6].root.hidden = !result.alert;
      write(this.facts, [result.bytes ? `${result.bytes} bytes of payload` : null, ...(result.findings?.length ? result.findings : ['no findings'])].filter(Boolean).join(' · '));
      write(this.payload, JSON.stringify(result.payload ?? result.contentState));
    } catch (error) {
      write(this.facts, error.message);
    }
  }
}

