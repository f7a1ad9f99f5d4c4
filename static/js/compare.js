// Two documents side by side: from one change to the next, by buttons and keys; one kind of change alone, or all text.
import * as keys from './keys.js';

const all = [...document.querySelectorAll('[data-compare-change]')];
const kinds = [...document.querySelectorAll('[data-compare-kind]')];
const same = [...document.querySelectorAll('.compared-same')];
const parts = [...document.querySelectorAll('.compared > section')];
const counter = document.querySelector('[data-compare-at]');
const whole = document.querySelector('[data-compare-whole]');
let current = all.find((change) => `#${change.id}` === location.hash);
let kind = new URLSearchParams(location.search).get('kind') ?? '';
const listed = () => all.filter((change) => !change.hidden);

// A reload and the way back from a document come to the same change of the same kind.
const keep = () => {
  const address = new URL(location.href);
  if (kind) address.searchParams.set('kind', kind); else address.searchParams.delete('kind');
  address.hash = current?.id ?? '';
  history.replaceState(history.state, '', address);
};
const count = () => {
  const changes = listed();
  const at = changes.indexOf(current);
  counter.textContent = at < 0 ? `${changes.length} change${changes.length === 1 ? '' : 's'}` : `${at + 1} of ${changes.length}`;
};
const show = (change) => {
  current?.classList.remove('current');
  current = change;
  change.classList.add('current');
  change.scrollIntoView({ block: 'nearest' });
  change.focus({ preventScroll: true });
  count();
  keep();
};
const step = (by) => {
  const changes = listed();
  if (!changes.length) return false;
  const at = changes.indexOf(current);
  show(changes[Math.max(0, Math.min(changes.length - 1, at < 0 && by < 0 ? changes.length - 1 : at + by))]);
  return true;
};
const narrow = (wanted) => {
  kind = kinds.some((button) => button.dataset.compareKind === wanted) ? wanted : '';
  kinds.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.compareKind === kind)));
  all.forEach((change) => { change.hidden = Boolean(kind) && change.dataset.compareChange !== kind; });
  same.forEach((passages) => { passages.hidden = Boolean(kind); });
  parts.forEach((part) => { part.hidden = Boolean(kind) && !part.querySelector('[data-compare-change]:not([hidden])'); });
  if (current?.hidden) { current.classList.remove('current'); current = undefined; }
  if (counter) count();
  keep();
};

document.querySelectorAll('[data-compare-step]').forEach((button) => {
  button.addEventListener('click', () => step(Number(button.dataset.compareStep)));
});
kinds.forEach((button) => button.addEventListener('click', () => narrow(button.dataset.compareKind)));
whole?.addEventListener('click', () => {
  const isWhole = whole.getAttribute('aria-pressed') !== 'true';
  whole.setAttribute('aria-pressed', String(isWhole));
  same.forEach((passages) => { passages.open = isWhole; });
});
keys.on({
  j: () => step(1),
  k: () => step(-1),
  o: () => { const place = current?.querySelector('[data-compare-place]'); place?.click(); return Boolean(place); },
});
narrow(kind);
if (current) show(current);
