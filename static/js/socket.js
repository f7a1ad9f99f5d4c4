// One socket a page. It brings hints; the page fetches what changed. Without it, pages poll while something is live.
// `docrouter:open` says that from now on they come. `docrouter:back` says that hints were lost: the page was away, or its
// connection, or something changed between the making of the page and the opening of its socket.
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15000;
const POLL_EVERY = 4000;
const SLOWER = 4;
// From here on the server says why it closed: signed out, no longer allowed, another role.
const FIRST_REASON = 4000;
// As many sockets of this person are open as may be: the page polls, and does not ask again at once.
const TOO_MANY = 4429;
// A form was sent, which may end this page's own access: its answer says where to go. A stopped one ends with this.
const LEAVING_FOR = 30000;

let socket = null;
let wait = FIRST_WAIT;
let timer = null;
let ticks = 0;
let wasAway = false;
let leavesUntil = 0;

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
export const isOpen = () => socket?.readyState === WebSocket.OPEN;

const lastSeq = () => Number(document.querySelector('[data-last-seq]')?.dataset.lastSeq || 0);

const isLeaving = () => Date.now() < leavesUntil;

export const countAddress = () => `${document.body.dataset.socket.replace(/^\/ws|\?.*$/g, '')}/inbox/count`;

// Whether the server still lets this page in. The socket alone must not decide: a proxy may refuse every socket.
const isLockedOut = async () => {
  try {
    const answer = await fetch(countAddress(), { redirect: 'manual' });
    return answer.type === 'opaqueredirect' || answer.status === 404;
  } catch {
    return false; // the server is away; the next attempt asks again
  }
};

const connect = () => {
  const path = document.body.dataset.socket;
  if (!path) return;
  const address = new URL(path, location.href);
  address.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
  const opened = socket = new WebSocket(address);
  let wasOpen = false;
  opened.addEventListener('open', () => {
    wasOpen = true;
    wait = FIRST_WAIT;
    const known = wasAway ? {} : { generation: document.body.dataset.generation };
    opened.send(JSON.stringify({ kind: 'hello', last_seq: lastSeq(), ...known }));
    tell('docrouter:open');
    tell('docrouter:poll');
    if (wasAway) tell('docrouter:back');
    wasAway = false;
  });
  opened.addEventListener('message', ({ data }) => {
    const event = JSON.parse(data);
    if (event.kind === 'missed') tell('docrouter:back'); else tell('docrouter:event', event);
  });
  opened.addEventListener('close', async ({ code }) => {
    if (opened !== socket) return;
    const mayBeLockedOut = code >= FIRST_REASON || !wasOpen;
    if (mayBeLockedOut && !isLeaving() && await isLockedOut() && !isLeaving()) {
      // Without its fragment, so that it is a new request: it leads to the sign-in and back, or says what is gone.
      location.replace(location.pathname + location.search);
      return;
    }
    if (opened !== socket) return;
    // What the address names may be gone since the page was made, and then no socket ever opens with it.
    if (!wasOpen && !wasAway) tell('docrouter:poll');
    wasAway = true;
    if (code === TOO_MANY) wait = LONGEST_WAIT;
    clearTimeout(timer);
    timer = setTimeout(connect, Math.max(wait * (0.75 + Math.random() / 2), leavesUntil - Date.now()));
    wait = Math.min(wait * 2, LONGEST_WAIT);
  });
};

// After the groups of a page changed (another thread was opened): a new socket with the new address.
export const reconnect = () => {
  clearTimeout(timer);
  const old = socket;
  socket = null;
  old?.close();
  connect();
};

// Polling ends by itself when nothing is live. With a socket it is slow: only in case a hint was lost.
setInterval(() => {
  ticks += 1;
  if (document.hidden || !document.querySelector('[data-live]')) return;
  if (!isOpen() || ticks % SLOWER === 0) tell('docrouter:poll');
}, POLL_EVERY);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && !isOpen()) reconnect();
});
// At the window, where it is known whether a script has taken the form over.
window.addEventListener('submit', (event) => {
  if (!event.defaultPrevented && event.target.method !== 'dialog') leavesUntil = Date.now() + LEAVING_FOR;
});
// A page that goes to the browser's back/forward cache hears nothing until it is shown again.
window.addEventListener('pagehide', () => {
  const old = socket;
  socket = null;
  clearTimeout(timer);
  old?.close();
});
// At once, in case no socket ever opens here, and once more when it is open.
const comeBack = () => {
  wasAway = true;
  tell('docrouter:back');
  reconnect();
};
window.addEventListener('pageshow', (event) => {
  if (!event.persisted) return;
  leavesUntil = 0;
  comeBack();
});
window.addEventListener('online', comeBack);
connect();
