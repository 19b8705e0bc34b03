// The sound of an alert: two notes, made here. Browsers allow it after a click.

let context = null;

/** Rings; with `volume` 0 it only wakes the audio, inside a click. */
export function chime(volume = 0.2) {
  context ??= new AudioContext();
  context.resume();
  for (const [index, frequency] of [660, 880].entries()) {
    const [note, gain] = [context.createOscillator(), context.createGain()];
    const at = context.currentTime + index * 0.16;
    note.frequency.value = frequency;
    gain.gain.setValueAtTime(volume, at);
    gain.gain.linearRampToValueAtTime(0, at + 0.3);
    note.connect(gain).connect(context.destination);
    note.start(at);
    note.stop(at + 0.3);
  }
}
