// The documents list: rows fetch themselves again when a hint names them, and are walked by key.
import * as keys from './keys.js';
import { refresh } from './refresh.js';

const rows = document.getElementById('rows');
const known = (id) => document.getElementById(`document-${id}`);
const refreshList = () => refresh('rows', { values: Object.fromEntries(new FormData(document.querySelector('.filters'))) });

// Several hints for one row arrive within a moment; one request answers them all.
const due = new Map();
const soon = (id, action) => {
  if (due.has(id)) return;
  due.set(id, setTimeout(() => { due.delete(id); action(); }, 150));
};

document.addEventListener('docrouter:event', ({ detail }) => {
  const id = detail.document_id;
  if (!id) return;
  if (known(id)) soon(id, () => refresh(`document-${id}`));
  // A document from another tab or the API; one that is being uploaded here brings its own row.
  else if (!document.querySelector('.uploading:not(.refused)')) soon('list', () => { if (!known(id)) refreshList(); });
});
document.addEventListener('docrouter:poll', () => {
  rows.querySelectorAll('tr[data-live]').forEach((row) => refresh(row.id));
});
document.body.addEventListener('documents-changed', () => {
  document.getElementById('notice').replaceChildren();
  refreshList();
});

const all = () => [...rows.querySelectorAll('tr[data-document]')];
const cursor = () => rows.querySelector('tr.cursor');
const choose = (row) => {
  if (!row) return;
  cursor()?.classList.remove('cursor');
  row.classList.add('cursor');
  row.querySelector('a.name')?.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
};
const step = (by) => {
  const at = all().indexOf(cursor());
  choose(all()[Math.max(0, at + by)]);
};
keys.on({
  j: () => step(1),
  k: () => step(-1),
  '/': () => document.getElementById('search')?.focus(),
});
rows?.addEventListener('focusin', (event) => {
  const row = event.target.closest('tr[data-document]');
  if (row && row !== cursor()) { cursor()?.classList.remove('cursor'); row.classList.add('cursor'); }
});
document.addEventListener('htmx:afterSwap', (event) => event.target.querySelector?.('[data-focus]')?.select());
