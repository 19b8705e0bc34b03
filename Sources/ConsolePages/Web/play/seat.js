// Who this tab plays. It lasts as long as the tab; a copied tab is the same phone.

const key = 'seat';

/** `token`, `hero` and `party`; `activity` and what became of it; `language`. */
export let seat = JSON.parse(sessionStorage.getItem(key) ?? '{}');

/** Notes what is new; null removes. */
export function takeSeat(fields) {
  seat = {...seat, ...fields};
  sessionStorage.setItem(key, JSON.stringify(seat));
}

/** Forgets everything but the player, who may join another party with another hero. */
export function leaveSeat(fields = {}) {
  const {token, language} = seat;
  seat = {token, language, ...fields};
  sessionStorage.setItem(key, JSON.stringify(seat));
}
