// The browser phone: join a party by its code, then be one of its phones.
import {h} from '../lib/dom.js';
import {leaveSeat, seat} from './seat.js';

const main = h('main');
document.body.append(main);

async function join(why = null) {
  const {showForm} = await import('./join.js');
  showForm(main, {code: location.hash.slice(1), why, done: play});
  document.body.dataset.ready = 'form';
  // It is needed after the form.
  import('./play.js').catch(() => {});
}

async function play() {
  const {Play} = await import('./play.js');
  new Play(main, why => {
    leaveSeat(why.keepsPlayer ? {} : {token: null});
    join(why.text);
  });
}

if (seat.party) play();
else join();
