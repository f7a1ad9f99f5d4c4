// How much waits for a person, in the navigation of every page: asked again when a hint says that it may have changed.
import { countAddress } from './socket.js';

const PAUSE = 250;
const GAP = 1500;
const ANSWER_WAIT = 15000;
const KINDS = ['inbox.changed', 'document.changed', 'documents.changed', 'auto_setup.changed', 'members.changed'];
const badges = () => [...document.querySelectorAll('[data-inbox-count]')];

let due = null;
let asked = 0;
let isAsking = false;
let isStale = false;
const ask = async () => {
  due = null;
  isAsking = true;
  isStale = false;
  asked = Date.now();
  try {
    const options = { headers: { 'HX-Request': 'true' }, signal: AbortSignal.timeout(ANSWER_WAIT) };
    const response = await fetch(countAddress(), options);
    if (!response.ok || response.redirected) return;
    const holder = document.createElement('template');
    holder.innerHTML = (await response.text()).trim();
    badges().forEach((badge) => badge.replaceWith(holder.content.firstElementChild.cloneNode(true)));
  } catch {
    // The connection is away; the next hint, or the socket once it is back, asks again.
  } finally {
    isAsking = false;
    if (isStale) soon();
  }
};
// Many hints within a moment are one question, and one answer is awaited at a time: an older one never lands last.
const soon = () => {
  if (isAsking) isStale = true;
  else due ??= setTimeout(ask, Math.max(PAUSE, asked + GAP - Date.now()));
};

document.addEventListener('docrouter:event', ({ detail }) => { if (KINDS.includes(detail.kind)) soon(); });
// The socket has opened: what was told between the making of the page and now has not been heard.
document.addEventListener('docrouter:poll', soon);
