// Cards: one is in hand; it alone has the filled button and shows keys. After a decision the focus goes to the next
// card that waits, also when that one is still on its way.
import * as edits from './agent_edits.js';
import './agent_reasons.js';
import './agent_seen.js';
import * as keys from './keys.js';
import { follow, isInView, show } from './agent_scroll.js';
import { say } from './shell.js';

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const cards = () => all('.card-wait');
const inHand = () => one('.card-wait.on');
const thread = () => document.getElementById('thread-scroll');

const hold = (card) => {
  for (const each of cards()) {
    each.classList.toggle('on', each === card);
    all('[data-approve]', each).forEach((button) => button.classList.toggle('btn-primary', each === card));
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
  const button = card && all(selector, card).find((each) => each.checkVisibility());
  if (!button) return false;
  // Nothing is decided unseen: the first press brings the card back into view.
  if (isInView(card)) button.click(); else take(card);
  return true;
};

let decided = false;
// A message was sent from here, and its box is empty still: the first card that comes is what the person waits for.
let sent = false;
const isWaitingInComposer = () => {
  const field = one('[data-message]');
  return sent && document.activeElement === field && !field.value && matchMedia('(pointer: fine)').matches;
};
// Until the answer to a decision is there its card stands as it was, and waits for nobody.
const isDeciding = () => Boolean(one('.card-wait form.htmx-request, .decide form.htmx-request'));
// What an accepted proposal offers to go on with.
const nextStep = () => one('.setup .card-done .btn-primary');
const isIdle = () => [document.body, thread()].includes(document.activeElement) || document.activeElement?.closest('.card');

// After the items have changed.
export const settle = ({ isLive }) => {
  edits.settle();
  look();
  const card = inHand() || cards()[0];
  if (card) hold(card);
  if (card && isWaitingInComposer()) card.focus({ preventScroll: true });
  if (card || !isLive) sent = false;
  if (!decided || isDeciding()) return;
  if (!isIdle()) { decided = false; return; }
  if (card) card.focus({ preventScroll: true });
  else if (isLive) thread().focus({ preventScroll: true });
  else if (nextStep()) nextStep().focus({ preventScroll: true });
  else if (matchMedia('(pointer: fine)').matches) one('[data-message]')?.focus({ preventScroll: true });
  decided = !card && isLive;
};
export const begin = () => { decided = false; seen.clear(); hold(cards()[0]); look(); };

const isDecision = (event) => event.detail.requestConfig?.verb === 'post' && event.target.matches?.('.card-wait form, .decide form');
document.addEventListener('htmx:beforeRequest', (event) => {
  if (!isDecision(event)) return;
  decided = true;
  follow();
});
document.addEventListener('htmx:afterRequest', (event) => {
  if (isDecision(event) && event.detail.xhr?.status >= 400) decided = false;
});
document.addEventListener('docrouter:sent', () => { sent = true; });
// The bar above the composer leads to the card in hand.
document.addEventListener('click', (event) => { if (event.target.closest('[data-look]')) take(inHand() || cards()[0]); });
// Escape leaves the composer for what its keys decide; what is typed stays there.
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || !event.target.matches('[data-message]')) return;
  // The first press ends the edit of an earlier message.
  if (document.getElementById('composer-edit')?.hidden === false) return;
  event.preventDefault();
  const card = inHand() || cards()[0];
  if (card) take(card); else thread().focus({ preventScroll: true });
});
document.addEventListener('focusin', (event) => {
  const card = event.target.closest?.('.card-wait');
  if (card) hold(card);
});
// Rules that others make change what a card offers.
document.addEventListener('docrouter:event', ({ detail }) => {
  if (detail.kind === 'rule.changed' && cards().length) document.body.dispatchEvent(new CustomEvent('thread-changed'));
});

// --- All at once, but nothing unseen: until each card has been in view the button leads to the next one. ---

const seen = new Set();
const face = (card) => `${card.id} ${card.dataset.version}`;
const isWholeInView = (card) => {
  // Its buttons stay in sight, so what has to have been seen is the end of what they decide on.
  const evidence = (one('[data-face]', card) || card).getBoundingClientRect();
  const box = thread().getBoundingClientRect();
  return evidence.bottom <= box.bottom + 8 && evidence.bottom > box.top;
};
const unseen = () => cards().find((card) => !seen.has(face(card)));
const look = () => {
  if (!thread()) return;
  cards().filter(isWholeInView).forEach((card) => seen.add(face(card)));
  const word = one('#approve-all [data-word]');
  if (word) word.textContent = unseen() ? `Look at all ${cards().length}` : word.dataset.word;
};
document.addEventListener('scroll', (event) => {
  if (event.target.id === 'thread-scroll') requestAnimationFrame(look);
}, { capture: true, passive: true });
document.addEventListener('submit', (event) => {
  if (!event.target.matches('[data-approve-all]')) return;
  const edited = cards().find(edits.isOpen);
  const card = edited || unseen();
  if (!card) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (edited) say('A card is being edited. Approve it with its edits, or leave them, and then approve the others.');
  // Pressed again it reads on in a card that is taller than the panel.
  if (card === inHand() && isInView(card)) thread().scrollTop += thread().clientHeight * 0.8;
  else take(card);
  look();
}, { capture: true });

document.addEventListener('click', (event) => {
  const editor = event.target.closest('.card [data-edit]');
  if (editor) edits.toggle(editor.closest('.card'));
});

keys.on({
  j: () => step(1),
  k: () => step(-1),
  a: () => press('[data-approve]'),
  e: () => press('[data-edit]'),
  r: () => press('[data-reject]'),
  A: () => { const button = document.getElementById('approve-all'); button?.click(); return Boolean(button); },
});
