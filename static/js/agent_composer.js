// Writing: Enter sends, Shift Enter starts a line, an earlier message can be taken up again. What is refused is said
// beside the field and stays in it.
import * as mentions from './agent_mentions.js';
import { follow, stayAt } from './agent_scroll.js';

const one = (selector, root = document) => root.querySelector(selector);
const field = () => document.getElementById('say');
// What asked: before an answer is put somewhere, htmx names that place in its stead.
const askerOf = ({ detail }) => detail.requestConfig?.elt ?? detail.elt;
const isComposer = (event) => askerOf(event)?.closest?.('.composer');

// --- An earlier message, edited: sending it drops what came after ---

let draft = null;
const edit = (message) => {
  draft ??= mentions.written();
  all('.editing').forEach((each) => each.classList.remove('editing'));
  message.classList.add('editing');
  setInsteadOf(message.dataset.number);
  mentions.write(message.dataset.text, JSON.parse(message.dataset.chips));
  field().focus();
  field().setSelectionRange(field().value.length, field().value.length);
  stayAt(message);
};
const endEdit = ({ keep = null } = {}) => {
  all('.editing').forEach((each) => each.classList.remove('editing'));
  setInsteadOf('');
  if (keep) mentions.write(keep.text, keep.named);
  draft = null;
};
const all = (selector) => [...document.querySelectorAll(selector)];
const setInsteadOf = (number) => {
  const input = field().form.elements.instead_of;
  input.value = number;
  input.disabled = !number;
  document.getElementById('composer-edit').hidden = !number;
};
const isEditing = () => Boolean(document.getElementById('composer-edit')?.hidden === false);

document.addEventListener('click', (event) => {
  const on = (selector) => event.target.closest(selector);
  if (on('[data-edit-message]')) edit(on('[data-number]'));
  if (on('[data-edit-end]')) { endEdit({ keep: draft }); field().focus(); }
  if (on('[data-say]')) {
    mentions.write(on('[data-say]').dataset.say);
    field().form.requestSubmit();
  }
});
document.addEventListener('keydown', (event) => {
  if (event.target !== field() || event.isComposing || event.defaultPrevented) return;
  if (event.key === 'Escape' && isEditing()) {
    event.preventDefault();
    endEdit({ keep: draft });
  }
  if (event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  if (field().value.trim()) field().form.requestSubmit();
});

// --- What the server says to it ---

export const problem = (sentence) => {
  const place = document.getElementById('composer-problem');
  if (!place) return;
  place.hidden = !sentence;
  place.lastElementChild.textContent = sentence;
};
document.addEventListener('htmx:beforeSwap', (event) => {
  const { xhr } = event.detail;
  if (xhr.status < 400 || !isComposer(event)) return;
  event.detail.shouldSwap = false;
  const answer = new DOMParser().parseFromString(xhr.responseText, 'text/html');
  problem(one('[role=alert] p', answer)?.textContent || 'The server could not take this. Try again in a moment.');
});
document.addEventListener('htmx:afterRequest', (event) => {
  if (!isComposer(event) || !event.detail.successful) return;
  problem('');
  if (askerOf(event).matches('form') && field()) {
    mentions.write('');
    endEdit();
    document.dispatchEvent(new CustomEvent('docrouter:sent'));
  }
  follow();
});

// A question that a button asks is followed like one that was written; the button is gone with it.
document.addEventListener('htmx:afterRequest', (event) => {
  if (!event.detail.successful || !event.detail.elt?.matches?.('[data-asks]')) return;
  follow();
  document.getElementById('thread-scroll').focus({ preventScroll: true });
});

// --- Mode: the choice closes its list when it was made by hand, and is named on the button ---

document.addEventListener('change', (event) => {
  const picker = event.target.matches('[type=radio]') && event.target.closest('[data-picker]');
  if (picker) one('[data-picked]', picker).textContent = one('b', event.target.closest('label')).textContent;
});
document.addEventListener('click', (event) => {
  const picker = event.target.matches('[data-picker] [type=radio]') && event.detail && event.target.closest('[data-picker]');
  if (!picker) return;
  picker.open = false;
  one('summary', picker).focus();
});

export const begin = () => {
  draft = null;
  mentions.begin();
  if (!field()?.value) return;
  field().focus();
  field().setSelectionRange(field().value.length, field().value.length);
};
