// Which rows of the documents list are ticked: X, Shift and a click, Ctrl or Cmd and A, or all that match the filter.
// It is kept for this address and tab, so that a reload or the way back from a document finds it again.
import { token } from './csrf.js';
import * as keys from './keys.js';

const rows = document.getElementById('rows');
const bar = document.getElementById('bulk');
const head = document.querySelector('[data-select-shown]');
const notice = document.getElementById('allof');
const shown = () => [...rows.querySelectorAll('[data-document][id]:not([hidden])')];
const cursor = () => rows.querySelector('.cursor');
const hasMore = () => Boolean(rows.querySelector('.more'));
const filters = document.querySelector('.filters') ?? undefined;
// Order and columns change nothing about which documents they are.
const readQuery = () => {
  const query = new URLSearchParams(new FormData(filters));
  ['order_by', 'column'].forEach((name) => query.delete(name));
  return query.toString();
};
const place = `selected-${bar?.dataset.organization}`;

let ids = new Set();
let isAll = false;
let count = '';
let query = readQuery();
let anchor = null;

const store = () => {
  const state = ids.size ? JSON.stringify({ query, ids: [...ids], isAll, count }) : '';
  try {
    if (state) sessionStorage.setItem(place, state);
    else sessionStorage.removeItem(place);
  } catch { /* no room, or none allowed: a reload forgets it */ }
};
const restore = () => {
  const stored = JSON.parse(sessionStorage.getItem(place) || 'null');
  if (stored?.query !== query) return;
  ids = new Set(stored.ids);
  ({ isAll, count } = stored);
};

const format = (number) => number.toLocaleString('en');
export const countWords = () => (isAll ? count : format(ids.size));
export const isEmpty = () => !ids.size;
// What every form of a bulk action sends.
export const fields = () => (isAll ? { all: '1', query } : { ids: [...ids].join(' ') });

const paint = () => {
  shown().forEach((row) => {
    const isTicked = isAll || ids.has(row.dataset.document);
    row.classList.toggle('selected', isTicked);
    const tick = row.querySelector('[data-select]');
    if (tick) tick.checked = isTicked;
  });
  const ticked = shown().filter((row) => row.classList.contains('selected')).length;
  if (head) {
    head.checked = ticked > 0 && ticked === shown().length;
    head.indeterminate = ticked > 0 && ticked < shown().length;
  }
  bar.hidden = isEmpty();
  bar.querySelectorAll('[data-two]').forEach((part) => { part.hidden = isAll || ids.size !== 2; });
  const words = `${countWords()} selected`;
  document.querySelectorAll('[data-selected]').forEach((part) => { if (part.textContent !== words) part.textContent = words; });
  paintNotice(ticked);
  document.dispatchEvent(new Event('docrouter:selected'));
};

// Offered once all that is shown is ticked and there is more of it.
const paintNotice = (ticked) => {
  notice.hidden = isEmpty() || !(isAll || (hasMore() && ticked === shown().length));
  notice.querySelector('[data-where]').textContent = isAll ? ', all that match.' : ' on this page.';
  const button = notice.querySelector('[data-select-all]');
  button.hidden = isAll;
  if (!notice.hidden && !isAll && button.dataset.query !== query) askCount(button);
};
const askCount = async (button) => {
  button.dataset.query = query;
  button.textContent = 'Select all that match';
  const sent = new URLSearchParams({ all: '1', query, action: bar.dataset.action });
  const answer = await fetch(bar.dataset.count, { method: 'POST', body: sent, headers: { 'X-CSRFToken': token() } }).catch(() => null);
  if (!answer?.ok || button.dataset.query !== query) return;
  count = await answer.text();
  button.textContent = `Select all ${count} that match`;
};

const change = (act) => {
  if (isAll) {
    // What was not shown is not known here: from now on it is what is ticked.
    isAll = false;
    ids = new Set(shown().map((row) => row.dataset.document));
  }
  act();
  store();
  paint();
};
const set = (row, isTicked) => (isTicked ? ids.add(row.dataset.document) : ids.delete(row.dataset.document));
const setRange = (row, isTicked) => change(() => {
  const list = shown();
  const from = list.indexOf(anchor?.isConnected ? anchor : document.getElementById(anchor?.id));
  const ends = [from < 0 ? list.indexOf(row) : from, list.indexOf(row)].sort((a, b) => a - b);
  list.slice(ends[0], ends[1] + 1).forEach((each) => set(each, isTicked));
  anchor = row;
});
const toggle = (row) => change(() => { set(row, !ids.has(row.dataset.document)); anchor = row; });
// The next row too; back over one that is ticked gives that one up.
const extend = (by) => {
  const row = cursor();
  const next = shown()[shown().indexOf(row) + by];
  if (!row || !next) return;
  const isBack = row.classList.contains('selected') && next.classList.contains('selected');
  change(() => { set(row, !isBack); set(next, true); anchor = next; });
  next.querySelector('a.name, [data-select]').focus({ preventScroll: true });
  next.scrollIntoView({ block: 'nearest' });
};
const setShown = (isTicked) => change(() => shown().forEach((row) => set(row, isTicked)));

export const shownIds = () => shown().filter((row) => row.classList.contains('selected')).map((row) => row.dataset.document);
export const clear = () => {
  ids = new Set();
  isAll = false;
  store();
  paint();
};

if (bar) {
  restore();
  paint();
  rows.addEventListener('click', (event) => {
    const tick = event.target.closest('[data-select]');
    if (!tick) return;
    const row = tick.closest('[data-document]');
    if (event.shiftKey) setRange(row, tick.checked);
    else toggle(row);
  });
  head?.addEventListener('change', () => setShown(head.checked));
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-bulk-clear]')) clear();
    if (!event.target.closest('[data-select-all]')) return;
    isAll = true;
    count ||= 'All';
    store();
    paint();
  });
  keys.on({
    x: () => { if (!cursor()) return false; toggle(cursor()); return true; },
    X: () => { if (!cursor()) return false; setRange(cursor(), true); return true; },
    J: () => extend(1),
    K: () => extend(-1),
  });
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const isTyped = event.target.matches?.('input:not([type=checkbox]), textarea, select');
    if (event.key === 'a' && (event.ctrlKey || event.metaKey) && !event.altKey && !isTyped && shown().length) {
      event.preventDefault();
      setShown(true);
    }
    if (event.key === 'Escape' && !isTyped && !isEmpty()) clear();
  });
  // By the menu of its row: what lies in the trash is not among the selected any more.
  document.addEventListener('docrouter:left', ({ detail }) => { if (!isAll && ids.has(detail.id)) change(() => ids.delete(detail.id)); });
  document.addEventListener('htmx:afterSettle', ({ detail }) => {
    if (rows.contains(detail.target) || detail.target === rows || !detail.target.isConnected) repaint();
  });
}
// Another filter shows other documents: what is out of sight must not be changed.
const repaint = () => {
  const now = readQuery();
  if (now !== query) {
    query = now;
    ids = new Set();
    isAll = false;
    store();
  }
  paint();
};
