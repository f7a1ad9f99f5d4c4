// JSON as text with the place of every part, and small changes to it. The text is what counts: a change rewrites the
// characters of its own part and leaves every other as it was typed, numbers like 1.0 and odd spacing too.
const DEEPEST = 200;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS = [['true', 'boolean', true], ['false', 'boolean', false], ['null', 'null', null]];

export class JsonProblem extends Error {
  constructor(text, at, sentence) {
    const before = text.slice(0, at).split('\n');
    super(sentence);
    Object.assign(this, { at, line: before.length, column: before.at(-1).length + 1 });
  }
}

const match = (pattern, text, at) => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
};
const skip = (text, at) => at + match(SPACE, text, at).length;
const shown = (text, at) => (at >= text.length ? 'the text ends' : `“${text[at]}” stands`);
const refuse = (text, at, wanted) => { throw new JsonProblem(text, at, `${wanted} must stand here, but ${shown(text, at)}.`); };

const readString = (text, at) => {
  const raw = match(STRING, text, at);
  if (raw === null) throw new JsonProblem(text, at, 'This text has no end on its line, or a character in it that must be written with \\.');
  return { kind: 'string', start: at, end: at + raw.length, value: JSON.parse(raw) };
};

// `entry(at)` reads one entry and gives it with its end; between them stand commas.
const readEntries = (text, at, close, entry) => {
  const entries = [];
  let here = skip(text, at + 1);
  if (text[here] === close) return { entries, end: here + 1 };
  for (;;) {
    const found = entry(here);
    entries.push(found);
    here = skip(text, found.end);
    if (text[here] === close) return { entries, end: here + 1 };
    if (text[here] !== ',') refuse(text, here, `A comma or ${close}`);
    here = skip(text, here + 1);
  }
};

const readObject = (text, at, depth) => {
  const names = new Set();
  const { entries, end } = readEntries(text, at, '}', (start) => {
    if (text[start] !== '"') refuse(text, start, 'A name in quotation marks');
    const name = readString(text, start);
    if (names.has(name.value)) throw new JsonProblem(text, start, `“${name.value}” is in the same object twice; only one of them could be kept.`);
    names.add(name.value);
    const colon = skip(text, name.end);
    if (text[colon] !== ':') refuse(text, colon, 'A colon');
    const node = readValue(text, skip(text, colon + 1), depth + 1);
    return { start, end: node.end, key: name.value, keyEnd: name.end, node };
  });
  return { kind: 'object', start: at, end, entries };
};

const readArray = (text, at, depth) => {
  const { entries, end } = readEntries(text, at, ']', (start) => {
    const node = readValue(text, start, depth + 1);
    return { start, end: node.end, node };
  });
  return { kind: 'array', start: at, end, entries };
};

const readValue = (text, at, depth) => {
  if (depth > DEEPEST) throw new JsonProblem(text, at, 'The JSON is nested too deeply.');
  if (text[at] === '{') return readObject(text, at, depth);
  if (text[at] === '[') return readArray(text, at, depth);
  if (text[at] === '"') return readString(text, at);
  const number = match(NUMBER, text, at);
  if (number) return { kind: 'number', start: at, end: at + number.length, value: Number(number) };
  for (const [word, kind, value] of WORDS) {
    if (text.startsWith(word, at)) return { kind, start: at, end: at + word.length, value };
  }
  return refuse(text, at, 'A value');
};

// The tree of the text: objects and arrays hold `entries`, each with its `node` and, in objects, its `key`.
export const parse = (text) => {
  const root = readValue(text, skip(text, 0), 0);
  const rest = skip(text, root.end);
  if (rest < text.length) throw new JsonProblem(text, rest, 'The JSON has ended, but more text follows.');
  return root;
};

export const problemIn = (text) => {
  try {
    parse(text);
    return null;
  } catch (problem) {
    if (problem instanceof JsonProblem) return problem;
    throw problem;
  }
};

export const entryOf = (node, step) => (typeof step === 'number'
  ? node?.kind === 'array' && node.entries[step]
  : node?.kind === 'object' && node.entries.find((entry) => entry.key === step)) || null;
export const member = (node, key) => entryOf(node, key)?.node ?? null;
export const nodeAt = (root, path) => path.reduce((node, step) => entryOf(node, step)?.node ?? null, root);
export const valueOf = (node) => {
  if (node.kind === 'object') return Object.fromEntries(node.entries.map((entry) => [entry.key, valueOf(entry.node)]));
  return node.kind === 'array' ? node.entries.map((entry) => valueOf(entry.node)) : node.value;
};

const splice = (text, start, end, middle) => text.slice(0, start) + middle + text.slice(end);
const margin = (text, at) => match(/[ \t]*/y, text, text.lastIndexOf('\n', at - 1) + 1);
const step = (text) => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
const written = (text, value, indent) => {
  if (!text.includes('\n')) return JSON.stringify(value);
  return JSON.stringify(value, null, step(text)).replaceAll('\n', `\n${indent}`);
};
// Line ends inside JSON stand between its parts alone, so indenting anew never touches a text in it.
const shifted = (raw, from, to) => raw.replace(/\n([ \t]*)/g, (whole, found) => `\n${found.startsWith(from) ? to + found.slice(from.length) : found}`);

const insertRaw = (text, node, index, raw) => {
  const { entries } = node;
  if (!entries.length) {
    const [open, close] = [text[node.start], text[node.end - 1]];
    const indent = margin(text, node.start);
    const inside = text.includes('\n') ? `\n${indent}${step(text)}${raw}\n${indent}` : raw;
    return splice(text, node.start, node.end, open + inside + close);
  }
  const lead = text.slice(node.start + 1, entries[0].start);
  const gap = lead.includes('\n') || entries.length < 2 ? lead || ' ' : text.slice(entries[0].end, entries[1].start).replace(/^\s*,/, '');
  if (index >= entries.length) return splice(text, entries.at(-1).end, entries.at(-1).end, `,${gap}${raw}`);
  return splice(text, entries[index].start, entries[index].start, `${raw},${gap}`);
};
const insideMargin = (text, node) => (node.entries.length ? margin(text, node.entries[0].start) : margin(text, node.start) + step(text));

// Each change takes the text and a path (names and positions) and gives the new text.
export const replace = (text, path, value) => {
  const node = nodeAt(parse(text), path);
  return splice(text, node.start, node.end, written(text, value, margin(text, node.start)));
};
export const insert = (text, path, index, key, value) => {
  const node = nodeAt(parse(text), path);
  const name = node.kind === 'object' ? `${JSON.stringify(key)}: ` : '';
  return insertRaw(text, node, index, name + written(text, value, insideMargin(text, node)));
};
export const rename = (text, path, name) => {
  const entry = entryOf(nodeAt(parse(text), path.slice(0, -1)), path.at(-1));
  return splice(text, entry.start, entry.keyEnd, JSON.stringify(name));
};
const positionOf = (node, key) => (typeof key === 'number' ? key : node.entries.findIndex((entry) => entry.key === key));
export const remove = (text, path) => {
  const node = nodeAt(parse(text), path.slice(0, -1));
  const { entries } = node;
  const at = positionOf(node, path.at(-1));
  if (entries.length === 1) return splice(text, node.start + 1, node.end - 1, '');
  if (at < entries.length - 1) return splice(text, entries[at].start, entries[at + 1].start, '');
  return splice(text, entries[at - 1].end, entries[at].end, '');
};
// What stands between the entries stays where it is; the entries change places.
export const reorder = (text, path, from, to) => {
  const { entries } = nodeAt(parse(text), path);
  const order = entries.map((entry) => text.slice(entry.start, entry.end));
  order.splice(to, 0, ...order.splice(from, 1));
  return entries.reduceRight((made, entry, at) => splice(made, entry.start, entry.end, order[at]), text);
};
// Takes an entry out of one object or array and puts it into another, as it is written.
export const transfer = (text, path, target, index) => {
  const source = nodeAt(parse(text), path.slice(0, -1));
  const entry = source.entries[positionOf(source, path.at(-1))];
  const raw = text.slice(entry.start, entry.end);
  const indent = margin(text, entry.start);
  const without = remove(text, path);
  const node = nodeAt(parse(without), target);
  return insertRaw(without, node, index, shifted(raw, indent, insideMargin(without, node)));
};
export const setMember = (text, path, key, value, index = Infinity) => (
  member(nodeAt(parse(text), path), key) ? replace(text, [...path, key], value) : insert(text, path, index, key, value));
export const dropMember = (text, path, key) => (member(nodeAt(parse(text), path), key) ? remove(text, [...path, key]) : text);
