// Sources of an answer over many documents: a click opens the page beside the thread, the pointer or the focus shows the
// words. With a modifier key, and without this file, the link leads to the document.
import * as keys from './keys.js';

const PEEK_WAIT = 200;
const reader = () => document.getElementById('reader');
const sourceOf = (target) => target.closest?.('.alone a[data-source]');
const addressOf = (id) => `${reader().dataset.places}${id}`;

// --- The page beside the thread ---

let opener = null;
const mark = (id) => document.querySelectorAll('a[data-source]').forEach((each) => {
  each.classList.toggle('on', each.dataset.source === id);
});
const open = async (id, link) => {
  opener = link;
  await htmx.ajax('GET', addressOf(id), { target: '#reader', swap: 'innerHTML' });
  if (!reader().childElementCount) return;
  reader().hidden = false;
  mark(id);
  const box = reader().querySelector('rect');
  box?.scrollIntoView({ block: 'center' });
};
const close = () => {
  if (!reader() || reader().hidden) return false;
  reader().hidden = true;
  reader().replaceChildren();
  mark('');
  opener?.focus();
  return true;
};

// --- The words under the pointer ---

let peek = null;
let due = null;
const hide = () => {
  clearTimeout(due);
  peek?.remove();
  peek = null;
};
const show = async (link) => {
  const answer = await fetch(`${addressOf(link.dataset.source)}?strip=1`, { headers: { 'HX-Request': 'true' } }).catch(() => null);
  if (!answer?.ok || (!link.matches(':hover') && document.activeElement !== link)) return;
  const strip = await answer.text();
  hide();
  peek = document.createElement('div');
  peek.className = 'peek pop';
  peek.setAttribute('aria-hidden', 'true');
  peek.innerHTML = strip;
  document.body.append(peek);
  const at = link.getBoundingClientRect();
  const top = at.bottom + peek.offsetHeight + 8 > innerHeight ? at.top - peek.offsetHeight - 4 : at.bottom + 4;
  peek.style.top = `${Math.max(4, top)}px`;
  peek.style.left = `${Math.max(4, Math.min(at.left, innerWidth - peek.offsetWidth - 8))}px`;
};
const showSoon = (event) => {
  const link = sourceOf(event.target);
  if (!link || link.classList.contains('on')) return;
  clearTimeout(due);
  due = setTimeout(() => show(link), PEEK_WAIT);
};

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-reader-close]')) { close(); return; }
  const link = sourceOf(event.target);
  if (!link || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  event.preventDefault();
  hide();
  open(link.dataset.source, link);
});
// The agent opens what it has cited, for the person who asked, in the conversation that they look at.
document.addEventListener('docrouter:event', ({ detail }) => {
  const thread = document.querySelector('.alone [data-thread]')?.dataset.thread;
  if (detail.kind === 'place.opened' && reader() && thread === detail.thread_id) open(detail.block_id, null);
});
document.addEventListener('mouseover', showSoon);
document.addEventListener('focusin', showSoon);
document.addEventListener('mouseout', (event) => { if (sourceOf(event.target)) hide(); });
document.addEventListener('focusout', (event) => { if (sourceOf(event.target)) hide(); });
keys.on({ Escape: close });
