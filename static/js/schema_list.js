// The rows of a field list: made from a schema's text, and asking for a change of it. It keeps no schema itself.
import * as changes from './schema_changes.js';
import { drag } from './schema_drag.js';
import { rows } from './schema_rows.js';

const KEPT_LONGEST = 80;
const MOVES = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' };
const LABELS = {
  grip: (name) => `Move ${name}: arrow keys`, name: () => 'Field name', kind: (name) => `Type of ${name}`,
  description: (name) => `Description of ${name}`, required: (name) => `${name} is required`,
  menu: (name) => `More for ${name}`, choices: (name) => `Allowed values of ${name}, one a line`,
};
const ICONS = {
  text: 'type', number: 'hash', integer: 'hash', boolean: 'toggle-left', date: 'calendar', moment: 'clock',
  choice: 'list-checks', email: 'at-sign', link: 'link', group: 'layers', rows: 'rows-3', json: 'braces',
};
const part = (element, selector) => element.querySelector(selector);
const column = (element, name) => part(element, `[data-col="${name}"]`);
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const isEditable = (choices) => choices.every((choice) => choice && !choice.includes('\n'));

const notesOf = (row) => {
  const notes = row.extras.map(({ word, raw }) => `${word}: ${raw.length > KEPT_LONGEST ? `${raw.slice(0, KEPT_LONGEST)}…` : raw}`);
  return row.nullable ? ['may be empty', ...notes] : notes;
};
const label = (element, name) => {
  for (const [place, words] of Object.entries(LABELS)) column(element, place).setAttribute('aria-label', words(name));
};
// What is being typed is left as it is, unless the change put another field in this row.
const put = (input, value, force) => {
  if (input.value !== value && (force || input !== document.activeElement)) input.value = value;
};
const say = (element, sentence) => {
  const place = part(element, '.err');
  place.textContent = sentence;
  place.hidden = !sentence;
  element.classList.toggle('bad', Boolean(sentence));
};
const fill = (element, row, at, force) => {
  const fresh = element.dataset.where !== row.where;
  if (fresh) part(element, '.locked').open = false;
  element.dataset.row = at;
  element.dataset.where = row.where;
  element.className = `defrow level-${Math.min(row.level, 5)}`;
  if (force) delete element.dataset.refused;
  label(element, row.name);
  if (!element.dataset.refused) put(column(element, 'name'), row.name, force);
  column(element, 'kind').value = row.kind;
  const picture = part(element, '.kind use');
  picture.setAttribute('href', picture.getAttribute('href').replace(/#.*/, `#${ICONS[row.kind] ?? 'list'}`));
  column(element, 'kind').disabled = row.locked !== null;
  put(column(element, 'description'), row.description, force);
  column(element, 'description').disabled = !row.describable;
  column(element, 'required').checked = row.required;
  fillNotes(element, row, force);
};
const fillNotes = (element, row, force) => {
  const notes = notesOf(row);
  part(element, '.kept').hidden = !notes.length;
  part(element, '.kept').replaceChildren(...notes.map((note) => Object.assign(document.createElement('code'), { textContent: note })));
  part(element, '.locked').hidden = row.locked === null;
  part(element, '.locked pre').textContent = row.locked ?? '';
  part(element, '.choices').hidden = !row.choices || !isEditable(row.choices);
  put(column(element, 'choices'), row.choices?.join('\n') ?? '', force);
  column(element, 'choices').rows = Math.min(8, Math.max(2, row.choices?.length ?? 0));
};

// `change(make, options)` changes the text, `showJson(path)` leads to a place in it.
export class FieldList {
  constructor(list, template, { change, showJson }) {
    Object.assign(this, { list, template, change, showJson, read: { rows: [], path: [] }, problems: [] });
    list.addEventListener('input', (event) => this.type(event));
    list.addEventListener('change', (event) => this.choose(event));
    list.addEventListener('click', (event) => {
      const button = event.target.closest('[data-do]');
      if (button) this.act(button.dataset.do, this.rowOf(button));
    });
    list.addEventListener('keydown', (event) => this.press(event));
    drag(this);
  }

  rowOf(element) { return this.read.rows[Number(element.closest('[data-fields] > li')?.dataset.row)]; }

  elementAt(path) { return this.list.children[this.read.rows.findIndex((row) => same(row.path, path))]; }

  focus(path, place = 'name') {
    const element = path && this.elementAt(path);
    const input = element && column(element, place);
    input?.focus();
    if (place === 'name') input?.select();
  }

  siblings(row) { return this.read.rows.filter((other) => same(other.holder, row.holder)); }

  groupAbove(row) { return this.siblings(row).slice(0, row.at).findLast((other) => other.holds); }

  groupAround(row) { return this.read.rows.find((other) => other.holds && same(other.holds, row.holder)); }

  // Brings the rows up to the text, `force` also where somebody types; raises JsonProblem and leaves them when it is none.
  // Rows are filled again, not replaced: the one that Tab or a click is about to reach must still be there.
  render(text, force) {
    const { list, template } = this;
    this.read = rows(text);
    while (list.children.length > this.read.rows.length) list.lastElementChild.remove();
    while (list.children.length < this.read.rows.length) list.append(template.content.firstElementChild.cloneNode(true));
    this.read.rows.forEach((row, at) => {
      fill(list.children[at], row, at, force);
      this.setMenu(list.children[at], row);
    });
    [...list.children].forEach((row, at, all) => part(row, '.menu').classList.toggle('menu-up', all.length > 8 && at > all.length - 6));
    this.mark(this.problems);
    return this.read;
  }

  setMenu(element, row) {
    const item = (name) => part(element, `[data-do="${name}"]`);
    const [above, around] = [this.groupAbove(row), this.groupAround(row)];
    item('inside').hidden = !row.holds;
    item('up').disabled = row.at === 0;
    item('down').disabled = row.at === row.count - 1;
    item('empty').hidden = row.locked !== null;
    item('empty').setAttribute('aria-pressed', row.nullable);
    item('empty').classList.toggle('is-off', !row.nullable);
    item('in').hidden = !above;
    part(item('in'), 'span').textContent = `Move into ${above?.name}`;
    item('out').hidden = !around;
    part(item('out'), 'span').textContent = `Move out of ${around?.name}`;
    part(item('remove'), 'span').textContent = row.holds ? 'Remove with the fields inside' : 'Remove';
  }

  // Problems that the server found, each beside its field; gives the places that have a row.
  mark(problems) {
    this.problems = problems;
    for (const element of this.list.children) {
      if (element.dataset.refused) element.classList.add('bad');
      else say(element, problems.filter(({ where }) => where === element.dataset.where).map(({ words }) => words).join(' '));
    }
    return new Set(this.read.rows.map((row) => row.where));
  }

  firstBad() { return part(this.list, '.bad'); }

  // To where the first problem is put right.
  focusBad() {
    const bad = this.firstBad();
    part(bad, bad.dataset.refused ? '[data-col="name"]' : '[data-col="description"]:enabled, [data-col="name"]').focus();
  }

  rename(element, row) {
    const wanted = column(element, 'name').value;
    const taken = wanted !== row.name && this.siblings(row).some((other) => other.name === wanted);
    element.dataset.refused = taken || !wanted ? 'true' : '';
    if (!wanted) return say(element, `A field needs a name. Until it has one it stays “${row.name}”.`);
    if (taken) return say(element, `There is a field “${wanted}” beside it. Until it has another name it stays “${row.name}”.`);
    say(element, '');
    return this.change((text) => changes.rename(text, row.path, wanted), { soft: true });
  }

  type(event) {
    const [row, place, typed] = [this.rowOf(event.target), event.target.dataset.col, event.target.value];
    const make = {
      description: (text) => changes.describe(text, row.path, typed),
      choices: (text) => changes.setChoices(text, row.path, typed.split('\n').filter(Boolean)),
    }[place];
    if (make) this.change(make, { key: `${place} ${row.where}`, soft: true });
  }

  choose(event) {
    const [row, element, place] = [this.rowOf(event.target), event.target.closest('li'), event.target.dataset.col];
    const { checked, value } = event.target;
    if (place === 'name') this.rename(element, row);
    if (place === 'required') this.change((text) => changes.setRequired(text, row.path, checked), { focus: row.path, column: place });
    if (place !== 'kind') return;
    this.change((text) => changes.setKind(text, row.path, value), { focus: row.path, column: value.endsWith('choice') ? 'choices' : 'kind' });
  }

  addTo(holder, index) {
    let path = null;
    this.change((text) => {
      const name = changes.unusedName(text, holder);
      path = [...holder, 'properties', name];
      return changes.add(text, holder, index, name);
    }, { focus: () => path });
  }

  addLast() { this.addTo(this.read.path, this.read.rows.filter((row) => row.level === 0).length); }

  regroup(row, holder, index, place) {
    if (this.read.rows.some((other) => same(other.holder, holder) && other.name === row.name)) {
      return say(this.elementAt(row.path), `There is a field “${row.name}” already where it would go. Rename one of the two first.`);
    }
    return this.change((text) => changes.regroup(text, row.path, holder, index), { focus: [...holder, 'properties', row.name], column: place });
  }

  move(row, index, place) {
    if (index < 0 || index >= row.count) return;
    this.change((text) => changes.move(text, row.path, index), { focus: row.path, column: place });
  }

  remove(row) {
    const next = this.siblings(row)[row.at + 1] ?? this.siblings(row)[row.at - 1];
    this.change((text) => changes.removeField(text, row.path), { focus: next?.path ?? null, column: 'menu' });
  }

  act(name, row, place = 'menu') {
    const [above, around] = [this.groupAbove(row), this.groupAround(row)];
    const acts = {
      inside: () => this.addTo(row.holds, Infinity),
      after: () => this.addTo(row.holder, row.at + 1),
      empty: () => this.change((text) => changes.setNullable(text, row.path, !row.nullable), { focus: row.path, column: 'menu' }),
      up: () => this.move(row, row.at - 1, place),
      down: () => this.move(row, row.at + 1, place),
      in: () => above && this.regroup(row, above.holds, Infinity, place),
      out: () => around && this.regroup(row, around.holder, around.at + 1, place),
      json: () => this.showJson(row.path),
      remove: () => this.remove(row),
    };
    acts[name]();
  }

  press(event) {
    const place = event.target.dataset.col;
    const move = MOVES[event.key];
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.isComposing;
    if (place && move && (event.altKey || place === 'grip')) {
      event.preventDefault();
      event.target.dispatchEvent(new Event('change', { bubbles: true }));
      this.act(move, this.rowOf(event.target), place);
    } else if (event.key === 'Enter' && isPlain && ['name', 'description'].includes(place)) {
      event.preventDefault();
      this.goOn(event.target, place);
    }
  }

  // To the same column of the next field; after the last one a new field comes.
  goOn(input, place) {
    const next = input.closest('li').nextElementSibling;
    if (next) { column(next, place).focus(); return; }
    input.blur();
    const row = this.rowOf(this.list.lastElementChild);
    this.addTo(row.holder, row.count);
  }
}
