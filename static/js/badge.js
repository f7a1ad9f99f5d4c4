// How much waits for a person, in the navigation of every page: asked again when a hint says that it may have changed.
import './socket.js';

const PAUSE = 250;
const GAP = 1500;
const KINDS = ['inbox.changed', 'document.changed', 'documents.changed', 'auto_create.changed', 'members.changed'];
const badges = () => [...document.querySelectorAll('[data-inbox-count]')];
const address = () => `${document.body.dataset.socket.replace(/^\/ws|\?.*$/g, '')}/inbox/count`;

let due = null;
let asked = 0;
const ask = async () => {
  due = null;
  asked = Date.now();
  try {
    const response = await fetch(address(), { headers: { 'HX-Request': 'true' } });
    if (!response.ok || response.redirected) return;
    const holder = document.createElement('template');
    holder.innerHTML = (await response.text()).trim();
    badges().forEach((badge) => badge.replaceWith(holder.content.firstElementChild.cloneNode(true)));
  } catch {
    // The connection is away; the next hint, or the socket once it is back, asks again.
  }
};
// Many hints within a moment are one question.
const soon = () => { due ??= setTimeout(ask, Math.max(PAUSE, asked + GAP - Date.now())); };

document.addEventListener('docrouter:event', ({ detail }) => { if (KINDS.includes(detail.kind)) soon(); });
// The first is the socket's opening, moments after the page was made; a later one means that hints may have been lost.
let opened = false;
document.addEventListener('docrouter:poll', () => {
  if (opened) soon();
  opened = true;
});
