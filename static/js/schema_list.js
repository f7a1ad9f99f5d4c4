// The rows of the field list on the page: made from the text, and asking for a change of it. It keeps nothing itself.
import * as changes from './schema_changes.js';
import { rows } from './schema_rows.js';

const list = document.querySelector('[data-fields]');
const template = document.getElementById('field-row');
const KEPT_LONGEST = 80;
let read = { rows: [], path: [] };
let found = [];
let change = () => {};
let showJson = () => {};

export const start = (actions) => ({ change, showJson } = actions);
const part = (element, selector) => element.querySelector(selector);
const rowOf = (element) => read.rows[Number(element.closest('[data-fields] > li')?.dataset.row)];
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
const elementAt = (path) => list.children[read.rows.findIndex((row) => same(row.path, path))];
export const focus = (path, column = 'name') => {
  const found = path && elementAt(path)?.querySelector(`[data-col="${column}"]`);
  found?.focus();
  if (column === 'name') found?.select();
};

const siblings = (row) => read.rows.filter((other) => same(other.holder, row.holder));
const groupAbove = (row) => siblings(row).slice(0, row.at).findLast((other) => other.holds);
const groupAround = (row) => read.rows.find((other) => other.holds && same(other.holds, row.holder));

const setMenu = (element, row) => {
  const item = (name) => part(element, `[data-do="${name}"]`);
  const [above, around] = [groupAbove(row), groupAround(row)];
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
};

const kept = (row) => {
  const notes = row.extras.map(({ word, raw }) => `${word}: ${raw.length > KEPT_LONGEST ? `${raw.slice(0, KEPT_LONGEST)}…` : raw}`);
  return row.nullable ? ['may be empty', ...notes] : notes;
};
const isEditable = (choices) => choices.every((choice) => choice && !choice.includes('\n'));

// What is being typed is left as it is, unless the change put another field in this row.
const put = (input, value, force) => {
  if (input.value !== value && (force || input !== document.activeElement)) input.value = value;
};
const LABELS = {
  grip: (name) => `Move ${name}: arrow keys`, name: () => 'Field name', kind: (name) => `Type of ${name}`,
  description: (name) => `Description of ${name}`, required: (name) => `${name} is required`,
  menu: (name) => `More for ${name}`, choices: (name) => `Allowed values of ${name}, one a line`,
};
const label = (element, name) => {
  for (const [column, words] of Object.entries(LABELS)) part(element, `[data-col="${column}"]`).setAttribute('aria-label', words(name));
};

const fill = (element, row, at, force) => {
  const column = (name) => part(element, `[data-col="${name}"]`);
  if (element.dataset.where !== row.where) part(element, '.locked').open = false;
  element.dataset.row = at;
  element.dataset.where = row.where;
  element.className = `defrow level-${Math.min(row.level, 5)}`;
  if (force) delete element.dataset.refused;
  label(element, row.name);
  if (!element.dataset.refused) put(column('name'), row.name, force);
  column('kind').value = row.kind;
  column('kind').disabled = row.locked !== null;
  put(column('description'), row.description, force);
  column('description').disabled = !row.describable;
  column('required').checked = row.required;
  const notes = kept(row);
  part(element, '.kept').hidden = !notes.length;
  part(element, '.kept').replaceChildren(...notes.map((note) => Object.assign(document.createElement('code'), { textContent: note })));
  part(element, '.locked').hidden = row.locked === null;
  part(element, '.locked pre').textContent = row.locked ?? '';
  part(element, '.choices').hidden = !row.choices || !isEditable(row.choices);
  put(column('choices'), row.choices?.join('\n') ?? '', force);
  column('choices').rows = Math.min(8, Math.max(2, row.choices?.length ?? 0));
  setMenu(element, row);
};

const say = (element, sentence) => {
  const place = part(element, '.err');
  place.textContent = sentence;
  place.hidden = !sentence;
  element.classList.toggle('bad', Boolean(sentence));
};
// Problems that the server found, each beside its field; gives the places that have a row.
export const mark = (problems) => {
  found = problems;
  for (const element of list.children) {
    if (element.dataset.refused) element.classList.add('bad');
    else say(element, found.filter(({ where }) => where === element.dataset.where).map(({ words }) => words).join(' '));
  }
  return new Set(read.rows.map((row) => row.where));
};
export const firstBad = () => list.querySelector('.bad');

// Brings the rows up to the text, `force` also where somebody types; raises JsonProblem and leaves them when it is none.
// Rows are filled again, not replaced: the one that Tab or a click is about to reach must still be there.
export const render = (text, force) => {
  read = rows(text);
  while (list.children.length > read.rows.length) list.lastElementChild.remove();
  while (list.children.length < read.rows.length) list.append(template.content.firstElementChild.cloneNode(true));
  read.rows.forEach((row, at) => fill(list.children[at], row, at, force));
  [...list.children].forEach((row, at, all) => part(row, '.menu').classList.toggle('menu-up', all.length > 8 && at > all.length - 6));
  mark(found);
  return read;
};

const rename = (element, row) => {
  const input = part(element, '[data-col="name"]');
  const wanted = input.value;
  const taken = wanted !== row.name && siblings(row).some((other) => other.name === wanted);
  element.dataset.refused = taken || !wanted ? 'true' : '';
  if (!wanted) return say(element, `A field needs a name. Until it has one it stays “${row.name}”.`);
  if (taken) return say(element, `There is a field “${wanted}” beside it. Until it has another name it stays “${row.name}”.`);
  say(element, '');
  return change((text) => changes.rename(text, row.path, wanted), { soft: true });
};

const on = {
  description: (element, row, input) => change((text) => changes.describe(text, row.path, input.value), { key: `description ${row.where}`, soft: true }),
  choices: (element, row, input) => change((text) => changes.setChoices(text, row.path, input.value.split('\n').filter(Boolean)), { key: `choices ${row.where}`, soft: true }),
};
list.addEventListener('input', (event) => {
  const row = rowOf(event.target);
  on[event.target.dataset.col]?.(event.target.closest('li'), row, event.target);
});
list.addEventListener('change', (event) => {
  const [row, element, column] = [rowOf(event.target), event.target.closest('li'), event.target.dataset.col];
  if (column === 'name') rename(element, row);
  if (column === 'required') change((text) => changes.setRequired(text, row.path, event.target.checked), { focus: row.path, column });
  if (column === 'kind') {
    const kind = event.target.value;
    change((text) => changes.setKind(text, row.path, kind), { focus: row.path, column: kind.endsWith('choice') ? 'choices' : 'kind' });
  }
});

export const addTo = (holder, index) => {
  let path = null;
  change((text) => {
    const name = changes.unusedName(text, holder);
    path = [...holder, 'properties', name];
    return changes.add(text, holder, index, name);
  }, { focus: () => path });
};
export const addLast = () => addTo(read.path, read.rows.filter((row) => row.level === 0).length);

const regroup = (row, holder, index, column) => {
  if (read.rows.some((other) => same(other.holder, holder) && other.name === row.name)) {
    return say(elementAt(row.path), `There is a field “${row.name}” already where it would go. Rename one of the two first.`);
  }
  return change((text) => changes.regroup(text, row.path, holder, index), { focus: [...holder, 'properties', row.name], column });
};
const actions = {
  inside: (row) => addTo(row.holds, Infinity),
  after: (row) => addTo(row.holder, row.at + 1),
  empty: (row) => change((text) => changes.setNullable(text, row.path, !row.nullable), { focus: row.path, column: 'menu' }),
  up: (row, column = 'menu') => row.at > 0 && change((text) => changes.move(text, row.path, row.at - 1), { focus: row.path, column }),
  down: (row, column = 'menu') => row.at < row.count - 1 && change((text) => changes.move(text, row.path, row.at + 1), { focus: row.path, column }),
  in: (row, column = 'menu') => groupAbove(row) && regroup(row, groupAbove(row).holds, Infinity, column),
  out: (row, column = 'menu') => groupAround(row) && regroup(row, groupAround(row).holder, groupAround(row).at + 1, column),
  json: (row) => showJson(row.path),
  remove: (row) => {
    const next = siblings(row)[row.at + 1] ?? siblings(row)[row.at - 1];
    change((text) => changes.removeField(text, row.path), { focus: next?.path ?? null, column: 'menu' });
  },
};
list.addEventListener('click', (event) => {
  const button = event.target.closest('[data-do]');
  if (button) actions[button.dataset.do](rowOf(button));
});

const MOVES = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' };
list.addEventListener('keydown', (event) => {
  const column = event.target.dataset.col;
  if (!column) return;
  const move = MOVES[event.key];
  if (move && (event.altKey || column === 'grip')) {
    event.preventDefault();
    event.target.dispatchEvent(new Event('change', { bubbles: true }));
    actions[move](rowOf(event.target), column);
  } else if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.shiftKey && ['name', 'description'].includes(column)) {
    event.preventDefault();
    const next = event.target.closest('li').nextElementSibling;
    if (next) part(next, `[data-col="${column}"]`).focus();
    else { event.target.blur(); const row = rowOf(list.lastElementChild); addTo(row.holder, row.count); }
  }
});

// Dragging by the grip, with a mouse or a finger. A field goes before or after the one it is dropped on; on the lower
// half of an open group it becomes the group's first field.
let drag = null;
const clear = () => list.querySelectorAll('.drop-before, .drop-after').forEach((row) => row.classList.remove('drop-before', 'drop-after'));
const spot = (event) => {
  const element = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-fields] > li');
  if (!element) return null;
  const row = rowOf(element);
  const box = element.getBoundingClientRect();
  const after = event.clientY > box.top + box.height / 2;
  const inside = same(row.path.slice(0, drag.row.path.length), drag.row.path);
  return inside ? null : { element, row, after };
};
list.addEventListener('pointerdown', (event) => {
  const grip = event.target.closest('[data-col="grip"]');
  if (!grip || event.button) return;
  drag = { row: rowOf(grip), pointer: event.pointerId };
  grip.setPointerCapture(event.pointerId);
  grip.closest('li').classList.add('dragged');
});
list.addEventListener('pointermove', (event) => {
  if (drag?.pointer !== event.pointerId) return;
  clear();
  drag.spot = spot(event);
  drag.spot?.element.classList.add(drag.spot.after ? 'drop-after' : 'drop-before');
});
const drop = ({ row, spot: { row: other, after } }) => {
  if (after && other.holds) return same(other.holds, row.holder)
    ? change((text) => changes.move(text, row.path, 0), { focus: row.path, column: 'grip' })
    : regroup(row, other.holds, 0, 'grip');
  const index = other.at + (after ? 1 : 0);
  if (!same(other.holder, row.holder)) return regroup(row, other.holder, index, 'grip');
  return change((text) => changes.move(text, row.path, index > row.at ? index - 1 : index), { focus: row.path, column: 'grip' });
};
const end = (event) => {
  if (drag?.pointer !== event.pointerId) return;
  const done = drag;
  drag = null;
  clear();
  list.querySelector('.dragged')?.classList.remove('dragged');
  if (event.type === 'pointerup' && done.spot) drop(done);
};
list.addEventListener('pointerup', end);
list.addEventListener('pointercancel', end);
