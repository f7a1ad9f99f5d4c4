// The schema in the form of a card's edits: its fields as rows, over the text that the form sends.
import { problemIn } from './json_text.js';
import { SchemaText } from './schema_text.js';

const schemas = new WeakMap();
const TEXTS = 'input:not([type=checkbox]), textarea';

const begin = (root) => {
  const area = root.querySelector('[data-schema-text]');
  if (schemas.has(root) || problemIn(area.value)) return;
  const schema = new SchemaText(root, {
    // The card shows what would happen with what is typed, whoever typed it.
    changed: () => area.dispatchEvent(new Event('input', { bubbles: true })),
    showJson: () => root.closest('form').querySelector('[data-whole="json"]').click(),
  });
  schemas.set(root, schema);
  area.hidden = true;
  root.querySelector('[data-schema-rows]').hidden = false;
  schema.render(true);
  root.addEventListener('keydown', (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
    if (isUndo && !event.target.matches(TEXTS) && schema.undo()) event.preventDefault();
  });
};

document.addEventListener('htmx:load', ({ detail }) => detail.elt.querySelectorAll?.('[data-schema-card]').forEach(begin));

// A name that the list has refused is not sent as if it had been taken.
document.addEventListener('submit', (event) => {
  const root = event.target.querySelector('[data-schema-card]');
  const { list } = schemas.get(root) ?? {};
  if (!list?.list.querySelector('[data-refused="true"]')) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  list.focusBad();
}, { capture: true });
