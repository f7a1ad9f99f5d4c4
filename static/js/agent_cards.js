// Cards: one is in hand; it alone has the filled button and shows keys. After a decision the focus goes to the next
// card that waits, also when that one is still on its way.
import * as keys from './keys.js';
import { follow, isInView, show } from './agent_scroll.js';

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const cards = () => all('.card-wait');
const inHand = () => one('.card-wait.on');
const thread = () => document.getElementById('thread-scroll');

const hold = (card) => {
  for (const each of cards()) {
    each.classList.toggle('on', each === card);
    one('[data-approve]', each)?.classList.toggle('btn-primary', each === card);
  }
};
const take = (card) => {
  if (!card) return;
  hold(card);
  card.focus({ preventScroll: true });
  show(card);
};
const step = (by) => {
  if (!cards().length) return false;
  take(cards()[Math.min(cards().length - 1, Math.max(0, cards().indexOf(inHand()) + by))]);
  return true;
};
const press = (selector) => {
  const card = inHand();
  const button = card && one(selector, card);
  if (!button) return false;
  // Nothing is decided unseen: the first press brings the card back into view.
  if (isInView(card)) button.click(); else take(card);
  return true;
};
const pressAll = (selector) => {
  const buttons = all(selector);
  buttons.forEach((button) => button.click());
  return buttons.length > 0;
};

let decided = false;
const isIdle = () => [document.body, thread()].includes(document.activeElement) || document.activeElement?.closest('.card');

// After the items have changed.
export const settle = ({ isLive }) => {
  const card = inHand() || cards()[0];
  if (card) hold(card);
  if (!decided) return;
  if (!isIdle()) { decided = false; return; }
  if (card) card.focus({ preventScroll: true });
  else if (isLive) thread().focus({ preventScroll: true });
  else if (matchMedia('(pointer: fine)').matches) one('[data-message]')?.focus({ preventScroll: true });
  decided = !card && isLive;
};
export const begin = () => { decided = false; hold(cards()[0]); };

document.addEventListener('htmx:beforeRequest', (event) => {
  if (!event.target.closest?.('.card-wait')) return;
  decided = true;
  follow();
});
document.addEventListener('focusin', (event) => {
  const card = event.target.closest?.('.card-wait');
  if (card) hold(card);
});

// --- A reason: opened by Reject, closed by Cancel or Esc, sent by a second press. ---

const open = (part, isOpen) => {
  part.hidden = !isOpen;
  all(`[data-opens="${part.id}"]`).forEach((each) => each.setAttribute('aria-expanded', String(isOpen)));
  if (isOpen) one('textarea', part).focus();
  else one('[data-reject]', part.closest('.card')).focus();
};
document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-opens]');
  if (opener) {
    const part = document.getElementById(opener.dataset.opens);
    open(part, part.hidden);
  }
  if (event.target.closest('[data-approve-all]')) pressAll('.card-wait [data-approve]');
  if (event.target.closest('[data-reject-all]')) pressAll('.card-wait [data-send-rejection]');
});
document.addEventListener('keydown', (event) => {
  const part = event.target.closest?.('.reason');
  if (!part || event.isComposing) return;
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    part.requestSubmit();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    open(part, false);
  }
});

keys.on({
  j: () => step(1),
  k: () => step(-1),
  a: () => press('[data-approve]'),
  r: () => press('[data-reject]'),
  A: () => pressAll('.card-wait [data-approve]'),
});
