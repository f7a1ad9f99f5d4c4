// The inbox: left the queue, right the chosen item. The server says what both show; this file asks for it when another
// item is chosen, after a decision, and when a hint says that something changed.
import './socket.js';
import * as edits from './agent_edits.js';
import { reconcile } from './agent_items.js';
import './agent_reasons.js';
import './agent_seen.js';
import * as keys from './keys.js';

const PAUSE = 200;
const ANSWER_WAIT = 15000;
const KINDS = ['inbox.changed', 'document.changed', 'documents.changed', 'auto_setup.changed', 'rule.changed', 'extraction.changed', 'bulk.changed'];
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const frame = document.getElementById('inbox');
const queue = () => document.getElementById('inbox-queue');
const part = () => document.getElementById('inbox-case-in');
const panel = () => document.getElementById('inbox-case');
const rows = () => all('.todo', queue());
const rowOf = (key) => (key ? document.getElementById(`row-${key}`) : null);
const isPhone = () => matchMedia('(max-width: 45em)').matches;
const isLooking = () => frame.classList.contains('looking');

// --- What is chosen: the page is right for it once the case of that item is there. ---

let chosen = part().dataset.key;
let place = 0;
const remember = () => { place = Math.max(0, rows().indexOf(rowOf(chosen))); };
const isShown = () => Boolean(chosen) && part().dataset.key === chosen;
const addressOf = (key) => {
  const query = new URLSearchParams(queue().dataset.filters);
  if (key) query.set('item', key);
  const text = query.toString();
  return text ? `${frame.dataset.address}?${text}` : frame.dataset.address;
};

const mark = () => {
  for (const row of rows()) {
    const isChosen = row.dataset.key === chosen;
    row.toggleAttribute('aria-current', false);
    if (isChosen) row.setAttribute('aria-current', 'true');
    one('a', row).tabIndex = isChosen ? 0 : -1;
  }
};
// The one card here is in hand, of a chain its first step that waits.
const hold = () => {
  for (const card of all('.card-wait', part()).slice(0, 1)) {
    card.classList.add('on');
    all('[data-look-doubt], [data-approve]:not([data-anyway])', card).forEach((button) => button.classList.add('btn-primary'));
  }
};

// --- What the server shows now ---

let busy = false;
let again = null;
const fetchNow = async (wish = {}) => {
  if (busy) { again = { ...again, ...wish }; return; }
  busy = true;
  const asked = chosen;
  const query = new URLSearchParams(queue().dataset.filters);
  if (asked) query.set('item', asked);
  if (wish.next !== undefined) query.set('next', wish.next);
  try {
    const response = await fetch(`${frame.dataset.address}?${query}`, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(ANSWER_WAIT) });
    const html = response.ok && !response.redirected && await response.text();
    // Another item was chosen meanwhile: that one's answer is on its way.
    if (html && chosen === asked) apply(html, wish);
    else if (html) again ??= {};
  } catch {
    // The connection is away; the socket, once it is back, or the next poll asks again.
  } finally {
    busy = false;
    const next = again;
    again = null;
    if (next) fetchNow(next);
  }
};

const apply = (html, wish) => {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const fresh = (id) => holder.content.getElementById(id);
  const [newQueue, newCase] = [fresh('inbox-queue'), fresh('inbox-case-in')];
  const wasInQueue = queue().contains(document.activeElement);
  const typing = document.activeElement?.closest?.('.reason, .edit-form');
  const moved = newCase.dataset.key !== part().dataset.key;
  reconcile(queue(), newQueue);
  reconcile(part(), newCase);
  part().dataset.key = newCase.dataset.key;
  part().toggleAttribute('data-waits', newCase.hasAttribute('data-waits'));
  chosen = newCase.dataset.key;
  if (!chosen) frame.classList.remove('looking');
  if (rowOf(chosen)) remember();
  mark();
  hold();
  edits.settle();
  if (moved) {
    panel().scrollTop = 0;
    if (!isPhone() || isLooking()) history.replaceState(null, '', addressOf(chosen));
  }
  if (wish.reject) one('[data-reject]', part())?.click();
  else if (wish.next !== undefined && !typing?.isConnected) focusNow(wasInQueue);
};

// After a decision the focus goes to the next undecided thing.
const focusNow = (wasInQueue) => {
  const idle = [document.body, null].includes(document.activeElement) || frame.contains(document.activeElement);
  if (!idle) return;
  const row = rowOf(chosen);
  const target = (wasInQueue && row && one('a', row)) || one('.card', part()) || (row && one('a', row)) || queue();
  target.focus({ preventScroll: true });
  row?.scrollIntoView({ block: 'nearest' });
};

let soon = null;
const fetchSoon = () => { soon ??= setTimeout(() => { soon = null; fetchNow(); }, PAUSE); };
document.addEventListener('docrouter:event', ({ detail }) => { if (KINDS.includes(detail.kind)) fetchSoon(); });
document.addEventListener('docrouter:poll', fetchSoon);

// --- Choosing ---

const choose = (key, { reject = false } = {}) => {
  if (!key) return;
  if (key !== chosen || !isShown()) {
    chosen = key;
    remember();
    mark();
    fetchNow({ reject });
  } else if (reject) one('[data-reject]', part())?.click();
};
const look = (key, wish) => {
  frame.classList.add('looking');
  history.pushState(null, '', addressOf(key));
  choose(key, wish);
  panel().focus({ preventScroll: true });
};
const step = (by) => {
  const list = rows();
  if (!list.length) return false;
  const at = list.indexOf(rowOf(chosen));
  const row = list[at < 0 ? Math.min(place, list.length - 1) : Math.min(list.length - 1, Math.max(0, at + by))];
  choose(row.dataset.key);
  one('a', row).focus({ preventScroll: true });
  row.scrollIntoView({ block: 'nearest' });
  return true;
};

document.addEventListener('click', (event) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
  const on = (selector) => event.target.closest(selector);
  if (on('[data-back]') && isPhone()) {
    event.preventDefault();
    frame.classList.remove('looking');
    history.pushState(null, '', addressOf(''));
    rowOf(chosen)?.scrollIntoView({ block: 'center' });
    fetchNow();
    return;
  }
  if (on('.todo-acts form, .todo-more')) return;
  const row = on('.todo');
  if (!row) return;
  event.preventDefault();
  if (isPhone()) look(row.dataset.key, { reject: on('[data-look]')?.dataset.look === 'reject' });
  else choose(row.dataset.key);
});
window.addEventListener('popstate', () => location.reload());

// --- Deciding ---

// The row after the chosen one, for when this one is gone.
const nextKey = () => {
  const list = rows();
  const at = list.indexOf(rowOf(chosen));
  return (list[at + 1] ?? list[at - 1])?.dataset.key ?? '';
};
const isOurs = (event) => event.detail.requestConfig?.verb === 'post' && frame.contains(event.detail.elt);
const pressProof = (event) => {
  const proof = event.detail.elt;
  if (proof.matches('[data-proof]')) proof.setAttribute('aria-pressed', String(proof.getAttribute('aria-pressed') !== 'true'));
};
let following = '';
document.addEventListener('htmx:beforeRequest', (event) => { if (isOurs(event)) { following = nextKey(); pressProof(event); } });
document.addEventListener('htmx:afterRequest', (event) => {
  if (!isOurs(event)) return;
  const failed = event.detail.failed || !event.detail.successful;
  if (failed) pressProof(event);
  // What is verified no longer is in hand again.
  const goesTo = event.detail.elt.dataset.goesTo;
  if (goesTo && !failed) { chosen = goesTo; fetchNow(); return; }
  // Another was first: the card now says who, and nothing moves on.
  fetchNow(failed || isPreview(event) || 'takesBack' in event.detail.elt.dataset ? {} : { next: following });
});
const isPreview = (event) => /\/(preview|edit|verify)$/.test(event.detail.pathInfo?.requestPath ?? '');
document.body.addEventListener('documents-changed', () => fetchNow());

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-look-doubt]')) toDoubt();
  const editor = event.target.closest('.card [data-edit]');
  if (editor && frame.contains(editor)) edits.toggle(editor.closest('.card'));
});

// Nothing is decided unseen: the button has to belong to the chosen item, and to be in view.
const isInView = (button) => {
  const [inner, outer] = [button.getBoundingClientRect(), panel().getBoundingClientRect()];
  return inner.bottom <= outer.bottom + 8 && inner.top >= outer.top - 8;
};
// A value that is uncertain or fails a check comes first: to verify the document takes a press that follows a look.
const doubts = () => all('.proof-doubt [data-proof][aria-pressed="false"], [data-doubt]:not([data-seen])', part());
const toDoubt = () => {
  const [doubt] = isShown() ? doubts() : [];
  if (!doubt) return false;
  if (document.activeElement === doubt && doubt.matches('[data-proof]')) return verifyProof();
  if (doubt.matches('[data-doubt]')) doubt.dataset.seen = '';
  doubt.focus({ preventScroll: true });
  (doubt.closest('.proof') ?? doubt).scrollIntoView({ block: 'nearest' });
  return true;
};
const press = (selector) => {
  const button = isShown() && all(selector, part()).find((each) => each.checkVisibility() && !each.disabled);
  if (!button) return Boolean(isShown());
  if (isInView(button)) button.click(); else button.scrollIntoView({ block: 'end' });
  return true;
};
// The values of a document that can be verified here are walked as beside the pages; Space verifies and goes on.
const proofs = () => (isShown() ? all('[data-proof]', part()) : []);
const takeProof = (proof) => {
  if (!proof) return false;
  proof.focus({ preventScroll: true });
  proof.closest('.proof').scrollIntoView({ block: 'nearest' });
  return true;
};
const stepProof = (by) => {
  const list = proofs();
  const at = list.indexOf(document.activeElement);
  return takeProof(list[at < 0 ? 0 : Math.min(list.length - 1, Math.max(0, at + by))]);
};
const isUnverified = (proof) => proof.getAttribute('aria-pressed') === 'false';
const verifyProof = () => {
  const proof = document.activeElement;
  // The first press takes the first value that is left, where no button or field has the focus.
  if (proof.matches('body, .card, .case, .queue, .todo a')) return takeProof(proofs().find(isUnverified));
  if (!proof.matches('[data-proof]')) return false;
  if (isUnverified(proof)) proof.click();
  stepProof(1);
  return true;
};
keys.on({
  j: () => step(1),
  k: () => step(-1),
  a: () => toDoubt() || press('[data-approve]'),
  e: () => press('[data-edit]'),
  r: () => press('[data-reject]'),
  o: () => { const link = isShown() && one('[data-open]', part()); link?.click(); return Boolean(link); },
  V: () => Boolean(isShown() && one('[data-proof]', part())) && (toDoubt() || press('[data-approve]')),
  ArrowDown: () => stepProof(1),
  ArrowUp: () => stepProof(-1),
  ' ': () => verifyProof(),
});

// --- Filters: in the address, so that they are kept and can be sent to somebody. ---

const filters = document.getElementById('inbox-filters');
filters.addEventListener('change', () => {
  const query = new URLSearchParams([...new FormData(filters)].filter(([, value]) => value));
  location.assign(query.size ? `${frame.dataset.address}?${query}` : frame.dataset.address);
});

// A proposal comes as a part of its own.
document.addEventListener('htmx:afterSettle', (event) => { if (part().contains(event.target)) hold(); });
remember();
mark();
hold();
