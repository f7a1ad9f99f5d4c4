// The trash: walked by key, and fetched again when documents come into it or leave it.
import * as keys from './keys.js';
import { refresh } from './refresh.js';

const PAUSE = 150;
const rows = document.getElementById('rows');
const all = () => [...rows.querySelectorAll('[data-document]')];
let cursorId = null;
const cursor = () => all().find((row) => row.id === cursorId);

const mark = (row) => {
  cursor()?.classList.remove('cursor');
  cursorId = row.id;
  row.classList.add('cursor');
};
const step = (by) => {
  const row = all()[Math.min(all().length - 1, Math.max(0, all().indexOf(cursor()) + by))];
  if (!row) return;
  mark(row);
  row.querySelector('[data-select]').focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
};
keys.on({ j: () => step(1), k: () => step(-1) });
rows.addEventListener('focusin', (event) => {
  const row = event.target.closest('[data-document]');
  if (row) mark(row);
});

// As many rows as are there now. A question that is open is not taken away: the list waits for its answer.
let isStale = false;
let due = null;
const refreshRows = () => {
  isStale = Boolean(rows.querySelector('details[open]'));
  if (!isStale) refresh('rows', { values: { shown: all().length } });
};
const soon = () => { clearTimeout(due); due = setTimeout(refreshRows, PAUSE); };
rows.addEventListener('toggle', () => { if (isStale) soon(); }, true);
document.addEventListener('docrouter:event', ({ detail }) => {
  if (detail.kind === 'document.changed' || detail.kind === 'documents.changed') soon();
});
document.addEventListener('docrouter:many', soon);
document.addEventListener('docrouter:back', soon);

let hadFocus = false;
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.target === rows) hadFocus = rows.contains(document.activeElement);
});
document.addEventListener('htmx:afterSwap', ({ detail }) => {
  if (detail.target === rows && hadFocus) cursor()?.querySelector('[data-select]').focus({ preventScroll: true });
});
// Not before: until then a new row has the classes of the one that it replaces.
document.addEventListener('htmx:afterSettle', () => cursor()?.classList.add('cursor'));
