// Lists of schemas, prompts and tags: walked by key, and fetched again when somebody changed one of them.
import * as keys from './keys.js';
import { refresh } from './refresh.js';

const PAUSE = 150;
const rows = document.getElementById('rows');
const kinds = rows.dataset.kinds.split(' ');
const all = () => [...rows.querySelectorAll('tr[data-row]')];
const cursor = () => rows.querySelector('tr.cursor');
const search = () => document.getElementById('search');

// As many rows as are there now, so that a longer list stays long.
const fetchAgain = () => refresh('rows', { values: { q: search()?.value ?? '', shown: all().length } });
let due = null;
const soon = () => {
  clearTimeout(due);
  due = setTimeout(fetchAgain, PAUSE);
};
document.addEventListener('docrouter:event', ({ detail }) => {
  if (kinds.includes(detail.kind)) soon();
});
document.addEventListener('docrouter:back', soon);

const mark = (row) => {
  cursor()?.classList.remove('cursor');
  row?.classList.add('cursor');
};
const step = (by) => {
  const row = all()[Math.min(all().length - 1, Math.max(0, all().indexOf(cursor()) + by))];
  if (!row) return;
  mark(row);
  row.querySelector('a')?.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
};
keys.on({ j: () => step(1), k: () => step(-1), '/': () => search()?.focus() });
rows.addEventListener('focusin', (event) => {
  const row = event.target.closest('tr[data-row]');
  if (row) mark(row);
});

let before = null;
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.target === rows) before = { row: cursor()?.dataset.row, focused: rows.contains(document.activeElement) && document.activeElement !== rows };
});
document.addEventListener('htmx:afterSwap', ({ detail }) => {
  if (detail.target !== rows || !before?.row) return;
  const row = rows.querySelector(`tr[data-row="${before.row}"]`);
  mark(row);
  if (before.focused) row?.querySelector('a')?.focus({ preventScroll: true });
});
