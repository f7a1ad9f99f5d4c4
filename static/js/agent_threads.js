// Threads: the list in the head of the panel, fresh each time it opens and narrowed as one types; renaming in place;
// and the list of all threads.
import * as keys from './keys.js';
import { refresh } from './refresh.js';

const NARROW_WAIT = 200;
const menu = () => document.getElementById('thread-menu');
const rename = () => document.getElementById('thread-rename');

let due = null;
const narrow = (words) => {
  clearTimeout(due);
  due = setTimeout(() => refresh('thread-list', { values: { q: words } }), NARROW_WAIT);
};

document.addEventListener('toggle', (event) => {
  if (event.target !== menu() || !menu().open) return;
  menu().querySelector('[data-find-thread]').value = '';
  refresh('thread-list');
}, { capture: true });
document.addEventListener('input', (event) => {
  if (event.target.matches('[data-find-thread]')) narrow(event.target.value);
});
document.addEventListener('keydown', (event) => {
  if (!event.target.closest?.('#thread-menu') || !['ArrowDown', 'ArrowUp'].includes(event.key)) return;
  const stops = [...menu().querySelectorAll('[data-find-thread], .menu-list a')].filter((each) => each.offsetParent);
  const at = stops.indexOf(document.activeElement) + (event.key === 'ArrowDown' ? 1 : -1);
  event.preventDefault();
  (stops[at] || (at < 0 ? menu().querySelector('summary') : stops.at(-1)))?.focus();
});

// --- The list of all threads: live, and narrowed as its search is. ---

const LIST_WAIT = 300;
let listSoon = null;
const list = () => {
  if (!document.getElementById('threads')) return;
  listSoon ??= setTimeout(() => {
    listSoon = null;
    refresh('threads', { values: { q: document.getElementById('search').value } });
  }, LIST_WAIT);
};
document.addEventListener('docrouter:event', ({ detail }) => { if (detail.kind === 'threads.changed') list(); });
document.addEventListener('docrouter:poll', list);

// --- Renaming ---

const setRenaming = (isOpen) => {
  const form = rename();
  form.hidden = !isOpen;
  document.getElementById('thread-head').classList.toggle('renaming', isOpen);
  if (!isOpen) { document.querySelector('#thread-acts summary').focus(); return; }
  form.elements.title.value = document.getElementById('thread-title').textContent.trim();
  form.elements.title.select();
};
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-rename]')) setRenaming(true);
  if (event.target.closest('[data-rename-end]')) setRenaming(false);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || !event.target.closest?.('#thread-rename')) return;
  event.preventDefault();
  setRenaming(false);
});
document.addEventListener('htmx:afterRequest', (event) => {
  if (event.detail.elt === rename() && event.detail.successful) setRenaming(false);
});

keys.on({
  '/': () => {
    const search = document.getElementById('threads') && document.getElementById('search');
    search?.focus();
    return Boolean(search);
  },
});
