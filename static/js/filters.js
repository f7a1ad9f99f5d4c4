// The picker of filters by keyboard: F opens it, arrows walk it, a letter finds, Escape goes one step back.
import * as keys from './keys.js';

const menu = document.querySelector('[data-filters]');
const links = () => [...menu.querySelectorAll('.picks a')];
const box = () => menu.querySelector('.picker-head input[name=find]');
const back = () => menu.querySelector('.picker-head a');

const walk = (by) => {
  const all = links();
  const at = all.indexOf(document.activeElement);
  if (at + by < 0 && box()) box().focus();
  else all[Math.min(all.length - 1, Math.max(0, at + by))]?.focus();
};
const onKey = (event) => {
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const isTyping = event.target.matches('input, select');
  if (step && !(isTyping && event.target !== box())) walk(step);
  else if (event.key === 'Enter' && event.target === box()) links()[0]?.click();
  else if (event.key === 'Escape' && back()) back().click();
  else if (event.key.length === 1 && event.key !== ' ' && !isTyping && box()) { box().focus(); return; }
  else return;
  event.preventDefault();
};

if (menu) {
  menu.querySelector('.menu-list').addEventListener('keydown', onKey);
  document.addEventListener('htmx:afterSwap', ({ detail }) => {
    if (!menu.open || !detail.target.matches?.('.picker') || !menu.contains(detail.target)) return;
    (box() ?? links()[0])?.focus({ preventScroll: true });
  });
  // The search box narrows the counts too, so they are asked for at each opening.
  menu.addEventListener('toggle', () => { if (menu.open) htmx.trigger(menu, 'pick'); });
  keys.on({
    f: () => {
      if (!menu.checkVisibility()) return false;
      menu.open = true;
      (box() ?? links()[0])?.focus({ preventScroll: true });
      return true;
    },
  });
}
