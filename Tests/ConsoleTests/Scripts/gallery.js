// Shows a card in every presentation on the page that is open, and measures what it sees.
const at = path => new URL('../' + path, location.href).href;
const {lockPhone, islandPhone, setDevice} = await import(at('card/phone.js'));
const views = await import(at('card/presentations.js'));
const {cardModel} = await import(at('card/card.js'));

/** Fills the page with the presentations of a card, for the phone with this width. */
function show({device, state, hero, language, phase, alert}) {
  const root = document.createElement('main');
  const layout = {display: 'flex', 'flex-flow': 'column wrap', gap: '16px', height: '490px', padding: '20px', 'align-content': 'flex-start'};
  for (const [name, value] of Object.entries(layout)) root.style.setProperty(name, value);
  setDevice(root, device);
  const parts = [lockPhone(), islandPhone('compact'), islandPhone('minimal'), islandPhone('expanded'),
    views.standBy(), views.watchStack(), views.watchSmall(), views.watchAlert()];
  for (const part of parts) {
    root.append(part.root);
    part.update(cardModel({hero, state, language, phase, alert, at: 1763816543000}));
  }
  document.body.replaceChildren(root);
  return root;
}

const find = name => document.querySelector(`[data-p="${name}"]`);
const box = name => find(name).getBoundingClientRect();
const style = (element, property) => parseFloat(getComputedStyle(element)[property]);

/** What the page has, by the names of the table of sizes. */
function measures() {
  const [lock, compact, leading, trailing, detached, attached, expanded, stack] =
    ['lock', 'compact', 'leading', 'trailing', 'minimal', 'minimal-attached', 'expanded', 'watch'].map(box);
  const screen = document.querySelector('.screen').getBoundingClientRect();
  const strip = find('expanded').parentElement.getBoundingClientRect();
  const standBy = find('standby-card').getBoundingClientRect();
  const part = (name, selector) => find(name).querySelector(selector);
  const camera = part('compact', '.cam').getBoundingClientRect();
  return {
    'screen-width': [screen.width],
    'island-width': [compact.width],
    'island-height': [compact.height, detached.height, attached.height],
    'island-radius': [find('compact'), find('expanded')].map(each => style(each, 'borderTopLeftRadius')),
    'compact-width': [leading.width, trailing.width],
    'camera-width': [camera.width, trailing.left - leading.right],
    'minimal-width-min': [detached.width],
    'minimal-width-max': [attached.width],
    'minimal-gap': [detached.left - find('minimal-attached').parentElement.getBoundingClientRect().right],
    'expanded-width': [expanded.width],
    'expanded-margin': ['paddingLeft', 'paddingRight', 'paddingBottom'].map(side => style(find('expanded'), side)),
    'lock-width': [lock.width],
    'lock-margin': ['paddingLeft', 'paddingRight', 'paddingTop', 'paddingBottom'].map(side => style(find('lock'), side)),
    'lock-radius': [style(find('lock'), 'borderTopLeftRadius')],
    'free-space': [lock.left - screen.left, screen.right - lock.right, expanded.left - strip.left, expanded.top - strip.top],
    'standby-scale': [4 * standBy.width / lock.width],
    'watch-45-width': [stack.width, box('watch-small').width],
    'watch-45-height': [stack.height, box('watch-small').height],
    'type-headline': [style(part('lock', '.name'), 'fontSize')],
    'type-subheadline': [style(part('lock', '.desc'), 'fontSize')],
    'type-footnote': [style(part('lock', '.type'), 'fontSize')],
    'type-ring': [style(part('compact', '.ring b'), 'fontSize')],
    'type-number': [style(part('lock', '.num'), 'fontSize')],
  };
}

/** The heights that the content decides, within the bounds of the table. */
const heights = () => [box('lock').height, box('expanded').height];

/** The parts whose content is larger than they are, and texts of more lines than they may have. */
function overflows() {
  const found = [];
  for (const root of document.querySelectorAll('[data-p]')) {
    for (const element of [root, ...root.querySelectorAll('*')]) {
      if (!element.checkVisibility() || !(element instanceof HTMLElement)) continue;
      const isCut = getComputedStyle(element).textOverflow === 'ellipsis';
      if (element.matches('.desc')) {
        // A watch cuts what has no room, with an ellipsis; the phone has room for whole sentences.
        const lines = Math.round(element.scrollHeight / style(element, 'lineHeight'));
        const most = root.querySelector('.ask')?.checkVisibility() ? 3 : 2;
        if (lines > most && !root.matches('.watch')) found.push(`${root.dataset.p}: ${lines} lines`);
        continue;
      }
      if (!isCut && element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0) {
        found.push(`${root.dataset.p} ${element.className}: ${element.scrollWidth} wide in ${element.clientWidth}`);
      }
    }
    for (const element of root.querySelectorAll('*')) {
      const inner = element.getBoundingClientRect();
      const outer = root.getBoundingClientRect();
      if (inner.width && (inner.right > outer.right + 0.5 || inner.bottom > outer.bottom + 0.5)) {
        found.push(`${root.dataset.p} ${element.className || element.tagName} leaves its presentation`);
      }
    }
  }
  return [...new Set(found)];
}

/** `rgb(…)` as four numbers; WebKit and Chromium print colours alike. */
function colour(text) {
  const numbers = text.match(/[\d.]+/g).map(Number);
  return [...numbers.slice(0, 3), numbers[3] ?? 1];
}

const over = (top, below) => top.slice(0, 3).map((value, index) => value * top[3] + below[index] * (1 - top[3])).concat(1);

/** The colour behind an element, and how visible the element is, both from its ancestors. */
function surroundings(element) {
  const layers = [];
  let opacity = 1;
  for (let each = element; each; each = each.parentElement) {
    const look = getComputedStyle(each);
    layers.unshift(colour(look.backgroundColor));
    opacity *= Number(look.opacity);
    if (each.dataset.p && layers[0][3] === 1) break;
  }
  return {background: layers.reduce((below, top) => over(top, below), [0, 0, 0, 1]), opacity};
}

function luminance([red, green, blue]) {
  const linear = value => (value /= 255) <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function ratio(first, second) {
  const [high, low] = [luminance(first), luminance(second)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const emoji = /^[\p{Extended_Pictographic}\p{Emoji_Component}\s\d]*$/u;

/** The texts with a contrast below 4.5, and the shapes below 3 (WCAG 2.2, 1.4.3 and 1.4.11). */
function contrasts() {
  const found = [];
  let count = 0;
  for (const root of document.querySelectorAll('[data-p]')) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const text = walker.currentNode.data.trim();
      const isPicture = emoji.test(text) && !/^\d+$/.test(text);
      if (!text || isPicture || !element.checkVisibility()) continue;
      const {background, opacity} = surroundings(element);
      const own = colour(getComputedStyle(element).color);
      const value = ratio(over([...own.slice(0, 3), own[3] * opacity], background), background);
      count += 1;
      if (value < 4.5) found.push(`${root.dataset.p} “${text}”: ${value.toFixed(2)}`);
    }
    for (const element of root.querySelectorAll('.hp i, .ring .fill')) {
      const {background} = surroundings(element.closest('.hp, .ring').parentElement);
      const look = getComputedStyle(element);
      const value = ratio(colour(element.matches('i') ? look.backgroundColor : look.stroke), background);
      count += 1;
      if (value < 3) found.push(`${root.dataset.p} ${element.className}: ${value.toFixed(2)}`);
    }
  }
  return {found, count};
}
