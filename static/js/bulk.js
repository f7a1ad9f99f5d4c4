// Bulk actions of the documents list: the bar's buttons, the dialog before what costs, the strip of what is under way.
import { leaveAtOnce, stayAfterAll } from './leaving.js';
import { refresh } from './refresh.js';
import { clear, countWords, fields, isEmpty, shownIds } from './selection.js';
import { openTagPicker } from './tags.js';

const PAUSE = 1000;
const bar = document.getElementById('bulk');
const dialog = document.getElementById('bulk-dialog');
// These take the selected rows out of the list: nothing of them is left to select.
const TAKES_AWAY = ['trash', 'restore', 'delete'];
const isStart = (detail) => detail.requestConfig?.path === bar?.dataset.start && detail.requestConfig.verb === 'post';
// While one is sent a second press starts nothing.
let isSending = false;

const send = (address, values, target, swap) => {
  if (isSending || isEmpty()) return;
  isSending = true;
  htmx.ajax('POST', address, { source: bar, target, swap, values: { ...fields(), place: bar.dataset.place, ...values } })
    .finally(() => { isSending = false; });
};
const start = (action, values = {}) => {
  if (action === 'trash' && !isSending) leaveAtOnce(shownIds());
  send(bar.dataset.start, { action, ...values }, '#jobs', 'outerHTML');
};
const preview = (action, values = {}) => send(bar.dataset.preview, { action, ...values }, '#bulk-dialog', 'innerHTML');

const openPicker = (title, choose) => openTagPicker({ title: `${title} ${countWords()} selected`, choose });
const tag = () => openPicker('Tag', ({ id, newName }) => preview('tag', newName ? { new_name: newName } : { tag_id: id }));
const untag = () => openPicker('Remove a tag', ({ id }) => { if (id) start('untag', { tag_id: id }); });

const onClick = (event) => {
  const on = (selector) => event.target.closest(selector);
  if (on('[data-bulk-tag]')) tag();
  else if (on('[data-bulk-untag]')) untag();
  else if (on('[data-bulk-preview]')) preview(on('[data-bulk-preview]').dataset.bulkPreview);
  else if (on('[data-bulk-results]')) {
    on('details').open = false;
    send(bar.dataset.results, {}, '#columns', 'innerHTML');
  } else if (on('[data-bulk-start]')) start(on('[data-bulk-start]').dataset.bulkStart);
};

// The way to the agent: what is selected stands in the address, and nothing else does.
const onAsk = (event) => {
  const form = event.target.closest('[data-bulk-ask]');
  if (!form) return;
  const values = fields();
  ['ids', 'all', 'query'].forEach((name) => {
    form.elements[name].value = values[name] ?? '';
    form.elements[name].disabled = !values[name];
  });
};

const onCompare = (event) => {
  const form = event.target.closest('[data-bulk-compare]');
  if (form) form.elements.ids.value = fields().ids;
};

const onDownload = (event) => {
  const form = event.target.closest('[data-bulk-download]');
  if (!form) return;
  const { content, format } = event.submitter.dataset;
  const values = { ids: '', all: '', query: '', ...fields(), content, format };
  Object.entries(values).forEach(([name, value]) => { form.elements[name].value = value; });
  form.closest('details').open = false;
};

// Many hints in a row: one look at the list a second, and one after the last of them.
let due = null;
const refreshList = () => {
  due ??= setTimeout(() => { due = null; document.dispatchEvent(new CustomEvent('docrouter:many')); }, PAUSE);
};

// What was pressed is gone with the bar, or with a strip that came anew: the focus is on the strip, where its job stands.
const focusStrip = () => {
  const { activeElement } = document;
  if (activeElement !== document.body && activeElement.checkVisibility()) return;
  const strip = document.getElementById('jobs');
  (strip.childElementCount ? strip : document.getElementById('main')).focus({ preventScroll: true });
};
let isInStrip = false;

if (bar) {
  bar.addEventListener('click', onClick);
  bar.addEventListener('submit', onDownload);
  bar.addEventListener('submit', onAsk);
  bar.addEventListener('submit', onCompare);
  document.addEventListener('docrouter:tag-selection', (event) => {
    if (isEmpty() || !bar.querySelector('[data-bulk-tag]')) return;
    event.preventDefault();
    tag();
  });
  // What a field of the dialog asked for does not open it again when it was closed meanwhile.
  document.addEventListener('htmx:beforeSwap', ({ detail }) => {
    const { elt } = detail.requestConfig;
    if (detail.target === dialog && elt.closest('.bulk-form') && !elt.isConnected) detail.shouldSwap = false;
    isInStrip = detail.target.id === 'jobs' && detail.target.contains(document.activeElement);
  });
  document.addEventListener('htmx:afterSwap', ({ detail }) => {
    if (detail.target === dialog && !dialog.open) dialog.showModal();
    if (isInStrip) focusStrip();
    isInStrip = false;
  });
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  // Enter is what chose the tag: held down it does not answer the question that comes next.
  dialog.addEventListener('keydown', (event) => { if (event.key === 'Enter' && event.repeat) event.preventDefault(); });
  dialog.addEventListener('close', () => dialog.replaceChildren());
  // What was started is in the strip; what was refused is said above the list, where the selection still is.
  document.addEventListener('htmx:afterRequest', ({ detail }) => {
    const begins = isStart(detail) || detail.xhr?.getResponseHeader('HX-Retarget') === '#jobs';
    if (!begins) return;
    if (dialog.open) dialog.close();
    const { action } = detail.requestConfig.parameters;
    if (action === 'trash' && !detail.successful) stayAfterAll();
    if (!detail.successful) return;
    if (TAKES_AWAY.includes(action)) clear();
    focusStrip();
  });
  document.addEventListener('docrouter:event', ({ detail }) => {
    const isFollowed = detail.kind === 'auto_setup.changed' && document.querySelector('#jobs [data-kind=set_up][data-live]');
    if (isFollowed) refresh('jobs');
    if (detail.kind !== 'bulk.changed') return;
    refresh('jobs');
    refreshList();
  });
  // A job that ended before the socket was up has told nobody what it changed.
  document.addEventListener('docrouter:poll', () => {
    if (!document.querySelector('#jobs [data-live]')) return;
    refresh('jobs');
    refreshList();
  });
  document.addEventListener('docrouter:back', () => refresh('jobs'));
}
