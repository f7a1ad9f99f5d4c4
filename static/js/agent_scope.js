// The documents that the next message is about: another choice, one less, or no choice any more. What is taken out is
// not sent.
const strip = () => document.getElementById('scope');
const input = () => strip().querySelector('[name=scope]');
const choices = () => [...document.querySelectorAll('[data-scope-choice]')];

const choose = (choice) => {
  input().value = choice.value;
  strip().hidden = true;
  const name = choice.closest('label').querySelector('b').textContent;
  document.querySelectorAll('[data-scope-name]').forEach((each) => { each.textContent = name; });
};
const clear = () => {
  const all = choices().find((choice) => choice.value === '{}');
  all.checked = true;
  choose(all);
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

const find = (field) => {
  const words = field.value.trim().toLowerCase();
  const menu = field.closest('fieldset');
  const rows = [...menu.querySelectorAll('.choice')];
  rows.forEach((row) => { row.hidden = !row.textContent.toLowerCase().includes(words); });
  menu.querySelector('[data-none]').hidden = rows.some((row) => !row.hidden);
};

document.addEventListener('input', (event) => {
  if (event.target.matches('[data-find-scope]')) find(event.target);
});
document.addEventListener('keydown', (event) => {
  // Enter in it would send the message.
  if (event.key === 'Enter' && event.target.matches('[data-find-scope]')) event.preventDefault();
});
document.addEventListener('change', (event) => {
  if (event.target.matches('[data-scope-choice]')) choose(event.target);
});
document.addEventListener('click', (event) => {
  const chip = event.target.closest('[data-scope-drop]')?.closest('[data-scope-of]');
  if (chip) drop(chip);
  if (event.target.closest('[data-scope-clear]')) clear();
});
