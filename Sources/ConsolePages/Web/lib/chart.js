// Charts in SVG: each has a sentence for people who do not see it.
import {h} from './dom.js';

/** Stacked bars over time. `series` is [{name, className, values}], the oldest value first. */
export function bars(series, {width = 600, height = 120, label}) {
  const length = Math.max(1, ...series.map(each => each.values.length));
  const sums = Array.from({length}, (_, index) => series.reduce((sum, each) => sum + (each.values[index] ?? 0), 0));
  const top = niceMax(Math.max(1, ...sums));
  const step = width / length;
  const groups = [];
  const base = new Array(length).fill(0);
  for (const each of series) {
    const path = each.values.map((value, index) => {
      if (!value) return '';
      const [tall, low] = [value / top * height, base[index] / top * height];
      base[index] += value;
      return `M${(index * step + 0.5).toFixed(1)} ${(height - low).toFixed(1)}v${(-tall).toFixed(1)}h${Math.max(1, step - 1.5).toFixed(1)}v${tall.toFixed(1)}z`;
    }).join('');
    groups.push(h('path', {class: each.className, d: path}));
  }
  return h('figure', {class: 'chart'},
    h('span', {class: 'top', 'aria-hidden': 'true'}, String(top)),
    h('svg', {viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': label},
      h('line', {x1: 0, x2: width, y1: 0.5, y2: 0.5}), h('line', {x1: 0, x2: width, y1: height / 2, y2: height / 2}),
      groups));
}

/** A histogram as rows: [{label, count, className}]. */
export function rows(entries, label) {
  const top = Math.max(1, ...entries.map(entry => entry.count));
  return h('ul', {class: 'histogram', 'aria-label': label}, entries.map(entry => h('li',
    h('span', entry.label),
    h('span', {class: `bar ${entry.className ?? ''}`, 'aria-hidden': 'true'}, h('i', {vars: {'--level': `${entry.count / top * 100}%`}})),
    h('b', entry.count.toLocaleString('en')))));
}

/** 1, 2, 5, 10, 20, 50 …: the top of an axis. */
export function niceMax(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map(step => step * power).find(step => step >= value) ?? value;
}
