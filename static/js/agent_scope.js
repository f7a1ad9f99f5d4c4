// The documents that the next message is about: another choice, one less, or no choice any more. What is taken out is
// not sent.
const strip = () => document.getElementById('scope');
const input = () => strip().querySelector('[name=scope]');
const choices = () => [...document.querySelectorAll('[data-scope-choice]')];

const choose = (text) => {
  input().value = text;
  strip().hidden = true;
};
const clear = () => {
  choose('{}');
  const all = choices().find((choice) => choice.value === '{}');
  if (all) {
    all.checked = true;
    all.closest('[data-picker]').querySelector('[data-picked]').textContent = all.closest('label').querySelector('b').textContent;
  }
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

document.addEventListener('change', (event) => {
  if (event.target.matches('[data-scope-choice]')) choose(event.target.value);
});
document.addEventListener('click', (event) => {
  const chip = event.target.closest('[data-scope-drop]')?.closest('[data-scope-of]');
  if (chip) drop(chip);
  if (event.target.closest('[data-scope-clear]')) clear();
});
