// The Agent tab. The server says what a thread shows; this file asks for it when something has changed, puts it on the
// page, and sends what a person writes.
import { reconnect } from './socket.js';
import * as cards from './agent_cards.js';
import { reconcile } from './agent_items.js';
import * as live from './agent_live.js';
import * as scroll from './agent_scroll.js';

const GAP_WAIT = 150;
const ANSWER_WAIT = 15000;
const one = (selector, root = document) => root.querySelector(selector);
const panel = () => document.getElementById('agent');

// --- What the server shows now ---

let busy = false;
let again = false;
const refresh = async () => {
  const url = panel()?.dataset.items;
  if (!url) return;
  if (busy) { again = true; return; }
  busy = true;
  try {
    const response = await fetch(url, { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(ANSWER_WAIT) });
    const html = response.ok && await response.text();
    if (html && panel()?.dataset.items === url) apply(html);
  } catch {
    // The connection is away; the socket, once it is back, or the next poll asks again.
  } finally {
    busy = false;
    if (again) { again = false; refresh(); }
  }
};

const apply = (html) => {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const facts = one('[data-seq]', holder.content).dataset;
  const writing = one('[data-turn-live]');
  for (const fresh of holder.content.querySelectorAll('[data-part]')) {
    const kept = document.getElementById(fresh.id);
    if (kept) reconcile(kept, fresh);
  }
  panel().dataset.lastSeq = facts.seq;
  panel().toggleAttribute('data-live', facts.live === 'true');
  if (writing && !writing.isConnected) live.speakRest(writing);
  live.catchUp();
  cards.settle({ isLive: facts.live === 'true' });
  scroll.place();
};

let soon = null;
const refreshSoon = () => { soon ??= setTimeout(() => { soon = null; refresh(); }, GAP_WAIT); };

document.addEventListener('docrouter:event', ({ detail }) => {
  if (!panel()) return;
  if (detail.kind === 'delta') {
    if (live.hear(detail)) scroll.place(); else refreshSoon();
  } else if (detail.seq > Number(panel().dataset.lastSeq || 0)) refresh();
});
document.addEventListener('docrouter:poll', refresh);
document.body.addEventListener('thread-changed', refresh);

// --- Writing. Enter sends, Shift Enter starts a line. What is refused is said beside the field and stays in it. ---

document.addEventListener('keydown', (event) => {
  const message = event.target.closest?.('[data-message]');
  if (!message || event.isComposing || event.key !== 'Enter' || event.shiftKey) return;
  event.preventDefault();
  if (message.value.trim()) message.form.requestSubmit();
});
document.addEventListener('click', (event) => {
  const offer = event.target.closest('[data-say]');
  if (!offer) return;
  const field = one('[data-message]');
  field.value = offer.dataset.say;
  field.form.requestSubmit();
});

const isComposer = (event) => event.detail.elt?.closest?.('.composer');
const problem = (sentence) => {
  const place = document.getElementById('composer-problem');
  place.hidden = !sentence;
  place.lastElementChild.textContent = sentence;
};
document.addEventListener('htmx:beforeSwap', (event) => {
  const { xhr } = event.detail;
  if (xhr.status < 400 || !isComposer(event)) return;
  event.detail.shouldSwap = false;
  const answer = new DOMParser().parseFromString(xhr.responseText, 'text/html');
  problem(one('[role=alert] p', answer)?.textContent || 'The server could not take this. Try again in a moment.');
});
document.addEventListener('htmx:afterRequest', (event) => {
  if (!isComposer(event) || !event.detail.successful) return;
  problem('');
  const field = event.detail.elt.matches('form') && one('[data-message]', event.detail.elt);
  if (field) field.value = '';
  scroll.follow();
});
document.addEventListener('htmx:responseError', (event) => {
  if (event.detail.elt?.closest?.('#agent')) refresh();
});

// --- The panel came with the page, by its tab, or with the first message of a thread: the socket follows it. ---

const begin = () => {
  if (!panel() || panel().dataset.begun) return;
  panel().dataset.begun = 'true';
  const field = one('[data-message]');
  if (field?.value) { field.focus(); field.setSelectionRange(field.value.length, field.value.length); }
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
