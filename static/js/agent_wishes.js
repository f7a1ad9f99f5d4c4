// Standing wishes: what a person wrote goes into the field of the list, where they cut it down to the rule itself.
const panel = () => document.getElementById('wishes');
const form = () => document.getElementById('wish-new');
const field = () => document.getElementById('wish-new-text');

const open = () => {
  panel().open = true;
  field().focus();
  field().scrollIntoView({ block: 'nearest' });
};
// Words marked in the message are meant alone.
const readMarked = (message) => {
  const marked = getSelection();
  const isInside = !marked.isCollapsed && message.contains(marked.anchorNode) && message.contains(marked.focusNode);
  return (isInside && marked.toString().trim()) || message.dataset.text;
};
const keep = (message) => {
  field().value = readMarked(message);
  form().elements.message.value = message.dataset.number;
  open();
};
const empty = () => {
  form().reset();
  form().elements.message.value = '';
};

document.addEventListener('click', (event) => {
  const on = (selector) => event.target.closest(selector);
  if (on('[data-keep-wish]')) keep(on('[data-number]'));
  if (on('[data-wishes]')) { document.getElementById('thread-acts').open = false; open(); }
  // Opened or put back: what stands there now, not what was typed before.
  const change = on('[data-opens^="wish-form-"]');
  if (change) {
    const text = change.closest('.wish').querySelector('textarea');
    text.value = change.closest('.wish').dataset.text;
    text.setSelectionRange(text.value.length, text.value.length);
  }
});
document.addEventListener('keydown', (event) => {
  if (event.target !== field() || event.isComposing) return;
  if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) {
    event.preventDefault();
    form().requestSubmit();
  } else if (event.key === 'Escape') {
    event.preventDefault();
    panel().open = false;
    document.querySelector('#wishes > summary').focus();
  }
});
document.addEventListener('htmx:afterRequest', ({ detail }) => {
  if (!detail.successful || !detail.elt.closest?.('#wishes')) return;
  if (detail.elt === form()) { empty(); field().focus(); }
  if (detail.elt.matches('[data-wish-form]')) {
    detail.elt.hidden = true;
    document.getElementById(detail.elt.id.replace('form', 'change'))?.focus();
  }
  if (detail.elt.matches('[data-wish-remove], #wish-clear')) field()?.focus();
});
