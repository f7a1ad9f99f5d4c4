// The Agent tab. The server says what a thread shows; this file asks for it when something has changed and puts it on
// the page.
import { isOpen, reconnect } from './socket.js';
import * as cards from './agent_cards.js';
import * as composer from './agent_composer.js';
import './agent_copy.js';
import { reconcile } from './agent_items.js';
import * as live from './agent_live.js';
import './agent_running.js';
import './agent_scope.js';
import * as scroll from './agent_scroll.js';
import './agent_threads.js';
import './agent_wishes.js';

const GAP_WAIT = 150;
const ANSWER_WAIT = 15000;
const SAVED_WAIT = 900;
const VALUES = ['document.changed', 'extraction.changed'];
const one = (selector, root = document) => root.querySelector(selector);
const panel = () => document.getElementById('agent');

// --- What the server shows now ---

let busy = false;
let again = null;
const refresh = async ({ before } = {}) => {
  const url = panel()?.dataset.items;
  if (!url) return;
  if (busy) { again = { before: before ?? again?.before }; return; }
  busy = true;
  const wanted = before === undefined ? `from=${panel().dataset.from}` : `before=${before}`;
  try {
    const response = await fetch(`${url}?${wanted}`, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(ANSWER_WAIT) });
    if (response.status === 404 && panel()?.dataset.items === url) leave('This thread is no longer here: it is in the trash, or deleted.');
    const html = response.ok && await response.text();
    if (html && panel()?.dataset.items === url) scroll.keeping(() => apply(html));
  } catch {
    // The connection is away; the socket, once it is back, or the next poll asks again.
  } finally {
    busy = false;
    const next = again;
    again = null;
    if (next) refresh(next);
  }
};

const apply = (html) => {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const facts = one('[data-seq]', holder.content).dataset;
  const writing = one('[data-turn-live]');
  const stop = document.getElementById('stop');
  const isOnStop = Boolean(stop) && document.activeElement === stop;
  for (const fresh of holder.content.querySelectorAll('[data-part]')) {
    const kept = document.getElementById(fresh.id);
    if (kept) reconcile(kept, fresh);
  }
  // A thread gets its title with its first message.
  if (one('.alone')) document.title = `${one('#thread-title').textContent.trim()} · DocRouter`;
  panel().dataset.lastSeq = facts.seq;
  panel().dataset.from = facts.first;
  panel().toggleAttribute('data-live', facts.live === 'true');
  if (writing && !writing.isConnected) live.speakRest(writing, [...panel().querySelectorAll('.agent-message')].at(-1));
  live.catchUp();
  // Stop is gone with the turn: a person goes on in the composer, and on a phone without its keyboard.
  if (isOnStop && !stop.isConnected) one(matchMedia('(pointer: fine)').matches ? '[data-message]' : '#send')?.focus({ preventScroll: true });
  cards.settle({ isLive: facts.live === 'true' });
  document.dispatchEvent(new CustomEvent('docrouter:thread-shown'));
  scroll.place();
};

let soon = null;
const refreshSoon = () => { soon ??= setTimeout(() => { soon = null; refresh(); }, GAP_WAIT); };

document.addEventListener('docrouter:event', ({ detail }) => {
  if (!panel()) return;
  if (detail.kind === 'delta') {
    if (live.hear(detail)) scroll.place(); else refreshSoon();
  } else if (detail.kind === 'thread.changed' && detail.trashed) leave('This thread is in the trash by now.');
  else if (detail.seq > Number(panel().dataset.lastSeq || 0)) refresh();
  else if (detail.kind === 'organization.changed') refreshSoon();
  else if (detail.kind === 'bulk.changed' && document.getElementById('running')) refreshSoon();
  else if (VALUES.includes(detail.kind) && detail.document_id === panel().dataset.document) refreshSoon();
});
document.addEventListener('docrouter:poll', () => {
  refresh();
  // What was written while the socket came up was told to nobody, and is saved within a second.
  if (isOpen() && one('[data-turn-live]')) setTimeout(refresh, SAVED_WAIT);
});
document.body.addEventListener('thread-changed', () => refresh());
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-earlier]')) refresh({ before: panel().dataset.from });
});

document.addEventListener('htmx:responseError', (event) => {
  if (event.detail.elt?.closest?.('#agent')) refresh();
});

// The thread is gone: nothing more is asked about it, and the socket goes on without it.
const leave = (sentence) => {
  if (!panel().dataset.items) return;
  delete panel().dataset.items;
  panel().removeAttribute('data-live');
  composer.problem(sentence);
  document.body.dataset.socket = panel().dataset.socket.replace(/[?&]thread=\w+/, '');
  panel().dataset.socket = document.body.dataset.socket;
  reconnect();
};

// --- The panel came with the page, by its tab, or with the first message of a thread: the socket follows it. ---

const begin = () => {
  if (!panel() || panel().dataset.begun) return;
  panel().dataset.begun = 'true';
  if (!panel().dataset.items && !one('.setup[data-waits]', panel())) document.getElementById('agent-count')?.replaceChildren();
  composer.begin();
  cards.begin();
  scroll.begin();
};
document.addEventListener('htmx:afterSettle', () => {
  const wanted = panel()?.dataset.socket;
  if (wanted && document.body.dataset.socket !== wanted) {
    document.body.dataset.socket = wanted;
    reconnect();
  }
  begin();
});
begin();
