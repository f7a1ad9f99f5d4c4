// A JSON Schema as rows of fields. It only reads: what no row can show is named (`extras`) or shown as it is (`locked`).
import { entryOf, member, nodeAt, parse, valueOf } from './json_text.js';

export const FORMATS = { date: 'date', 'date-time': 'moment', email: 'email', uri: 'link' };
const PLAIN = { string: 'text', number: 'number', integer: 'integer', boolean: 'boolean' };
// With one of these, what a value may be is said elsewhere or more than once: no single type would tell it.
const LOCKING = ['$ref', 'anyOf', 'oneOf', 'allOf', 'const'];
const OBJECT_WORDS = ['type', 'properties', 'required', 'description'];

const typesOf = (node) => {
  const type = member(node, 'type');
  if (type?.kind === 'string') return [type.value];
  const said = type?.kind === 'array' ? valueOf(type) : [];
  return said.length === 2 && said.includes('null') && said.every((word) => typeof word === 'string') ? said : [];
};

const choicesOf = (node) => {
  const said = member(node, 'enum');
  const values = said?.kind === 'array' ? valueOf(said) : null;
  return values?.every((value) => value === null || typeof value === 'string') ? values : null;
};

const scalar = (node, type) => {
  const choices = choicesOf(node);
  if (choices && (type === 'string' || !member(node, 'type'))) return { kind: 'choice', choices, words: ['type', 'enum'] };
  const format = member(node, 'format')?.value;
  if (type === 'string' && Object.hasOwn(FORMATS, format)) return { kind: FORMATS[format], words: ['type', 'format'] };
  return Object.hasOwn(PLAIN, type ?? '') ? { kind: PLAIN[type], words: ['type'] } : null;
};

const list = (node) => {
  const items = member(node, 'items');
  const of = items?.kind === 'object' ? readKind(items) : null;
  if (!of || of.nullable) return null;
  if (of.kind === 'group') return { kind: 'rows', words: ['type', 'items'], holds: ['items', ...of.holds], of };
  return of.of || of.kind === 'rows' ? null : { kind: `list-${of.kind}`, words: ['type', 'items'], choices: of.choices, of };
};

// What a subschema is in one word, or null when a row cannot say it. `holds` leads to the object with its fields.
export const readKind = (node) => {
  if (node?.kind !== 'object' || LOCKING.some((word) => member(node, word))) return null;
  const types = typesOf(node);
  const nullable = types.includes('null');
  const type = types.find((word) => word !== 'null');
  if (member(node, 'type') && !type) return null;
  const properties = member(node, 'properties');
  let found = null;
  if (type === 'object') found = !properties || properties.kind === 'object' ? { kind: 'group', words: OBJECT_WORDS, holds: [] } : null;
  else if (type === 'array') found = list(node);
  else found = scalar(node, type);
  return found && { nullable: nullable || Boolean(found.choices?.includes(null)), ...found };
};

const brief = (text, node) => text.slice(node.start, node.end).replace(/\s*\n\s*/g, ' ');
const isQuiet = (word, node) => word === 'additionalProperties' && node.value === false;
const others = (text, node, words, before = '') => (node?.kind === 'object' ? node.entries : [])
  .filter(({ key, node: value }) => ![...words, 'description'].includes(key) && !isQuiet(key, value))
  .map(({ key, node: value }) => ({ word: before + key, raw: brief(text, value) }));

const extrasOf = (text, node, read) => {
  const own = others(text, node, read.words);
  return read.of ? [...own, ...others(text, member(node, 'items'), read.of.words, 'each: ')] : own;
};

const requiredOf = (node) => {
  const said = member(node, 'required');
  return said?.kind === 'array' ? valueOf(said) : [];
};

const readRow = (text, holder, entry, path, at) => {
  const { node, key } = entry;
  const read = readKind(node);
  const description = member(node, 'description');
  return {
    path: [...path, 'properties', key], holder: path, name: key, at,
    required: requiredOf(holder).includes(key),
    kind: read?.kind ?? 'json',
    nullable: Boolean(read?.nullable),
    choices: read?.choices?.filter((choice) => choice !== null) ?? null,
    extras: read ? extrasOf(text, node, read) : [],
    locked: read ? null : text.slice(node.start, node.end),
    holds: read?.holds ? [...path, 'properties', key, ...read.holds] : null,
    // Other JSON than an object or a text here cannot be rewritten as a sentence.
    describable: node.kind === 'object' && (!description || description.kind === 'string'),
    description: description?.kind === 'string' ? description.value : '',
  };
};

const rowsOf = (text, root, path, level, where) => {
  const holder = nodeAt(root, path);
  const properties = member(holder, 'properties');
  if (properties?.kind !== 'object') return [];
  return properties.entries.flatMap((entry, at) => {
    const row = { ...readRow(text, holder, entry, path, at), level, where: where ? `${where}.${entry.key}` : entry.key, count: properties.entries.length };
    const inside = row.holds?.at(-1) === 'items' && row.kind === 'rows' ? `${row.where}.items` : row.where;
    return row.holds ? [row, ...rowsOf(text, root, row.holds, level + 1, inside)] : [row];
  });
};

// Where the schema itself begins: inside a response format, or at once.
export const rootOf = (root) => (entryOf(root, 'json_schema') ? ['json_schema', 'schema'] : []);

// Every field of the text as a row, those of groups and lists behind their own; raises JsonProblem.
export const rows = (text) => {
  const root = parse(text);
  const path = rootOf(root);
  const schema = nodeAt(root, path);
  return {
    path,
    isObject: schema?.kind === 'object',
    strict: valueAt(root, ['json_schema', 'strict']) === true,
    rows: rowsOf(text, root, path, 0, ''),
    around: others(text, schema, OBJECT_WORDS),
  };
};
const valueAt = (root, path) => nodeAt(root, path)?.value;
