// The documents that the next message is about: one less, or no choice any more. What is taken out is not sent.
const strip = () => document.getElementById('scope');
const input = () => strip().querySelector('[name=scope]');

const clear = () => {
  input().value = '{}';
  strip().hidden = true;
  document.getElementById('say').focus();
};
const drop = (chip) => {
  const scope = JSON.parse(input().value);
  scope.document_ids = scope.document_ids.filter((id) => id !== chip.dataset.scopeOf);
  if (!scope.document_ids.length) { clear(); return; }
  input().value = JSON.stringify(scope);
  const next = chip.nextElementSibling?.querySelector('[data-scope-drop]') ?? strip().querySelector('[data-scope-clear]');
  chip.remove();
  next.focus();
};

document.addEventListener('click', (event) => {
  const chip = event.target.closest('[data-scope-drop]')?.closest('[data-scope-of]');
  if (chip) drop(chip);
  if (event.target.closest('[data-scope-clear]')) clear();
});
