// Name and metadata of the document, edited in place, and who did what to it.
import { refresh } from './refresh.js';

const sheet = document.getElementById('metadata');
const pairs = document.getElementById('metadata-pairs');
const nameField = () => document.querySelector('#topbar [data-name-field]');

// A name that is being typed, and a button whose answer is on its way, are not taken away by what arrives meanwhile.
const isBarInUse = () => Boolean(document.querySelector('#topbar [data-name-field], #topbar .htmx-request'));
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.target.id === 'topbar' && detail.requestConfig.headers['X-Refresh'] && isBarInUse()) detail.shouldSwap = false;
  // Nor are pairs that are the same, with what was said of the last change.
  const shown = detail.target === pairs && pairs.querySelector('[data-version]')?.dataset.version;
  if (shown && detail.requestConfig.headers['X-Refresh'] && detail.serverResponse.includes(`data-version="${shown}"`)) detail.shouldSwap = false;
});
// Whoever renamed finds the pencil again; a bar that is fetched anew takes the focus from nobody.
let wasRenaming = false;
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.target.id === 'topbar') wasRenaming = Boolean(nameField());
});
document.addEventListener('htmx:afterSettle', ({ detail }) => {
  if (detail.target?.id !== 'topbar' && detail.elt?.id !== 'topbar') return;
  if (nameField()) nameField().select();
  else if (wasRenaming && document.activeElement === document.body) document.querySelector('#topbar [data-rename-document]')?.focus({ preventScroll: true });
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.target !== nameField()) return;
  document.querySelector('[data-cancel-name]').click();
  event.preventDefault();
});

const activity = document.getElementById('activity');
const open = (dialog, rows) => {
  rows.replaceChildren();
  dialog.showModal();
  refresh(rows.id);
};
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-metadata]')) open(sheet, pairs);
  if (event.target.closest('[data-activity]')) open(activity, document.getElementById('activity-rows'));
});
for (const dialog of [sheet, activity]) dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
// Enter saves by leaving the field: what has changed is sent once.
sheet.addEventListener('submit', (event) => {
  if (event.target.matches('.pair:not(.pair-new)')) event.preventDefault();
});
sheet.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && event.target.matches('.pair:not(.pair-new) input')) event.target.blur();
});
// Somebody else's change is fetched unless something is being typed here: the server refuses what has become stale.
const isTyping = () => pairs.contains(document.activeElement) && document.activeElement.matches('input');
const showAgain = () => { if (sheet.open && !isTyping()) refresh('metadata-pairs'); };
document.addEventListener('docrouter:event', ({ detail }) => { if (detail.kind === 'document.changed') showAgain(); });
document.addEventListener('docrouter:back', showAgain);
