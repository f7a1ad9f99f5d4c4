// After the drop: a strip that follows the files put in here until they are read, and says what to do next. The browser
// remembers since when, so that it survives a reload; the server counts.
import { refresh } from './refresh.js';
import { isUploading } from './upload.js';

const strip = document.getElementById('drop-progress');
const key = `drop-${strip?.dataset.organization}`;
const readSince = () => localStorage.getItem(key) || '';
// By the server's clock as this page knows it, which is a little behind.
const opened = Number(document.getElementById('status')?.dataset.now) * 1000 - performance.now();
const findNow = () => new Date(opened + performance.now()).toISOString();
const isOver = () => Boolean(strip.querySelector('.drop-said:not([data-live])'));
// The files of the drop, and which of them were not taken: until all are stored the server cannot know of them.
let chosen = 0;
const MINUTE = 60_000;
const listRefused = () => [...document.querySelectorAll('.uploading.refused:not([data-before])')];
const show = () => {
  const values = { since: readSince(), chosen: isUploading() ? chosen : 0, refused: listRefused().length };
  if (values.since || values.chosen) refresh('drop-progress', { values });
};

let due = null;
const soon = (pause) => {
  if (due) return;
  due = setTimeout(() => { due = null; show(); }, pause);
};

// What is stored while others are still read belongs to the same drop; after that another one begins.
const note = ({ detail }) => {
  const at = detail.row.querySelector('time')?.dateTime;
  if (!at) return;
  if (!readSince() || isOver() || at < readSince()) localStorage.setItem(key, at);
  soon(300);
};

const begin = ({ detail }) => {
  if (isOver() || !readSince()) {
    // Before anything is stored, so that a reload before the first answer does not lose the drop.
    localStorage.setItem(key, findNow());
    // The strip still shows the drop before.
    strip.querySelector('.drop-said')?.toggleAttribute('data-live', true);
    document.querySelectorAll('.uploading.refused').forEach((row) => { row.dataset.before = ''; });
    chosen = 0;
  }
  chosen += detail.count;
  soon(0);
};

if (strip) {
  document.addEventListener('docrouter:uploading', begin);
  document.addEventListener('docrouter:stored', note);
  document.addEventListener('docrouter:event', ({ detail }) => { if (detail.document_id && readSince()) soon(700); });
  document.addEventListener('docrouter:poll', () => { if (strip.querySelector('[data-live]')) soon(700); });
  document.addEventListener('docrouter:back', () => soon(300));
  strip.addEventListener('click', (event) => {
    if (!event.target.closest('[data-end-drop]')) return;
    localStorage.removeItem(key);
    strip.replaceChildren();
  });
  strip.addEventListener('htmx:afterSettle', () => {
    // A drop of which nothing is left has nothing to say; files of a drop that has just begun may still be on their way.
    if (!strip.querySelector('.drop-said') && Date.parse(readSince()) < Date.now() - MINUTE) localStorage.removeItem(key);
  });
  show();
}
