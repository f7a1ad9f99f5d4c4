// A reason: opened by Reject, closed by Cancel or Esc, sent by a second press. The same for what else a button opens.
const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const open = (part, isOpen) => {
  part.hidden = !isOpen;
  const openers = all(`[data-opens="${part.id}"]`);
  openers.forEach((each) => each.setAttribute('aria-expanded', String(isOpen)));
  if (!isOpen) return openers.find((each) => !part.contains(each))?.focus();
  one('textarea, button', part).focus({ preventScroll: true });
  part.scrollIntoView({ block: 'nearest' });
};
document.addEventListener('click', (event) => {
  const opener = event.target.closest('[data-opens]');
  if (!opener) return;
  const part = document.getElementById(opener.dataset.opens);
  open(part, part.hidden);
});
document.addEventListener('keydown', (event) => {
  const part = event.target.closest?.('.reason');
  if (!part || event.isComposing) return;
  if (event.key === 'Enter' && one('textarea', part) && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    part.requestSubmit();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    open(part, false);
  }
});
