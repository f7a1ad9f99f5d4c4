// The border between panel and viewer: dragged, moved by arrow keys, folded by Enter or a double click, remembered.
import * as keys from './keys.js';

const SMALLEST = 340;
const FOLD_UNDER = 220;
const STEP = 24;

const split = document.getElementById('split');
const grip = document.getElementById('grip');
const tab = () => document.querySelector('.panel-in')?.dataset.tab || 'extraction';
const name = () => `panel-width-${tab()}`;

const width = () => document.getElementById('panel').getBoundingClientRect().width;

const show = () => {
  const wide = split.getBoundingClientRect().width;
  const percent = wide ? Math.round((width() / wide) * 100) : 0;
  grip.setAttribute('aria-valuenow', percent);
  grip.setAttribute('aria-valuetext', split.classList.contains('folded') ? 'folded away' : `${percent} percent`);
};

const set = (pixels, { remember = true } = {}) => {
  const most = split.getBoundingClientRect().width - 260;
  const folded = pixels < FOLD_UNDER;
  split.classList.toggle('folded', folded);
  if (!folded) split.style.setProperty('--panel', `${Math.round(Math.min(Math.max(pixels, SMALLEST), most))}px`);
  if (remember) localStorage.setItem(name(), folded ? '0' : String(Math.round(pixels)));
  show();
};

const restore = () => {
  const kept = localStorage.getItem(name());
  split.style.removeProperty('--panel');
  split.classList.remove('folded');
  if (kept !== null) set(Number(kept), { remember: false });
  show();
};

const fold = () => {
  if (split.classList.contains('folded')) {
    localStorage.removeItem(name());
    document.documentElement.style.removeProperty(`--panel-${tab()}`);
    restore();
  } else set(0);
};

grip.addEventListener('pointerdown', (event) => {
  event.preventDefault();
  grip.focus();
  grip.setPointerCapture(event.pointerId);
  const left = split.getBoundingClientRect().left;
  const move = (moved) => set(moved.clientX - left);
  grip.addEventListener('pointermove', move);
  grip.addEventListener('lostpointercapture', () => grip.removeEventListener('pointermove', move), { once: true });
});
grip.addEventListener('dblclick', fold);
grip.addEventListener('keydown', (event) => {
  const at = split.classList.contains('folded') ? 0 : width();
  const steps = { ArrowLeft: () => set(at - STEP), ArrowRight: () => set(Math.max(at + STEP, SMALLEST)), Enter: fold, Home: () => set(SMALLEST), End: () => set(Infinity) };
  if (!steps[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  steps[event.key]();
});

document.addEventListener('htmx:afterSwap', (event) => { if (event.target.id === 'panel') restore(); });
restore();

const go = (selector) => () => {
  const link = document.querySelector(selector);
  if (!link || document.querySelector('.panel-in')?.dataset.tab === 'agent') return false;
  link.click();
  return true;
};
keys.on({ j: go('[data-next]'), k: go('[data-previous]') });
