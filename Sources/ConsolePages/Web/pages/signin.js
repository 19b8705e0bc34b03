// The page before the console: a key, which is sent once and not kept.
import {fill, h, write} from '../lib/dom.js';
import {post} from '../lib/api.js';

/** Shows the form; `done` runs when the session is there. */
export function signIn(reason, done) {
  const key = h('input', {type: 'password', name: 'key', autocomplete: 'current-password', spellcheck: 'false', required: true, id: 'key', 'aria-describedby': 'reason'});
  const told = h('p', {class: 'reason', id: 'reason', role: 'alert'}, reason);
  const button = h('button', {class: 'do'}, 'Sign in');
  const form = h('form', {
    class: 'panel signin',
    onsubmit: async event => {
      event.preventDefault();
      button.disabled = true;
      try {
        await post('admin/session', {key: key.value.trim()});
        key.value = '';
        done();
      } catch (error) {
        write(told, error.status === 401 ? 'No game master has this key.' : error.message);
        key.select();
      }
      button.disabled = false;
    },
  },
  // For password managers: a key has no name beside it.
  h('input', {type: 'text', name: 'username', autocomplete: 'username', value: 'game master', hidden: true}),
  h('span', {class: 'logo', 'aria-hidden': 'true'}, '🐼'), h('h1', 'Rangers console'),
  h('label', {for: 'key'}, 'Key of a game master'), key, told, button,
  h('p', {class: 'meta'}, 'The key is sent to this server once and not kept in the browser. You stay signed in for 12 hours, or until 30 minutes pass without a request.'));
  fill(document.body, h('main', {id: 'main', class: 'center'}, form));
  document.title = 'Sign in · Rangers';
  document.body.dataset.ready = 'signin';
  key.focus();
}
