// The search page: hits are walked by key, and what they show is fetched again when documents come or go.
import { writeAges } from './ages.js';
import * as keys from './keys.js';
import { refresh } from './refresh.js';

const PAUSE = 400;
const box = document.getElementById('search');
const results = document.getElementById('results');
const hits = () => [...results.querySelectorAll('a.hit')];

const step = (by) => {
  const all = hits();
  const at = all.indexOf(document.activeElement);
  if (!all.length) return false;
  if (at + by < 0) box.focus();
  else all[Math.min(at + by, all.length - 1)].focus();
  return true;
};
const toBox = () => box.select();
keys.on({ j: () => step(1), k: () => step(-1), ArrowDown: () => step(1), ArrowUp: () => step(-1), '/': toBox });
box.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown' && !event.isComposing && step(1)) event.preventDefault();
});
results.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  toBox();
});

// A hit that has the focus keeps it, by its address, when the results come anew.
let kept = null;
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.target === results) kept = results.contains(document.activeElement) ? document.activeElement.getAttribute('href') : null;
});
document.addEventListener('htmx:afterSwap', ({ detail }) => {
  if (detail.target !== results) return;
  if (!detail.requestConfig.headers['X-Refresh']) results.scrollTop = 0;
  if (kept) hits().find((hit) => hit.getAttribute('href') === kept)?.focus({ preventScroll: true });
  kept = null;
  writeAges();
});

let due = null;
const fetchSoon = () => {
  clearTimeout(due);
  due = setTimeout(() => {
    const filters = new FormData(document.getElementById('search-form'));
    const values = Object.fromEntries([...filters.keys()].map((name) => [name, filters.getAll(name)]));
    refresh('results', { values: { ...values, shown: results.querySelectorAll('.hit-doc').length } });
  }, PAUSE);
};
document.addEventListener('docrouter:event', ({ detail }) => {
  if (detail.document_id || detail.kind === 'documents.changed') fetchSoon();
});
document.addEventListener('docrouter:many', fetchSoon);
document.addEventListener('docrouter:back', fetchSoon);
