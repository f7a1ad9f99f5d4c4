// The documents list: rows fetch themselves again when a hint names them, and are walked by key.
import { writeAges } from './ages.js';
import * as keys from './keys.js';
import { refresh } from './refresh.js';

const rows = document.getElementById('rows');
const known = (id) => document.getElementById(`document-${id}`);
const all = () => [...rows.querySelectorAll('tr[data-document]:not([hidden])')];
let cursorId = null;
const cursor = () => all().find((row) => row.id === cursorId);
// A name that is being changed, an open menu and what it has just asked for are not taken away: the list waits for them.
const isInUse = (part = rows) => Boolean(part.querySelector('[data-focus], details[open], button.htmx-request'));
let isStale = false;
// As many rows as are there now, so that a longer list stays long.
const refreshList = () => {
  isStale = isInUse();
  if (isStale) return;
  // A filter may be there twice, such as two tags.
  const filters = new FormData(document.querySelector('.filters'));
  const values = Object.fromEntries([...filters.keys()].map((name) => [name, filters.getAll(name)]));
  refresh('rows', { values: { ...values, shown: all().length } });
};
const refreshStale = () => { if (isStale) refreshList(); };
rows.addEventListener('toggle', refreshStale, true);

// Several hints for one row arrive within a moment; one request answers them all.
const due = new Map();
const soon = (id, action) => {
  if (due.has(id)) return;
  due.set(id, setTimeout(() => { due.delete(id); action(); }, 150));
};

// Named by a hint and not on the page. Each counts: the first of them may have come with an answer that knew no other.
const missing = new Set();
// What is being uploaded here brings its own row.
const lookForMissing = () => {
  if (document.querySelector('.uploading:not(.refused)')) { soon('missing', lookForMissing); return; }
  const isAnyMissing = [...missing].some((id) => !known(id));
  missing.clear();
  if (isAnyMissing) refreshList();
};

document.addEventListener('docrouter:event', ({ detail }) => {
  const id = detail.document_id;
  if (!id) return;
  if (known(id)) soon(id, () => refresh(`document-${id}`));
  // A document from another tab or the API.
  else {
    missing.add(id);
    soon('missing', lookForMissing);
  }
});
document.addEventListener('docrouter:poll', () => {
  rows.querySelectorAll('tr[data-live]').forEach((row) => refresh(row.id));
});
document.addEventListener('docrouter:back', () => soon('list', refreshList));
document.addEventListener('docrouter:stored', () => soon('list', refreshList));
// Many rows were changed at once.
document.addEventListener('docrouter:many', () => soon('list', refreshList));
// The row that a person has brought back has the focus once it is there.
let restoredId = null;
document.body.addEventListener('documents-changed', () => {
  const notice = document.getElementById('notice');
  restoredId = notice.querySelector('[data-goes-to]')?.dataset.goesTo ?? null;
  notice.replaceChildren();
  refreshList();
});

// The first documents of all may come from elsewhere.
const reveal = () => {
  if (!all().length) return;
  document.getElementById('empty')?.remove();
  document.getElementById('filled').hidden = false;
  document.getElementById('upload')?.removeAttribute('hidden');
};
const mark = (row) => {
  cursor()?.classList.remove('cursor');
  cursorId = row.id;
  row.classList.add('cursor');
};
// Rows of files that are on their way are the page's own. Rows that are fetched again keep the cursor, and the focus: htmx
// gives it back to what has an id, and a row's name stands for whatever else of it had the focus.
let hadFocus = false;
let uploading = [];
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (!rows.contains(detail.target) || !detail.shouldSwap) return;
  if (detail.requestConfig.headers['X-Refresh'] && isInUse(detail.target)) {
    detail.shouldSwap = false;
    isStale = true;
    return;
  }
  hadFocus = detail.target.contains(document.activeElement);
  if (detail.target !== rows) return;
  uploading = [...rows.querySelectorAll('.uploading')];
  uploading.forEach((each) => each.remove());
});
document.addEventListener('htmx:afterSwap', ({ detail }) => {
  if (detail.target === rows) {
    rows.prepend(...uploading);
    uploading = [];
    reveal();
  }
  if (hadFocus && document.activeElement === document.body) cursor()?.querySelector('a.name')?.focus({ preventScroll: true });
  hadFocus = false;
});
// Not before: until then a new row has the classes of the one that it replaces.
document.addEventListener('htmx:afterSettle', () => cursor()?.classList.add('cursor'));

const choose = (row) => {
  if (!row) return;
  mark(row);
  row.querySelector('a.name')?.focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
};
// What had the focus may be there still and not be seen, such as a button of a menu that has closed.
const hasNoFocus = () => document.activeElement === document.body || !document.activeElement.checkVisibility();
const findBeside = (gone) => {
  const isRow = (row) => row.matches('tr[data-document]:not([hidden])');
  const siblings = [...rows.children];
  const at = siblings.indexOf(gone);
  return siblings.slice(at).find(isRow) ?? siblings.slice(0, at).findLast(isRow);
};
const focusBeside = (gone) => {
  const row = findBeside(gone);
  if (row) choose(row); else document.getElementById('main').focus({ preventScroll: true });
};
// The row that stands in the place of the current one is the current one, and has the focus if that had it.
document.addEventListener('docrouter:leaving', ({ detail }) => {
  const gone = detail.rows.find((row) => row.id === cursorId);
  if (!gone) return;
  const next = findBeside(gone);
  if (gone.contains(document.activeElement) || hasNoFocus()) focusBeside(gone);
  else if (next) mark(next);
});
// The page of a document that went to the trash leads to the name below it, which the browser gives the focus.
const named = document.getElementById(location.hash.slice(1));
if (rows.contains(named)) choose(named.closest('tr[data-document]'));
const step = (by) => {
  const at = all().indexOf(cursor());
  choose(all()[Math.max(0, at + by)]);
};
keys.on({
  j: () => step(1),
  k: () => step(-1),
  '/': () => document.getElementById('search')?.focus(),
});
rows.addEventListener('focusin', (event) => {
  const row = event.target.closest('tr[data-document]');
  if (row) mark(row);
});
document.addEventListener('htmx:afterSwap', (event) => {
  event.target.querySelector?.('[data-focus]')?.select();
  refreshStale();
  writeAges();
  const gone = rows.querySelector('tr.gone');
  if (gone && !restoredId && hasNoFocus()) focusBeside(gone);
  if (restoredId && known(restoredId) && hasNoFocus()) { choose(known(restoredId)); restoredId = null; }
  // One row fewer: the number in the head and the rows that follow are the server's to say.
  if (gone) soon('list', refreshList);
});
