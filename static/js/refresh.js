// Fetching parts of the page again. Each part has one request under way at most, and one more follows when something
// changed meanwhile, so an older answer never lands on a newer one. htmx's own queue is not enough for that: it hangs
// on the element, which the answer replaces.
const running = new Map();
const again = new Set();
let written = 0;

const isWrite = (event) => event.detail.requestConfig.verb !== 'get';
document.addEventListener('htmx:beforeRequest', (event) => { if (isWrite(event)) written += 1; });
document.addEventListener('htmx:afterRequest', (event) => { if (isWrite(event)) written += 1; });
// An answer that began before a change of our own was made, or while it was, may not know of it.
document.addEventListener('htmx:beforeSwap', (event) => {
  const { target, requestConfig } = event.detail;
  if (requestConfig.verb !== 'get' || !requestConfig.headers['X-Refresh'] || running.get(target.id) === written) return;
  event.detail.shouldSwap = false;
  again.add(target.id);
});

// `id` is an element with `data-refresh`, the address it comes from; `data-swap` when only its inside is replaced.
export const refresh = (id, { values = {}, from = null } = {}) => {
  const element = document.getElementById(id);
  const address = from || element?.dataset.refresh;
  if (!element || !address) return;
  if (running.has(id)) { again.add(id); return; }
  running.set(id, written);
  const done = () => {
    running.delete(id);
    if (again.delete(id)) refresh(id, { values, from });
  };
  htmx.ajax('GET', address, {
    source: element, target: element, swap: element.dataset.swap || 'outerHTML', values, headers: { 'X-Refresh': 'true' },
  }).then(done, done);
};

// Changes go one after the other: the second Space must not overtake or replace the first. One that did not reach the
// server rejects with nothing; the frame has said so by then.
let writing = Promise.resolve();
export const write = (address, values, target, swap = 'outerHTML') => {
  const ask = () => htmx.ajax('POST', address, { source: '#split', target, swap, values });
  writing = writing.then(ask).catch(() => {});
  return writing;
};
