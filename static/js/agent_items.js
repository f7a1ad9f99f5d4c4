// The items of a thread as the server shows them now, put over those on the page one by one: what has not changed
// stays as it is, and of what has changed the half-typed text, the open folds and the focus are carried over.
const all = (selector, root) => [...root.querySelectorAll(selector)];

export const reconcile = (kept, fresh) => {
  const old = new Map([...kept.children].map((child) => [child.id, child]));
  let at = kept.firstElementChild;
  for (const wanted of [...fresh.children]) {
    const have = old.get(wanted.id);
    old.delete(wanted.id);
    const node = have ? merged(have, wanted) : wanted;
    if (have && have === at) at = at.nextElementSibling;
    else kept.insertBefore(have || wanted, at);
    if (have && node === wanted) replace(have, wanted);
    if (node === wanted) htmx.process(wanted);
  }
  old.forEach((gone) => { if (!isAsking(gone)) gone.remove(); });
};

// An item whose request is under way stays until the answer is there: an answer to a form that is gone goes nowhere.
const isAsking = (item) => item.matches('.htmx-request') || item.querySelector('.htmx-request');

const merged = (have, wanted) => {
  if (have.dataset.version === wanted.dataset.version || isAsking(have)) return have;
  if (!have.hasAttribute('data-turn-live')) return wanted;
  // Saved text lags up to half a second behind what the socket brought: only a longer one is news.
  for (const saved of all('[data-length]', wanted)) {
    const shown = have.querySelector(`[data-role="${saved.dataset.role}"]`);
    if (Number(saved.dataset.length) > Number(shown.dataset.length)) {
      shown.textContent = saved.textContent;
      shown.dataset.length = saved.dataset.length;
      shown.closest('[data-when-text]')?.removeAttribute('hidden');
      if (saved.dataset.role === 'text') have.dataset.writes = '';
    }
  }
  have.querySelector('[data-doing]').textContent = wanted.querySelector('[data-doing]').textContent;
  have.dataset.version = wanted.dataset.version;
  return have;
};

const replace = (have, wanted) => {
  const focused = have.contains(document.activeElement) ? document.activeElement : null;
  const at = focused?.matches('textarea') ? [focused.selectionStart, focused.selectionEnd] : null;
  carry(have, wanted);
  have.replaceWith(wanted);
  const same = focused?.id && document.getElementById(focused.id);
  if (!same) return;
  same.focus({ preventScroll: true });
  if (at) same.setSelectionRange(...at);
};

const carry = (have, wanted) => {
  // What a person has opened and typed in, such as the form of a card's edits, moves over as it is.
  for (const part of all('[data-keep]', have)) {
    if (part.childElementCount && part.id) wanted.querySelector(`#${CSS.escape(part.id)}`)?.replaceWith(part);
  }
  if (have.matches('details')) wanted.open = have.open;
  wanted.classList.toggle('on', have.classList.contains('on') && wanted.classList.contains('card-wait'));
  const opened = all('details', wanted);
  if (have.classList.contains('card-wait') === wanted.classList.contains('card-wait')) {
    all('details', have).forEach((fold, at) => { if (opened[at]) opened[at].open = fold.open; });
  }
  for (const field of all('textarea', have)) {
    const same = field.id && wanted.querySelector(`#${CSS.escape(field.id)}`);
    if (same) same.value = field.value;
  }
  for (const part of all('.reason', have)) {
    const same = part.id && wanted.querySelector(`#${CSS.escape(part.id)}`);
    if (same) same.hidden = part.hidden;
  }
};
