// Makes elements. Text is always text: nothing here parses HTML, so a name cannot become markup.

const svgTags = new Set(['svg', 'path', 'circle', 'line', 'rect', 'g', 'polyline', 'title']);

/**
 * h('button', {class: 'do', onclick: run, vars: {'--at': '18%'}}, 'Raise the storm')
 * A function becomes a listener, `true` an empty attribute; null, undefined and false are left out.
 * `vars` are CSS variables, which a strict Content-Security-Policy allows from script.
 */
export function h(tag, properties, ...children) {
  const isPlain = properties === null || properties === undefined
    || (typeof properties === 'object' && !(properties instanceof Node) && !Array.isArray(properties));
  const element = tag === 'svg' || (svgTags.has(tag) && tag !== 'title')
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag);
  if (isPlain) set(element, properties ?? {});
  else children.unshift(properties);
  append(element, children);
  return element;
}

/** Sets attributes, listeners, `dataset` and `vars`; an attribute that is null or false is removed. */
export function set(element, properties) {
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'vars') {
      for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    } else if (name === 'data') {
      Object.assign(element.dataset, value);
    } else if (typeof value === 'function') {
      element.addEventListener(name.slice(2), value);
    } else if (name === 'value' || name === 'checked') {
      element[name] = value;
    } else if (value === null || value === undefined || value === false) {
      element.removeAttribute(name);
    } else {
      element.setAttribute(name, value === true ? '' : value);
    }
  }
  return element;
}

function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child !== null && child !== undefined && child !== false) element.append(child);
  }
}

/** Replaces all children. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Changes a text only if it is another one: what is selected stays so. */
export function write(element, text) {
  if (element.textContent !== String(text)) element.textContent = text;
}

/** Loads a style sheet once; the modules of pages wait for theirs. */
export async function style(path) {
  if (document.querySelector(`link[href="${path}"]`)) return;
  const link = h('link', {rel: 'stylesheet', href: path});
  await new Promise(done => {
    link.addEventListener('load', done);
    link.addEventListener('error', done);
    document.head.append(link);
  });
}
