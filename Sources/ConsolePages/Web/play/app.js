// The browser phone: join a party by its code, then be one of its phones.
import {h} from '../lib/dom.js';
import {showForm} from './join.js';
import {Play} from './play.js';
import {leaveSeat, seat} from './seat.js';

const main = h('main');
document.body.append(main);

function join(why = null) {
  showForm(main, {code: location.hash.slice(1), why, done: play});
  document.body.dataset.ready = 'form';
}

function play() {
  new Play(main, why => {
    leaveSeat(why.keepsPlayer ? {} : {token: null});
    join(why.text);
  });
}

if (seat.party) play();
else join();
