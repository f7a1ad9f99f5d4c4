// The tag picker: one dialog for a document, for the tags of the next upload, and for whatever else chooses a tag.
import * as keys from './keys.js';

const PAUSE = 120;
const picker = document.getElementById('tag-picker');
const search = document.getElementById('tag-search');
const list = document.getElementById('tag-list');
const options = () => [...list.querySelectorAll('[role=option]')];

// What is being chosen for: {document, title, chosen, choose}. Null while it is closed.
let subject = null;
let opener = null;
let active = 0;
let asked = 0;
// Enter may be pressed before the options for the words have come: it takes the first of them then.
let isLoaded = false;
let isEntered = false;

const mark = () => {
  options().forEach((option, at) => {
    option.setAttribute('aria-selected', String(at === active));
    if (at === active) option.scrollIntoView({ block: 'nearest' });
  });
  const option = options()[active];
  if (option) search.setAttribute('aria-activedescendant', option.id);
  else search.removeAttribute('aria-activedescendant');
};

// Only the answer to what was asked last counts: an earlier one may come later.
const load = async () => {
  asked += 1;
  isLoaded = false;
  const mine = asked;
  const query = new URLSearchParams({ q: search.value });
  if (subject.document) query.set('document', subject.document);
  (subject.chosen?.() ?? []).forEach((id) => query.append('chosen', id));
  const answer = await fetch(`${picker.dataset.options}?${query}`, { headers: { 'HX-Request': 'true' } }).catch(() => null);
  const html = answer?.ok ? await answer.text() : '<li class="quiet tag-none" role="presentation">The tags could not be fetched. Close this and try again.</li>';
  if (mine !== asked || !subject) return;
  list.innerHTML = html;
  active = 0;
  mark();
  const count = options().length;
  document.getElementById('tag-said').textContent = count ? `${count} to choose from` : list.textContent.trim();
  isLoaded = true;
  if (isEntered) choose(options()[active]);
  isEntered = false;
};

// `choose` gets {id, name, color, isSet} of a tag, or {newName}; without it the tag is set on `document` or removed.
export const openTagPicker = (wish) => {
  if (!picker || picker.open) return;
  subject = wish;
  opener = document.activeElement;
  picker.querySelector('h2').textContent = wish.title;
  search.value = '';
  list.replaceChildren();
  picker.showModal();
  search.focus();
  load();
};

const change = ({ id, isSet, newName }, documentId) => {
  const values = newName ? { new_name: newName } : { [isSet ? 'remove' : 'add']: id };
  const address = picker.dataset.options.replace(/tag-options$/, `${documentId}/tags`);
  htmx.ajax('POST', address, { source: picker, target: '#notice', swap: 'none', values });
};

// It closes with the first press: a second one, or a held Enter, finds nothing to choose.
const choose = (option) => {
  if (!option || !subject) return;
  const { tag, name, color, new: newName } = option.dataset;
  const chosen = newName ? { newName } : { id: tag, name, color, isSet: 'set' in option.dataset };
  const wish = subject;
  picker.close();
  if (wish.choose) wish.choose(chosen);
  else change(chosen, wish.document);
};

if (picker) {
  let due = null;
  search.addEventListener('input', () => {
    // What was asked before these letters says nothing any more.
    asked += 1;
    isLoaded = false;
    isEntered = false;
    clearTimeout(due);
    due = setTimeout(() => subject && load(), PAUSE);
  });
  search.addEventListener('keydown', (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && options().length) {
      active = (active + step + options().length) % options().length;
      mark();
    } else if (event.key === 'Enter') {
      if (!event.repeat && isLoaded) choose(options()[active]);
      else if (!event.repeat) isEntered = true;
    } else if (!step) return;
    event.preventDefault();
  });
  list.addEventListener('click', (event) => choose(event.target.closest('[role=option]')));
  picker.addEventListener('click', (event) => { if (event.target === picker) picker.close(); });
  picker.addEventListener('close', () => {
    subject = null;
    isEntered = false;
    clearTimeout(due);
    // Its row may have been fetched again meanwhile. For a button of a menu, which is closed by now, stands that of the tags.
    const same = document.getElementById(opener?.id) ?? document.getElementById(`tag-add-${opener?.dataset?.tagDocument}`);
    (opener?.isConnected && opener.checkVisibility() ? opener : same)?.focus({ preventScroll: true });
  });
}

const openFor = (button) => openTagPicker({ document: button.dataset.tagDocument, title: `Tags of ${button.dataset.tagName}` });
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-tag-document]');
  if (button) openFor(button);
});
// With rows selected T is the selection's: whoever keeps it takes the event by preventDefault.
const isTaken = () => !document.dispatchEvent(new CustomEvent('docrouter:tag-selection', { cancelable: true }));
keys.on({
  t: () => {
    if (isTaken()) return true;
    const button = document.querySelector('#rows tr.cursor [data-tag-document], #topbar [data-tag-document]');
    if (!button || document.querySelector('.panel-in')?.dataset.tab === 'agent') return false;
    openFor(button);
    return true;
  },
});
