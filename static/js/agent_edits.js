// A card's arguments as a form. It is fetched when it is opened first; leaving it hides it, so what was typed is still
// there. While it is open the card shows what would happen with what is typed.
import './agent_schema.js';

const one = (selector, root = document) => root.querySelector(selector);
const formOf = (card) => one('.edit-form', card);
const faceOf = (card) => one('[data-face]', card);

// Card id to the face that the server gave it, for when the edits are left.
const faces = new Map();
const keepFace = (card) => faces.set(card.id, { version: card.dataset.version, html: faceOf(card).innerHTML });

export const isOpen = (card) => Boolean(formOf(card) && !formOf(card).hidden);
const say = (card, isOpened) => one('[data-edit]', card)?.setAttribute('aria-expanded', String(isOpened));
const focusFirst = (card) => one('.edit-form :is(input:not([type=hidden]), textarea, select)', card)?.focus();

const open = async (card) => {
  const place = one('.card-edit', card);
  keepFace(card);
  if (formOf(card)) {
    formOf(card).hidden = false;
    formOf(card).dispatchEvent(new CustomEvent('edits-opened', { bubbles: true }));
  } else {
    await htmx.ajax('GET', one('[data-edit]', card).dataset.edit, { source: place, target: place, swap: 'innerHTML' }).catch(() => {});
  }
  say(card, isOpen(card));
  focusFirst(card);
};

const leave = (card) => {
  formOf(card).hidden = true;
  const kept = faces.get(card.id);
  if (kept?.version === card.dataset.version) faceOf(card).innerHTML = kept.html;
  say(card, false);
  one('[data-edit]', card).focus();
};

export const toggle = (card) => (isOpen(card) ? leave(card) : open(card));

// A card that was drawn anew around an open form shows again what is typed.
export const settle = () => {
  for (const form of document.querySelectorAll('.card-wait .edit-form:not([hidden])')) {
    const card = form.closest('.card');
    if (faces.get(card.id)?.version === card.dataset.version) continue;
    keepFace(card);
    say(card, true);
    form.dispatchEvent(new CustomEvent('edits-opened', { bubbles: true }));
  }
};

// The answer to a preview whose form has gone since, to the other view or to the decision, has no place any more.
document.addEventListener('htmx:beforeRequest', ({ target }) => {
  if (!target.matches('[data-try]')) return;
  target.addEventListener('htmx:beforeSwap', ({ detail }) => { detail.shouldSwap &&= target.isConnected; }, { once: true });
});

document.addEventListener('keydown', (event) => {
  const form = event.target.closest?.('.edit-form');
  if (!form || event.isComposing || event.defaultPrevented) return;
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    form.requestSubmit();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    leave(form.closest('.card'));
  } else if (event.key === 'Enter' && event.target.matches('input')) {
    // Enter alone approves nothing.
    event.preventDefault();
    one('[data-try]', form).click();
  }
});
