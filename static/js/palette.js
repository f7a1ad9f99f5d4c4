// Cmd K or Ctrl K: a list of places to go to, by keyboard. What is in it is the server's to say.
const dialog = document.getElementById('palette');
const field = document.getElementById('palette-words');
const list = document.getElementById('palette-list');
const options = () => [...list.querySelectorAll('[role=option]')];
const chosen = () => list.querySelector('[aria-selected=true]');

const choose = (option) => {
  chosen()?.setAttribute('aria-selected', 'false');
  if (!option) { field.removeAttribute('aria-activedescendant'); return; }
  option.setAttribute('aria-selected', 'true');
  option.scrollIntoView({ block: 'nearest' });
  field.setAttribute('aria-activedescendant', option.id);
};
const step = (by) => {
  const all = options();
  choose(all[(all.indexOf(chosen()) + by + all.length) % all.length]);
};
const open = () => {
  if (dialog.open || document.querySelector('dialog[open]')) return;
  dialog.showModal();
  field.select();
  htmx.trigger(field, 'palette-open');
};

// Enter before the answer to what was typed last goes to what that answer begins with.
let isGoing = false;
const isAnswered = () => list.querySelector('[data-words]')?.dataset.words === field.value.trim();
const go = () => {
  if (isAnswered()) chosen()?.click();
  else isGoing = true;
};

if (dialog) {
  document.addEventListener('keydown', (event) => {
    if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-palette]')) open();
    else if (event.target === dialog) dialog.close();
  });
  const moves = { ArrowDown: () => step(1), ArrowUp: () => step(-1), Enter: go };
  field.addEventListener('keydown', (event) => {
    if (!moves[event.key] || event.isComposing) return;
    event.preventDefault();
    moves[event.key]();
  });
  field.addEventListener('input', () => { isGoing = false; });
  list.addEventListener('htmx:afterSwap', () => {
    choose(options()[0]);
    if (isGoing && isAnswered()) go();
  });
  list.addEventListener('pointermove', (event) => {
    const option = event.target.closest('[role=option]');
    if (option && option !== chosen()) choose(option);
  });
  dialog.addEventListener('close', () => { isGoing = false; });
}
