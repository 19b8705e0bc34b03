// The wall: a tile for each party on one canvas. Only tiles that changed are drawn again.

const sizes = [[210, 92], [132, 64], [84, 46], [52, 34], [34, 24], [22, 18], [14, 12]];
const gap = 4;
const heightMax = 640;

export class Wall {
  #parties = new Map();
  #shown = [];
  #dirty = new Set();
  #all = true;
  #frame = 0;
  #columns = 1;
  #size = sizes[0];
  #matches = () => true;

  /** `onFocus(party)` when a tile is pointed at or reached by keys, `onOpen(party)` for Enter and click. */
  constructor(canvas, {onFocus, onOpen}) {
    Object.assign(this, {canvas, onFocus, onOpen, focused: null});
    this.context = canvas.getContext('2d', {alpha: false});
    canvas.addEventListener('keydown', event => this.#key(event));
    canvas.addEventListener('pointermove', event => this.#focus(this.#at(event), false));
    canvas.addEventListener('click', event => { const party = this.#at(event); if (party) onOpen(party); });
    canvas.addEventListener('focus', () => this.#focus(this.focused ?? this.#shown[0] ?? null));
    this.observer = new ResizeObserver(() => this.#layout());
    this.observer.observe(canvas.parentElement);
    this.scheme = matchMedia('(prefers-color-scheme: light)');
    this.recolor = () => { this.#readColors(); this.#layout(); };
    this.scheme.addEventListener('change', this.recolor);
    this.#readColors();
  }

  leave() {
    this.observer.disconnect();
    this.scheme.removeEventListener('change', this.recolor);
    cancelAnimationFrame(this.#frame);
  }

  get shown() { return this.#shown; }
  get parties() { return [...this.#parties.values()]; }

  clear() {
    this.#parties.clear();
    this.#layout();
  }

  /** A party as the stream tells it: new, or with another state. */
  upsert(party) {
    const old = this.#parties.get(party.id);
    this.#parties.set(party.id, party);
    if (old && this.#matches(old) === this.#matches(party) && old.index !== undefined) {
      party.index = old.index;
      this.#shown[old.index] = party;
      if (this.focused?.id === party.id) this.#focus(party, false);
      this.#dirty.add(party.index);
      this.#draw();
    } else {
      this.#layoutSoon();
    }
  }

  remove(id) {
    if (this.#parties.delete(id)) this.#layoutSoon();
  }

  filter(matches) {
    this.#matches = matches;
    this.#layout();
  }

  #layoutSoon() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.#layout();
    });
  }

  /** The largest tiles with which all parties fit; parties keep their order, so tiles seldom move. */
  #layout() {
    for (const party of this.#parties.values()) delete party.index;
    this.#shown = [...this.#parties.values()].filter(this.#matches);
    this.#shown.forEach((party, index) => { party.index = index; });
    const width = this.canvas.parentElement.clientWidth;
    if (!width) return;
    const fits = ([wide, high]) => Math.ceil(this.#shown.length / columns(width, wide)) * (high + gap) <= heightMax;
    this.#size = sizes.find(fits) ?? sizes.at(-1);
    this.#columns = columns(width, this.#size[0]);
    this.tileWidth = Math.min(this.#size[0] * 1.6, (width + gap) / this.#columns - gap);
    const height = Math.max(this.#size[1], Math.ceil(this.#shown.length / this.#columns) * (this.#size[1] + gap) - gap);
    const ratio = devicePixelRatio || 1;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.setProperty('height', `${height}px`);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.#all = true;
    this.#draw();
  }

  #draw() {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      if (this.#all) {
        this.context.fillStyle = this.colors.panel;
        this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
        this.#shown.forEach((_, index) => this.#tile(index));
      } else {
        for (const index of this.#dirty) this.#tile(index);
      }
      this.#all = false;
      this.#dirty.clear();
    });
  }

  #tile(index) {
    const party = this.#shown[index];
    if (!party) return;
    const {context, colors, tileWidth: width} = this;
    const [left, top] = [(index % this.#columns) * (width + gap), Math.floor(index / this.#columns) * (this.#size[1] + gap)];
    const height = this.#size[1];
    const isFocused = this.focused?.id === party.id;
    context.fillStyle = colors.panel;
    context.fillRect(left - 2, top - 2, width + gap, height + gap);
    context.fillStyle = party.urgency > 0 ? colors.urgent : colors.raised;
    round(context, left, top, width, height, Math.min(10, height / 4));
    context.fill();
    if (isFocused || party.urgency > 0) {
      context.strokeStyle = isFocused ? colors.accent : party.frozen ? colors.accent : party.unheard || party.refused ? colors.bad : colors.warn;
      context.lineWidth = isFocused ? 2 : 1;
      context.stroke();
    }
    const pad = height > 40 ? 10 : height > 20 ? 4 : 2;
    const textHeight = height >= 46 ? this.#text(party, left + pad, top + pad, width - 2 * pad, height) : 0;
    this.#bars(party, left + pad, top + pad + textHeight, width - 2 * pad, height - 2 * pad - textHeight);
  }

  /** Avatars, the leader's name and what the party does, as far as there is room. */
  #text(party, left, top, width, height) {
    const {context, colors} = this;
    const size = height > 60 ? 13 : 11;
    context.textBaseline = 'top';
    context.fillStyle = colors.text;
    context.font = `600 ${size}px ${colors.font}`;
    const icon = party.frozen ? '🧊' : party.boss !== null && party.boss !== undefined ? '🐲' : party.phase === 'over' ? '🏁' : party.phase === 'gathering' ? '⛺️' : '';
    context.fillText(icon, left + width - size - 4, top);
    clip(context, (party.avatars ?? []).slice(0, height > 60 ? 8 : 4).join('') || '·', left, top, width - size - 8);
    if (height <= 60) return size + 5;
    context.fillStyle = colors.muted;
    context.font = `${size - 1}px ${colors.font}`;
    clip(context, party.name ?? party.code ?? '', left, top + size + 5, width);
    return height > 80 ? 2 * size + 12 : 2 * size + 8;
  }

  /** A bar for each hero, and one of the boss below. */
  #bars(party, left, top, width, height) {
    const {context, colors} = this;
    const hasBoss = party.boss !== null && party.boss !== undefined;
    const lines = (party.healths?.length ?? 0) + (hasBoss ? 1 : 0);
    if (!lines) return;
    const step = Math.min(9, height / lines);
    const thick = Math.max(1, Math.min(5, step - 1));
    const bar = (line, share, color) => {
      context.fillStyle = colors.track;
      context.fillRect(left, top + line * step, width, thick);
      context.fillStyle = color;
      context.fillRect(left, top + line * step, Math.max(share > 0 ? 1 : 0, width * Math.min(1, share)), thick);
    };
    party.healths.forEach((health, line) => bar(line, health / 1000, health <= 200 ? colors.bad : colors.good));
    if (hasBoss) bar(lines - 1, party.boss / 1000, colors.boss);
  }

  #at(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / (this.tileWidth + gap));
    if (column >= this.#columns) return null;
    return this.#shown[Math.floor((event.clientY - box.top) / (this.#size[1] + gap)) * this.#columns + column] ?? null;
  }

  #focus(party, isNew = true) {
    if (!party && !isNew) return;
    if (this.focused?.index !== undefined) this.#dirty.add(this.focused.index);
    this.focused = party;
    if (party) this.#dirty.add(party.index);
    this.#draw();
    this.onFocus(party);
  }

  #key(event) {
    const step = {ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.#columns, ArrowDown: this.#columns}[event.key];
    if (step) {
      event.preventDefault();
      const next = this.#shown[(this.focused?.index ?? -1) + step];
      if (next) this.#focus(next);
    } else if (event.key === 'Enter' && this.focused) {
      event.preventDefault();
      this.onOpen(this.focused);
    }
  }

  #readColors() {
    const style = getComputedStyle(document.documentElement);
    const read = name => style.getPropertyValue(name).trim();
    this.colors = {...Object.fromEntries(['panel', 'raised', 'text', 'muted', 'accent', 'good', 'bad', 'warn', 'boss'].map(name => [name, read(`--${name}`)])), track: read('--line'), urgent: read('--urgent'), font: read('--font')};
  }
}

function columns(width, wide) {
  return Math.max(1, Math.floor((width + gap) / (wide + gap)));
}

function round(context, left, top, width, height, radius) {
  context.beginPath();
  if (context.roundRect) context.roundRect(left, top, width, height, radius);
  else context.rect(left, top, width, height);
}

/** Text that is cut where its room ends: cheaper than measuring it. */
function clip(context, text, left, top, width) {
  context.save();
  context.beginPath();
  context.rect(left, top - 2, width, 24);
  context.clip();
  context.fillText(text, left, top);
  context.restore();
}
