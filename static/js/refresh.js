// Fetching parts of the page again. Each part has one request under way at most, and one more follows when something
// changed meanwhile, so an older answer never lands on a newer one. htmx's own queue is not enough for that: it hangs
// on the element, which the answer replaces.
const running = new Map();
// What to fetch once more, with what it is asked with.
const again = new Map();
let written = 0;
let underWay = 0;
const waiting = [];

const isWrite = (event) => event.detail.requestConfig.verb !== 'get';
document.addEventListener('htmx:beforeSend', (event) => {
  if (!isWrite(event)) return;
  written += 1;
  underWay += 1;
});
document.addEventListener('htmx:afterRequest', (event) => {
  if (!isWrite(event)) return;
  written += 1;
  underWay = Math.max(0, underWay - 1);
  if (underWay) return;
  waiting.splice(0).forEach((go) => go());
  [...again.keys()].forEach(refreshAgain);
});
// What the pointer is pressed on stays until it is let go: a button that is replaced meanwhile gets no click.
let pressed = null;
const isPressed = (element) => Boolean(pressed) && element.contains(pressed);
const release = () => setTimeout(() => {
  pressed = null;
  if (!underWay) [...again.keys()].forEach(refreshAgain);
});
document.addEventListener('pointerdown', ({ target }) => { pressed = target; }, true);
['pointerup', 'pointercancel'].forEach((name) => document.addEventListener(name, release, true));
// An answer that began before a change of our own was made, or while it was, may not know of it; one that comes while
// a change is made may know of it, but not what the answer to the change brings: what Z takes back.
document.addEventListener('htmx:beforeSwap', (event) => {
  const { target, requestConfig } = event.detail;
  if (requestConfig.verb !== 'get' || !requestConfig.headers['X-Refresh']) return;
  if (!underWay && !isPressed(target) && running.get(target.id)?.written === written) return;
  event.detail.shouldSwap = false;
  again.set(target.id, running.get(target.id)?.wish ?? {});
});

// A list and a row of it are never fetched at once: the one that was read first might land last. The list goes first.
const isWithin = (element, id) => Boolean(document.getElementById(id)?.contains(element));
const overlaps = (element, id) => isWithin(element, id) || element.contains(document.getElementById(id));
const mustWait = (element) => isPressed(element)
  || [...running.keys()].some((id) => id === element.id || overlaps(element, id))
  || [...again.keys()].some((id) => id !== element.id && isWithin(element, id));

// `id` is an element with `data-refresh`, the address it comes from; `data-swap` when only its inside is replaced.
export const refresh = (id, wish = {}) => {
  const { values = {}, from = null } = wish;
  const element = document.getElementById(id);
  const address = from || element?.dataset.refresh;
  if (!element || !address) return;
  if (mustWait(element)) { again.set(id, wish); return; }
  running.set(id, { written, wish });
  const done = () => {
    running.delete(id);
    if (!underWay) [...again.keys()].forEach(refreshAgain);
  };
  htmx.ajax('GET', address, {
    source: element, target: element, swap: element.dataset.swap || 'outerHTML', values, headers: { 'X-Refresh': 'true' },
  }).then(done, done);
};
const refreshAgain = (id) => {
  const wish = again.get(id);
  if (!wish) return;
  again.delete(id);
  refresh(id, wish);
};

// Changes go one after the other: the second Space must not overtake or replace the first. One that did not reach the
// server rejects with nothing; the frame has said so by then. `target` is looked up when its turn has come: what came
// before may have put another element there.
let writing = Promise.resolve();
export const write = (address, values, findTarget, swap = 'outerHTML') => {
  const ask = () => htmx.ajax('POST', address, { source: '#split', target: findTarget(), swap, values });
  writing = writing.then(ask).catch(() => {});
  return writing;
};
export const isWriting = () => underWay > 0;
export const afterWrites = async () => {
  while (underWay) await new Promise((go) => { waiting.push(go); });
  await writing;
};
