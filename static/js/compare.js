// The texts of two documents side by side: from one change to the next, by buttons and keys.
import * as keys from './keys.js';

const changes = [...document.querySelectorAll('[data-compare-change]')];
const counter = document.querySelector('[data-compare-at]');
let at = changes.findIndex((change) => `#${change.id}` === location.hash);

const show = (index) => {
  changes[at]?.classList.remove('current');
  at = Math.max(0, Math.min(changes.length - 1, index));
  const change = changes[at];
  change.classList.add('current');
  change.scrollIntoView({ block: 'nearest' });
  change.focus({ preventScroll: true });
  counter.textContent = `${at + 1} of ${changes.length}`;
  // A reload and the way back from a document come to the same change.
  history.replaceState(history.state, '', `#${change.id}`);
};

const step = (by) => {
  if (!changes.length) return false;
  show(at < 0 && by < 0 ? changes.length - 1 : at + by);
  return true;
};

document.querySelectorAll('[data-compare-step]').forEach((button) => {
  button.addEventListener('click', () => step(Number(button.dataset.compareStep)));
});
keys.on({ j: () => step(1), k: () => step(-1) });
if (at >= 0) show(at);
