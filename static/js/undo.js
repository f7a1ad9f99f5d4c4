// The key Z takes back the last thing that was done: it presses the button of the line that names it, or calls what a
// page remembers.
import * as keys from './keys.js';
import { dismiss } from './notices.js';

const undos = [];
const known = new Set();
const all = (selector) => [...document.querySelectorAll(selector)];
// A line that is folded behind the status line can still be taken back.
const isReady = (button) => (button.checkVisibility() || button.closest('[data-folded]')) && !button.disabled;
const buttons = () => all('[data-takes-back]:not([data-takes-back=""])');

// `words` say what is taken back; it answers false where there is nothing left to take back.
export const remember = (takeBack, words = '') => {
  const entry = { takeBack, words };
  undos.push(entry);
  tellNext();
  return entry;
};
export const forget = (entry) => {
  const at = undos.indexOf(entry);
  if (at >= 0) undos.splice(at, 1);
  tellNext();
};

const tellNext = () => {
  const words = undos.at(-1)?.words;
  const says = words ? `undo: ${words}` : 'undo';
  for (const place of all('[data-undo-says]')) if (place.textContent !== says) place.textContent = says;
};

const press = (key) => {
  const button = buttons().find((each) => each.dataset.takesBack === key && isReady(each));
  button?.click();
  return Boolean(button);
};
const noteButtons = () => {
  const fresh = buttons().filter(({ dataset }) => !known.has(dataset.takesBack));
  fresh.sort((one, other) => Number(one.dataset.since || Infinity) - Number(other.dataset.since || Infinity));
  for (const { dataset: { takesBack } } of fresh) {
    if (known.has(takesBack)) continue;
    known.add(takesBack);
    undos.push({ takeBack: () => press(takesBack), words: '' });
  }
  tellNext();
};

let takesTurn = (takeBack) => takeBack();
// A page on which changes are under way says when the next one has its turn.
export const waitWith = (wait) => { takesTurn = wait; };
const takeBackLast = () => {
  let isDone = false;
  while (!isDone && undos.length) isDone = undos.pop().takeBack() !== false;
  tellNext();
  return isDone;
};
keys.on({ z: () => takesTurn(takeBackLast) });

new MutationObserver(noteButtons).observe(document.body, { childList: true, subtree: true });
noteButtons();

// A line goes with what it named, unless the answer brought another.
document.addEventListener('htmx:afterRequest', ({ detail }) => {
  const banner = detail.elt.closest?.('[data-takes-back]') && detail.elt.closest('#notice .banner');
  if (banner && detail.successful) dismiss(banner);
});
