// The Agent tab: live text, cards that arrive and change, and the keys that decide them.
import * as keys from './keys.js';
import { reconnect } from './socket.js';

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const panel = () => document.getElementById('agent');
const scroller = () => document.getElementById('thread-scroll');
const codePoints = (text) => [...text].length;

// --- What the server shows now: fetched whole, applied item by item, so that half-typed reasons and focus stay. ---

const reconcile = (kept, fresh) => {
  const old = new Map([...kept.children].map((child) => [child.id, child]));
  let at = kept.firstElementChild;
  for (const wanted of [...fresh.children]) {
    const have = old.get(wanted.id);
    old.delete(wanted.id);
    const node = have && have.dataset.version === wanted.dataset.version ? have : wanted;
    if (have && node === wanted) {
      keepTyped(have, wanted);
      if (at === have) at = have.nextElementSibling;
      have.replaceWith(wanted);
      htmx.process(wanted);
      if (at) kept.insertBefore(wanted, at); else kept.append(wanted);
      continue;
    }
    if (node === at) { at = at.nextElementSibling; continue; }
    kept.insertBefore(node, at);
    if (node === wanted) htmx.process(node);
  }
  old.forEach((gone) => gone.remove());
};

const keepTyped = (before, after) => {
  for (const field of all('textarea', before)) {
    const same = field.name && one(`textarea[name="${field.name}"]`, after);
    if (same && field.value) {
      same.value = field.value;
      const part = same.closest('[hidden]');
      if (part && !field.closest('[hidden]')) part.hidden = false;
    }
  }
};

let busy = false;
let again = false;
const refresh = async () => {
  const url = panel()?.dataset.items;
  if (!url) return;
  if (busy) { again = true; return; }
  busy = true;
  try {
    const response = await fetch(url, { headers: { 'HX-Request': 'true' } });
    if (response.ok) apply(await response.text());
  } catch (error) {
    // The connection is away; the socket or the next poll asks again.
  } finally {
    busy = false;
    if (again) { again = false; refresh(); }
  }
};

const apply = (html) => {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const stick = atEnd();
  for (const fresh of holder.content.querySelectorAll('[data-part]')) {
    const kept = document.getElementById(fresh.id);
    if (kept) reconcile(kept, fresh);
  }
  const seq = one('[data-seq]', holder.content)?.dataset.seq;
  if (seq) panel().dataset.lastSeq = seq;
  panel().toggleAttribute('data-live', Boolean(one('[data-turn-live]')));
  hold(inHand() || cards()[0], { focus: false });
  if (stick) toEnd();
};

const atEnd = () => {
  const box = scroller();
  return box && box.scrollHeight - box.scrollTop - box.clientHeight < 80;
};
const toEnd = () => {
  const box = scroller();
  const waiting = one('.card-wait');
  if (!box) return;
  box.scrollTop = box.scrollHeight;
  // A card that waits is read from its top.
  if (waiting && waiting.offsetTop < box.scrollTop) waiting.scrollIntoView({ block: 'start' });
};

// --- Text as it is written. A delta says at which character it starts; a gap means that we ask for the whole. ---

const append = ({ turn_id: turn, round, role, offset, text }) => {
  const holder = document.getElementById(`live-${turn}-${round}`);
  const target = holder && one(`[data-live-${role}]`, holder);
  if (!target) { refresh(); return; }
  const known = Number(target.dataset.length);
  if (offset > known) { refresh(); return; }
  const rest = [...text].slice(known - offset).join('');
  if (!rest) return;
  const stick = atEnd();
  target.append(rest);
  target.dataset.length = known + codePoints(rest);
  target.closest('[data-when-text]')?.removeAttribute('hidden');
  if (role === 'text') speak(target.textContent);
  if (stick) toEnd();
};

// For screen readers whole sentences only.
let spoken = 0;
const speak = (text) => {
  const end = Math.max(text.lastIndexOf('. '), text.lastIndexOf('.\n'), text.lastIndexOf('? '));
  if (end < spoken) { if (text.length < spoken) spoken = 0; return; }
  const region = document.getElementById('agent-says');
  if (region) region.textContent = text.slice(spoken, end + 1);
  spoken = end + 1;
};

document.addEventListener('docrouter:event', ({ detail }) => {
  if (!panel()) return;
  if (detail.kind === 'delta') append(detail);
  else if (detail.seq) {
    if (detail.seq > Number(panel().dataset.lastSeq || 0)) refresh();
  }
});
document.addEventListener('docrouter:poll', refresh);
document.body.addEventListener('thread-changed', refresh);
document.addEventListener('htmx:responseError', (event) => { if (event.detail.xhr.status === 409) refresh(); });

// Another thread was opened, or the first message made one: the socket follows it.
document.addEventListener('htmx:afterSettle', () => {
  const wanted = panel()?.dataset.socket;
  if (wanted && document.body.dataset.socket !== wanted) {
    document.body.dataset.socket = wanted;
    reconnect();
  }
  if (panel() && !panel().dataset.begun) begin();
});

// --- Cards: one is in hand; it alone has the filled button and shows keys. ---

const cards = () => all('.card-wait');
const inHand = () => one('.card-wait.on');
const hold = (card, { focus = true } = {}) => {
  if (!card) return;
  cards().forEach((each) => {
    each.classList.toggle('on', each === card);
    one('[data-approve]', each)?.classList.toggle('btn-primary', each === card);
  });
  if (!focus) return;
  one('[data-approve]', card)?.focus({ preventScroll: true });
  card.scrollIntoView({ block: 'nearest' });
};
const step = (by) => hold(cards()[Math.min(cards().length - 1, Math.max(0, cards().indexOf(inHand()) + by))]);
const press = (selector) => { const button = inHand() && one(selector, inHand()); if (!button) return false; button.click(); return true; };

document.addEventListener('focusin', (event) => {
  const card = event.target.closest?.('.card-wait');
  if (card) hold(card, { focus: false });
});
document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-opens]');
  if (!opener) return;
  const part = document.getElementById(opener.dataset.opens);
  part.hidden = !part.hidden;
  all(`[data-opens="${part.id}"]`).forEach((each) => each.setAttribute('aria-expanded', String(!part.hidden)));
  if (!part.hidden) one('textarea, input:not([type=hidden])', part)?.focus();
  else opener.closest('.card')?.querySelector('[data-reject]')?.focus();
});
keys.on({
  j: () => panel() ? step(1) : false,
  k: () => panel() ? step(-1) : false,
  a: () => press('[data-approve]'),
  r: () => press('[data-reject]'),
});

// --- Writing. Enter sends, Shift Enter starts a line; in a reason ⌘ or Ctrl with Enter sends. ---

document.addEventListener('keydown', (event) => {
  if (event.isComposing) return;
  const message = event.target.closest?.('[data-message]');
  const reason = event.target.closest?.('.reason textarea');
  const command = event.metaKey || event.ctrlKey;
  if (event.key === 'Enter' && ((message && !event.shiftKey) || (reason && command))) {
    event.preventDefault();
    if (event.target.value.trim() || reason) event.target.form.requestSubmit();
  }
  if (event.key === 'Escape' && reason) {
    event.preventDefault();
    reason.closest('.reason').hidden = true;
    reason.closest('.card')?.querySelector('[data-reject]')?.focus();
  }
});
document.addEventListener('click', (event) => {
  const offer = event.target.closest('[data-say]');
  if (!offer) return;
  const field = one('[data-message]');
  field.value = offer.dataset.say;
  field.focus();
});
document.addEventListener('htmx:afterRequest', (event) => {
  const form = event.target.closest?.('.composer form');
  if (!form || event.detail.elt !== form || !event.detail.successful) return;
  const field = one('[data-message]', form);
  if (field) field.value = '';
  toEnd();
});

const begin = () => {
  panel().dataset.begun = 'true';
  panel().toggleAttribute('data-live', Boolean(one('[data-turn-live]')));
  const field = one('[data-message]');
  if (field?.value) { field.focus(); field.setSelectionRange(field.value.length, field.value.length); }
  hold(cards()[0], { focus: false });
  toEnd();
};
if (panel()) begin();
