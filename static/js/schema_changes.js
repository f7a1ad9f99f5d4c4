// What the field list can do to a schema. Each change takes the text and gives a new one; it touches its own field alone.
import { dropMember, insert, member, nodeAt, parse, remove, rename as renameEntry, reorder, replace, setMember, transfer, valueOf } from './json_text.js';
import { FORMATS, readKind, rows } from './schema_rows.js';

const TYPES = { text: 'string', number: 'number', integer: 'integer', boolean: 'boolean', date: 'string', moment: 'string', email: 'string', link: 'string', choice: 'string', group: 'object', rows: 'array' };
const FORMAT_OF = Object.fromEntries(Object.entries(FORMATS).map(([format, kind]) => [kind, format]));
const GROUP_WORDS = ['properties', 'required', 'additionalProperties'];

const at = (text, path) => nodeAt(parse(text), path);
const holderOf = (path) => path.slice(0, -2);
const isClosed = (text, path) => member(at(text, path), 'additionalProperties')?.value === false;
const names = (text, holder) => member(at(text, holder), 'properties')?.entries?.map((entry) => entry.key) ?? [];
const required = (text, holder) => {
  const node = member(at(text, holder), 'required');
  return node?.kind === 'array' ? valueOf(node) : [];
};

export const describe = (text, path, words) => {
  const node = at(text, path);
  if (!member(node, 'description') && !words) return text;
  const last = node.entries.findLastIndex((entry) => ['type', 'format', 'enum'].includes(entry.key));
  return setMember(text, path, 'description', words, last + 1);
};

export const setRequired = (text, path, wanted) => {
  const [holder, name] = [holderOf(path), path.at(-1)];
  const said = required(text, holder);
  if (said.includes(name) === wanted) return text;
  if (!wanted) return remove(text, [...holder, 'required', said.indexOf(name)]);
  if (member(at(text, holder), 'required')?.kind !== 'array') {
    const after = at(text, holder).entries.findIndex((entry) => entry.key === 'properties') + 1;
    return setMember(text, holder, 'required', [name], after);
  }
  // Its place among the required names is the one it has among the fields.
  const order = names(text, holder);
  const next = said.findIndex((other) => order.indexOf(other) > order.indexOf(name));
  return insert(text, [...holder, 'required'], next < 0 ? said.length : next, null, name);
};

// The field keeps its place, and stays required when it was.
export const rename = (text, path, name) => {
  const [holder, before] = [holderOf(path), path.at(-1)];
  const where = required(text, holder).indexOf(before);
  const made = renameEntry(text, path, name);
  return where < 0 ? made : replace(made, [...holder, 'required', where], name);
};

export const unusedName = (text, holder, wish = 'new_field') => {
  const taken = names(text, holder);
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wish : `${wish}_${number}`;
    if (!taken.includes(name)) return name;
  }
};

// A new text field. Strict formats want every field required; elsewhere it is when all beside it are.
export const add = (text, holder, index, name) => {
  const beside = names(text, holder);
  const isRequired = rows(text).strict || beside.every((other) => required(text, holder).includes(other));
  let made = member(at(text, holder), 'properties') ? text : setMember(text, holder, 'properties', {});
  made = insert(made, [...holder, 'properties'], index, name, { type: 'string', description: '' });
  return isRequired ? setRequired(made, [...holder, 'properties', name], true) : made;
};

export const removeField = (text, path) => remove(setRequired(text, path, false), path);
export const move = (text, path, index) => reorder(text, path.slice(0, -1), names(text, holderOf(path)).indexOf(path.at(-1)), index);

// Out of one group and into another, required as before. `holder` must not lie inside the field itself.
export const regroup = (text, path, holder, index) => {
  const isRequired = required(text, holderOf(path)).includes(path.at(-1));
  let made = setRequired(text, path, false);
  if (!member(at(made, holder), 'properties')) made = setMember(made, holder, 'properties', {});
  made = transfer(made, path, [...holder, 'properties'], index);
  return isRequired ? setRequired(made, [...holder, 'properties', path.at(-1)], true) : made;
};

export const setNullable = (text, path, wanted) => {
  const node = at(text, path);
  const type = member(node, 'type');
  const said = type?.kind === 'array' ? valueOf(type) : [type?.value];
  let made = text;
  if (type && said.includes('null') !== wanted) {
    made = replace(text, [...path, 'type'], wanted ? [...said, 'null'] : said.find((word) => word !== 'null'));
  }
  const choices = member(node, 'enum') && valueOf(member(node, 'enum'));
  if (!choices || choices.includes(null) === wanted) return made;
  return wanted ? insert(made, [...path, 'enum'], choices.length, null, null) : remove(made, [...path, 'enum', choices.indexOf(null)]);
};

export const setChoices = (text, path, choices) => {
  const where = readKind(at(text, path)).kind === 'list-choice' ? [...path, 'items', 'enum'] : [...path, 'enum'];
  const former = valueOf(at(text, where));
  return replace(text, where, former.includes(null) ? [...choices, null] : choices);
};

const toScalar = (text, path, kind) => {
  let made = FORMAT_OF[kind] ? setMember(text, path, 'format', FORMAT_OF[kind], 1) : text;
  const format = member(at(made, path), 'format')?.value;
  if (!FORMAT_OF[kind] && Object.hasOwn(FORMATS, format ?? '')) made = dropMember(made, path, 'format');
  return kind === 'choice' ? setMember(made, path, 'enum', [], 1) : dropMember(made, path, 'enum');
};
const emptyGroup = (closed) => ({ type: 'object', properties: {}, ...(closed ? { required: [], additionalProperties: false } : {}) });
const itemsOf = (kind, closed) => {
  if (kind === 'rows') return emptyGroup(closed);
  const of = kind.slice('list-'.length);
  return { type: TYPES[of], ...(FORMAT_OF[of] ? { format: FORMAT_OF[of] } : {}), ...(of === 'choice' ? { enum: [] } : {}) };
};
const wrap = (text, path, source) => {
  let made = setMember(text, path, 'items', { type: 'object' });
  for (const word of GROUP_WORDS.filter((word) => member(source, word))) made = transfer(made, [...path, word], [...path, 'items'], Infinity);
  return made;
};
const unwrap = (text, path, source) => {
  let made = text;
  for (const word of GROUP_WORDS.filter((word) => member(member(source, 'items'), word) && !member(source, word))) made = transfer(made, [...path, 'items', word], path, Infinity);
  return made;
};

// Another type for the field. A group that becomes a list of rows keeps its fields, and so does a list that becomes a group.
export const setKind = (text, path, kind) => {
  const source = at(text, path);
  const had = readKind(source);
  if (had?.kind === kind) return text;
  const closed = isClosed(text, holderOf(path));
  const type = TYPES[kind] ?? 'array';
  let made = setMember(text, path, 'type', had?.nullable ? [type, 'null'] : type, 0);
  if (kind === 'rows' && had?.kind === 'group') made = wrap(made, path, source);
  else if (type === 'array') made = setMember(made, path, 'items', itemsOf(kind, closed));
  if (kind === 'group' && had?.kind === 'rows') made = unwrap(made, path, source);
  else if (kind === 'group') for (const [word, value] of Object.entries(emptyGroup(closed))) made = setMember(made, path, word, value);
  if (type !== 'array') made = dropMember(made, path, 'items');
  if (type !== 'object') made = GROUP_WORDS.reduce((whole, word) => dropMember(whole, path, word), made);
  return toScalar(made, path, kind);
};
