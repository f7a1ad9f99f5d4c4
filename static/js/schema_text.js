// A schema's text in a text area, changed field by field in the list above it: each change can be undone, and what the
// list has no row for is named.
import { FieldList } from './schema_list.js';

const MOST_STEPS = 200;

// `changed()` is called after each change, `showJson(path)` when a field is to be seen as JSON.
export class SchemaText {
  constructor(root, { changed, showJson }) {
    const one = (selector) => root.querySelector(selector);
    Object.assign(this, { one, changed, area: one('[data-schema-text]'), steps: [], lastKey: '' });
    const change = (make, options) => this.change(make, options);
    this.list = new FieldList(one('[data-fields]'), one('template[data-field-row]'), { change, showJson });
    one('[data-add]').addEventListener('click', () => this.list.addLast());
    one('[data-undo]').addEventListener('click', () => this.undo());
  }

  render(force) {
    const { around, rows, isObject } = this.list.render(this.area.value, force);
    this.one('[data-around]').hidden = !around.length;
    this.one('[data-around-words]').textContent = `Also in this schema, kept as it is: ${around.map(({ word }) => word).join(', ')}`;
    this.one('[data-around-json]').textContent = around.map(({ word, raw }) => `${JSON.stringify(word)}: ${raw}`).join(',\n');
    this.one('[data-none]').hidden = rows.length > 0;
    this.one('[data-add]').disabled = !isObject;
    this.one('[data-undo]').disabled = !this.steps.length;
  }

  remember(text, key = '') {
    if (!key || key !== this.lastKey) this.steps.push(text);
    if (this.steps.length > MOST_STEPS) this.steps.shift();
    this.lastKey = key;
  }

  // One change of the text. Those with the same `key` in a row are undone together. `soft` ones leave the rows where they
  // are and what is typed as it is; after others `focus` is the field to go to, by its path or a function that gives it.
  change(make, { key = '', focus = null, column = 'name', soft = false } = {}) {
    const before = this.area.value;
    const after = make(before);
    if (after === before) return;
    this.remember(before, key);
    this.area.value = after;
    this.render(!soft);
    if (!soft) this.list.focus(typeof focus === 'function' ? focus() : focus, column);
    this.changed();
  }

  undo() {
    if (!this.steps.length) return false;
    this.area.value = this.steps.pop();
    this.lastKey = '';
    this.render(true);
    this.changed();
    return true;
  }
}
