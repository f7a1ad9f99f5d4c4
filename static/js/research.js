// Sources of an answer over many documents: a click opens the page beside the thread, the pointer or the focus shows the
// words. With a modifier key, and without this file, the link leads to the document.
import * as keys from './keys.js';

const PEEK_WAIT = 200;
const reader = () => document.getElementById('reader');
const sourceOf = (target) => target.closest?.('.alone a[data-source]');
const addressOf = (id) => `${reader().dataset.places}${id}`;

// --- The page beside the thread ---

let opener = null;
let shown = '';
const mark = (id) => document.querySelectorAll('a[data-source]').forEach((each) => {
  each.classList.toggle('on', each.dataset.source === id);
});
const open = async (id, link) => {
  if (!reader().contains(link)) opener = link;
  const before = reader().firstElementChild;
  await htmx.ajax('GET', addressOf(id), { target: '#reader', swap: 'innerHTML' });
  // Where nothing came, the page has said why.
  if (reader().firstElementChild === before) return;
  reader().hidden = false;
  shown = id;
  mark(id);
  head();
  place();
};
const place = () => {
  const page = reader().querySelector('.reader-page');
  const isNear = wish ?? (page && page.clientWidth < ROOM_TO_READ);
  page?.classList.toggle('near', isNear);
  reader().querySelector('[data-reader-zoom]')?.setAttribute('aria-pressed', isNear);
  center();
};
const center = () => reader().querySelector('rect')?.scrollIntoView({ block: 'center', inline: 'center' });

// The other sources of the same answer, by the list below it.
const sourcesBeside = () => {
  const link = [...document.querySelectorAll(`.sources a[data-source="${CSS.escape(shown)}"]`)].at(-1);
  const answer = opener?.closest?.('.agent-message') ?? link?.closest('.agent-message');
  const number = (each) => Number(each.querySelector('.cite').textContent);
  return [...(answer?.querySelectorAll('.sources a[data-source]') ?? [])].sort((one, other) => number(one) - number(other));
};
const head = () => {
  const sources = sourcesBeside();
  const at = sources.findIndex((each) => each.dataset.source === shown);
  const number = reader().querySelector('[data-reader-number]');
  number.hidden = at < 0;
  number.textContent = at < 0 ? '' : sources[at].querySelector('.cite').textContent;
  for (const step of reader().querySelectorAll('[data-reader-step]')) {
    step.hidden = sources.length < 2;
    step.disabled = at < 0 || !sources[at + Number(step.dataset.readerStep)];
  }
};
const goTo = async (by) => {
  const sources = sourcesBeside();
  const next = sources[sources.findIndex((each) => each.dataset.source === shown) + by];
  if (!next) return;
  opener = next;
  await open(next.dataset.source, next);
  const same = reader().querySelector(`[data-reader-step="${by}"]`);
  (!same || same.disabled ? reader().querySelector('[data-reader-close]') : same).focus();
};
// Where there is little room a whole page is too small to read: it begins near, until somebody wishes otherwise.
const ROOM_TO_READ = 640;
let wish = null;
const zoom = () => {
  wish = !reader().querySelector('.reader-page').classList.contains('near');
  place();
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
  // The rows of the list below an answer show their words anyway.
  if (!link || link.classList.contains('on') || link.closest('.sources')) return;
  clearTimeout(due);
  due = setTimeout(() => show(link), PEEK_WAIT);
};

document.addEventListener('click', (event) => {
  const on = (selector) => event.target.closest(selector);
  if (on('[data-reader-close]')) { close(); return; }
  if (on('[data-reader-step]')) { goTo(Number(on('[data-reader-step]').dataset.readerStep)); return; }
  if (on('[data-reader-zoom]')) { zoom(); return; }
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
// An answer that came after its page was opened has the number of the page.
document.addEventListener('docrouter:thread-shown', () => {
  if (!reader() || reader().hidden) return;
  mark(shown);
  head();
});
document.addEventListener('mouseover', showSoon);
document.addEventListener('focusin', showSoon);
document.addEventListener('mouseout', (event) => { if (sourceOf(event.target)) hide(); });
document.addEventListener('focusout', (event) => { if (sourceOf(event.target)) hide(); });
keys.on({ Escape: close });
