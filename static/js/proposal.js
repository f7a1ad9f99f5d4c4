// The card of automatic setup: the words about its tag, live changes, Refine in chat, and the log step by step.
import * as keys from './keys.js';
import { stayAt } from './agent_scroll.js';
import { refresh } from './refresh.js';

const PAUSE = 150;
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const setups = () => all('.setup');
const tell = () => document.body.dispatchEvent(new CustomEvent('thread-changed'));

// --- The tag: with one the button says so, and what has it is counted ---

const sayTag = (input) => {
  const setup = input.closest('.setup');
  const isOn = one('[data-tag-on]', setup)?.checked ?? true;
  const name = isOn ? input.value.trim() : '';
  input.disabled = !isOn;
  const known = all('datalist option', setup).find((option) => option.value === name);
  const number = Number(known?.dataset.documents);
  const carrying = number ? `${number} document${number === 1 ? ' has' : 's have'} it. None is run now.` : 'No document has it yet.';
  one('[data-approve] [data-word]', setup).textContent = name ? 'Accept with tag' : 'Accept';
  one('[data-tag-says]', setup).textContent = !name ? 'Without one it runs when somebody runs it.' : known ? carrying : 'A new tag. It is made when you accept.';
};
document.addEventListener('input', (event) => {
  if (event.target.matches('[data-tag]')) sayTag(event.target);
  if (event.target.matches('[data-tag-on]')) all('[data-tag]', event.target.closest('.setup')).forEach(sayTag);
});

// --- What was found, on the page, and the reason in view as soon as it is asked for ---

document.addEventListener('click', (event) => {
  const value = event.target.closest('.found-values tr')?.querySelector('[data-boxes]');
  if (!value) return;
  const { where, label, boxes } = value.dataset;
  document.dispatchEvent(new CustomEvent('docrouter:choose', { detail: { where, label, boxes: JSON.parse(boxes) } }));
});
document.addEventListener('focusin', (event) => {
  event.target.closest('.setup .reason')?.scrollIntoView({ block: 'nearest' });
});

// --- Live: what has changed is fetched; what somebody is typing moves over ---

const due = new Map();
const soon = (setup) => {
  if (due.has(setup.id)) return;
  due.set(setup.id, setTimeout(() => { due.delete(setup.id); refresh(setup.id); }, PAUSE));
};
document.addEventListener('docrouter:event', ({ detail }) => {
  if (detail.kind !== 'auto_setup.changed') return;
  setups().filter((setup) => setup.dataset.documents.split(' ').includes(detail.document_id)).forEach(soon);
});
document.addEventListener('docrouter:back', () => setups().forEach(soon));
document.addEventListener('docrouter:poll', () => setups().filter((setup) => 'live' in setup.dataset).forEach(soon));
document.addEventListener('htmx:responseError', (event) => {
  const setup = event.detail.elt?.closest?.('.setup');
  if (setup) soon(setup);
});

let typed = null;
document.addEventListener('htmx:beforeSwap', (event) => {
  const { target, requestConfig, serverResponse } = event.detail;
  if (!target.matches?.('.setup')) return;
  if (requestConfig.headers['X-Refresh'] && serverResponse.includes(`data-version="${target.dataset.version}"`)) {
    event.detail.shouldSwap = false;
    return;
  }
  typed = {
    fields: all('[data-tag], .reason textarea', target).filter(({ value, defaultValue }) => value !== defaultValue).map((field) => [field.id, field.value]),
    ticks: all('input[type=checkbox]', target).filter(({ checked, defaultChecked }) => checked !== defaultChecked).map((box) => [box.id, box.checked]),
    open: all('.reason:not([hidden])', target).map((part) => part.id),
    folds: all('details[open]', target).map((fold) => fold.className),
    focused: target.contains(document.activeElement) ? document.activeElement.id : null,
    log: target.dataset.log, isOwn: requestConfig.verb === 'post',
  };
});
document.addEventListener('htmx:afterSettle', (event) => {
  const setup = event.target.closest?.('.setup') || one('.setup', event.target);
  if (!setup) return;
  if (!typed) { all('[data-tag]', setup).forEach(sayTag); return; }
  for (const [id, value] of typed.fields) {
    const field = document.getElementById(id);
    if (field) field.value = value;
  }
  for (const [id, checked] of typed.ticks) {
    const box = document.getElementById(id);
    if (box) box.checked = checked;
  }
  typed.open.forEach((id) => { const part = document.getElementById(id); if (part) part.hidden = false; });
  all('details.group-fold', setup).forEach((fold) => { fold.open = typed.folds.includes(fold.className); });
  all('[data-tag]', setup).forEach(sayTag);
  if (typed.focused !== null) (document.getElementById(typed.focused) || one('.card', setup))?.focus({ preventScroll: true });
  const before = typed;
  typed = null;
  follow(setup, before);
});

// After the card has changed: the log of a new run comes below it, and what a person has just decided stays in view.
const follow = (setup, { log, isOwn }) => {
  if (setup.dataset.log && setup.dataset.log !== log && setup.closest('#panel') && !composer()?.value) {
    htmx.ajax('GET', setup.dataset.log, { target: '#panel', source: '#panel' }).catch(() => {});
    return;
  }
  if (isOwn && setup.closest('#thread-scroll')) stayAt(setup);
  refresh('topbar');
  begin();
  askToRefine();
  document.dispatchEvent(new CustomEvent('docrouter:fields'));
  if (document.getElementById('agent')?.dataset.items) tell();
  else count(setup);
};

// A thread's own refresh counts for the tab; without a thread nobody else does.
const count = (setup) => {
  const words = document.getElementById('agent-count');
  if (words && !('waits' in setup.dataset)) words.replaceChildren();
};

// --- Refine in chat: in the thread of the run the next message goes on from what is proposed ---

const composer = () => document.getElementById('say');
const ASKING = 'Say what to change, for example “also take the order number”';
const askToRefine = () => {
  const here = document.getElementById('agent')?.dataset.thread;
  if (!composer()) return;
  composer().dataset.usual ??= composer().placeholder;
  composer().placeholder = here && one(`.setup [data-refine="${here}"]`) ? ASKING : composer().dataset.usual;
};
document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-refine]');
  if (!link || link.dataset.refine !== document.getElementById('agent')?.dataset.thread || !composer()) return;
  event.preventDefault();
  composer().focus();
});
keys.on({
  f: () => {
    const link = one('.setup [data-refine]');
    link?.click();
    return Boolean(link);
  },
});

// --- The log, step by step: a step is a row that ran, a card, or what was said; what they changed is none ---

let shown = null;
const task = () => one('.task[data-replay]');
const steps = () => {
  const found = [];
  for (let item = task()?.nextElementSibling; item && !item.matches('.user-message'); item = item.nextElementSibling) {
    if (item.matches('[data-summary]')) continue;
    found.push(...(item.matches('.ran') ? item.children : [item]));
  }
  return found;
};
const showSteps = () => {
  if (!task()) return;
  const parts = steps();
  const at = Math.min(shown ?? parts.length, parts.length);
  parts.forEach((part, index) => { part.hidden = index >= at; });
  all('.ran', task().parentElement).forEach((list) => { list.hidden = [...list.children].every((row) => row.hidden); });
  one('[data-steps]', task()).hidden = parts.length < 2;
  one('[data-step-says]', task()).textContent = `${at} of ${parts.length}`;
  one('[data-step-back]', task()).disabled = at <= 1;
  one('[data-step-on]', task()).disabled = at >= parts.length;
};
const step = (by) => {
  const total = steps().length;
  shown = Math.min(total, Math.max(1, (shown ?? total) + by));
  showSteps();
  steps()[shown - 1]?.scrollIntoView({ block: 'nearest' });
  if (shown === total) shown = null;
};
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-step-back]')) step(-1);
  if (event.target.closest('[data-step-on]')) step(1);
});

const watched = new MutationObserver(showSteps);
const begin = () => {
  const thread = document.getElementById('thread');
  watched.disconnect();
  if (thread) watched.observe(thread, { childList: true });
  showSteps();
};
document.addEventListener('htmx:afterSwap', (event) => {
  if (['panel', 'agent'].includes(event.target.id)) { shown = null; begin(); askToRefine(); }
});
all('[data-tag]').forEach(sayTag);
begin();
askToRefine();
if (location.hash === '#say') composer()?.focus();
