// Columns of the documents list: chosen and ordered in a dialog, widened by their edge with the pointer or the arrow keys.
import { token } from './csrf.js';

const dialog = document.getElementById('columns');
const table = document.querySelector('table.docs');
const STEP_KEYS = { ArrowLeft: -1, ArrowRight: 1 };
const remSize = () => parseFloat(getComputedStyle(document.documentElement).fontSize);

// The dialog.
const list = (name) => document.getElementById(`columns-${name}`);
const say = (words) => { list('said').textContent = words; };
const focusIn = (item, part) => item.querySelector(`${part}, button:not([hidden])`)?.focus();
const move = (item, by) => {
  const other = by < 0 ? item.previousElementSibling : item.nextElementSibling;
  if (!other || 'fixed' in other.dataset) return;
  if (by < 0) other.before(item); else other.after(item);
  const place = [...list('shown').children].indexOf(item) + 1;
  say(`${item.dataset.title}, place ${place} of ${list('shown').children.length}`);
  focusIn(item, `[data-move="${by}"]`);
};
const show = (item) => {
  const trailing = 'trails' in item.dataset ? null : list('shown').querySelector('[data-trails]');
  if (trailing) trailing.before(item); else list('shown').append(item);
};
const put = (item, isShown) => {
  item.querySelector('input').disabled = !isShown;
  const next = item.nextElementSibling ?? item.previousElementSibling;
  if (isShown) show(item); else list('others').prepend(item);
  say(`${item.dataset.title} ${isShown ? 'shown' : 'hidden'}`);
  if (next && !next.hidden) focusIn(next, isShown ? '[data-show]' : '[data-hide]');
};
const find = (typed) => {
  const words = typed.toLowerCase().split(/\s+/);
  [...list('others').children].forEach((item) => {
    item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
  });
};
let dragged = null;
const dragTo = (event) => {
  const item = document.elementFromPoint(event.clientX, event.clientY)?.closest('#columns-shown > li');
  if (!item || item === dragged || 'fixed' in item.dataset) return;
  const box = item.getBoundingClientRect();
  if (event.clientY > box.top + box.height / 2) item.after(dragged); else item.before(dragged);
};

if (dialog) {
  document.addEventListener('htmx:afterSwap', ({ detail }) => {
    if (detail.target === dialog && !dialog.open) dialog.showModal();
  });
  // The file is saved beside the page, which stays.
  dialog.addEventListener('submit', ({ target }) => { if ('results' in target.dataset) setTimeout(() => dialog.close()); });
  dialog.addEventListener('close', () => dialog.replaceChildren());
  dialog.addEventListener('click', ({ target }) => {
    const item = target.closest('li');
    if (target === dialog) dialog.close();
    else if (target.closest('[data-move]')) move(item, Number(target.closest('[data-move]').dataset.move));
    else if (target.closest('[data-hide]')) put(item, false);
    else if (target.closest('[data-show]')) put(item, true);
  });
  dialog.addEventListener('input', ({ target }) => { if (target.id === 'columns-find') find(target.value); });
  // Enter in the field that finds a column shows the one of that name, else the first that is found, and closes nothing.
  dialog.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.target.id !== 'columns-find') return;
    event.preventDefault();
    const found = [...list('others').children].filter((item) => !item.hidden);
    const typed = event.target.value.trim().toLowerCase();
    const first = found.find((item) => item.dataset.title.toLowerCase() === typed) ?? found[0];
    if (first) { put(first, true); event.target.focus(); }
  });
  dialog.addEventListener('pointerdown', (event) => {
    const grip = event.target.closest('#columns-shown [data-grip]');
    if (!grip || event.button) return;
    dragged = grip.closest('li');
    dragged.classList.add('dragged');
    grip.setPointerCapture(event.pointerId);
  });
  dialog.addEventListener('pointermove', (event) => { if (dragged) dragTo(event); });
  ['pointerup', 'pointercancel'].forEach((name) => dialog.addEventListener(name, () => {
    dragged?.classList.remove('dragged');
    dragged = null;
  }));
}

// Widths. Those of the other columns become fixed with the first that is: the stylesheet gives them no shares any more.
const limit = (edge, width) => Math.min(Number(edge.ariaValueMax), Math.max(Number(edge.ariaValueMin), Math.round(width)));
const measure = (head) => Math.round(head.offsetWidth / remSize());
const fix = () => {
  if (table.classList.contains('own')) return;
  table.querySelectorAll('th[data-column]').forEach((head, at) => { if (at) head.style.width = `${measure(head)}rem`; });
  table.classList.add('own');
};
const widen = (edge, width) => {
  const head = edge.closest('th');
  fix();
  const before = head.offsetWidth;
  head.style.width = `${limit(edge, width)}rem`;
  edge.ariaValueNow = String(limit(edge, width));
  table.style.minWidth = `${Math.max(0, table.offsetWidth + limit(edge, width) * remSize() - before)}px`;
};
const filters = document.querySelector('.filters');
const keep = async (edge) => {
  const query = new URLSearchParams(new FormData(filters)).toString();
  const sent = new URLSearchParams({ query, column: `${edge.closest('th').dataset.column}:${edge.ariaValueNow}` });
  const answer = await fetch(dialog.dataset.widen, { method: 'POST', body: sent, headers: { 'X-CSRFToken': token() } }).catch(() => null);
  if (!answer?.ok) return;
  const changed = await answer.text();
  const columns = new URLSearchParams(changed).getAll('column');
  const fields = filters.querySelectorAll('input[name=column]');
  if (!fields.length || fields.length !== columns.length) return;
  // The address says the columns, so from now on it says their widths too.
  fields.forEach((field, at) => { field.value = columns[at]; });
  history.replaceState(history.state, '', `?${changed}`);
};
let keeping = null;
const keepSoon = (edge) => {
  clearTimeout(keeping);
  keeping = setTimeout(() => keep(edge), 300);
};
let resized = null;
const endDrag = () => {
  if (!resized) return;
  resized.edge.classList.remove('dragged');
  keepSoon(resized.edge);
  resized = null;
};
table?.addEventListener('pointerdown', (event) => {
  const edge = event.target.closest('.column-edge');
  if (!edge || event.button) return;
  event.preventDefault();
  resized = { edge, from: event.clientX, width: edge.closest('th').offsetWidth };
  edge.classList.add('dragged');
  edge.setPointerCapture(event.pointerId);
});
table?.addEventListener('pointermove', (event) => {
  if (resized) widen(resized.edge, (resized.width + event.clientX - resized.from) / remSize());
});
['pointerup', 'pointercancel'].forEach((name) => table?.addEventListener(name, endDrag));
table?.addEventListener('keydown', (event) => {
  const edge = event.target.closest('.column-edge');
  const by = STEP_KEYS[event.key];
  if (!edge || !by) return;
  event.preventDefault();
  widen(edge, measure(edge.closest('th')) + by);
  keepSoon(edge);
});
