// Text as it is written. A delta says at which character (code point) it starts; what was missed comes with the next
// refresh, and what came too early is kept until then.
const heard = { key: '', roles: {} };
const holderOf = (key) => document.getElementById(`live-${key}`);

// Returns false when the page has to be fetched: the round is not on it yet, or some text before this was missed.
export const hear = ({ turn_id: turn, round, role, offset, text }) => {
  const key = `${turn}-${round}`;
  if (heard.key !== key) Object.assign(heard, { key, roles: {} });
  const points = [...text];
  const known = heard.roles[role];
  if (known && offset >= known.from && offset <= known.from + known.points.length) {
    known.points.splice(offset - known.from, points.length, ...points);
  } else {
    heard.roles[role] = { from: offset, points };
  }
  return write(role);
};

// After a refresh: what was heard goes on where the saved text ends.
export const catchUp = () => Object.keys(heard.roles).forEach(write);

const write = (role) => {
  const holder = holderOf(heard.key);
  const target = holder?.querySelector(`[data-role="${role}"]`);
  if (!target) return false;
  const { from, points } = heard.roles[role];
  const length = Number(target.dataset.length);
  if (from > length) return false;
  const rest = points.slice(length - from);
  append(target, rest.join(''));
  target.dataset.length = length + rest.length;
  target.closest('[data-when-text]')?.removeAttribute('hidden');
  if (role === 'text' && rest.length) {
    holder.dataset.writes = '';
    speak(holder, target.textContent);
  }
  return true;
};

// The names of lines, such as [D2:1.6], are for the check of the answer: a draft is shown and read without them. Its
// end is held back while it may become one.
const NAME = String.raw`D[1-9]\d{0,4}:\d+\.\d+(?:\.\d+)?`;
const NAMES = new RegExp(String.raw`\s?\[\s*${NAME}(?:\s*[,;]\s*${NAME})*\s*\]`, 'g');
const BEGUN = /(?:\s?\[\s*(?:D[\sD\d:.,;]{0,300})?|\s)?$/;
const append = (target, more) => {
  const text = (target.dataset.held || '') + more;
  const [held] = BEGUN.exec(text);
  target.append(text.slice(0, text.length - held.length).replace(NAMES, ''));
  target.dataset.held = held;
};

// --- For screen readers, by whole sentences. ---

let spoken = { id: '', length: 0 };
const say = (words) => {
  const region = document.getElementById('agent-says');
  if (region && words.trim()) region.textContent = words;
};
const speak = (holder, text) => {
  if (spoken.id !== holder.id) spoken = { id: holder.id, length: 0 };
  const ends = [...text.matchAll(/[.!?:]\s|\n/g)];
  const end = ends.length ? ends.at(-1).index + 1 : 0;
  if (end <= spoken.length) return;
  say(text.slice(spoken.length, end));
  spoken.length = end;
};
const MAX_SPOKEN = 5;
const nameSource = (link) => {
  const [number, name, page] = ['.cite', '.cut', '.quiet'].map((part) => link.querySelector(part)?.textContent.trim());
  return `Source ${number}: ${name}, ${page}.`;
};
// The round is over: the page says what stands after the last full stop, what the check of the answer found, and its
// first sources, by the numbers that are shown.
export const speakRest = (holder, message) => {
  const text = holder.querySelector('[data-role="text"]')?.textContent || '';
  const notes = [...(message?.querySelectorAll('[role="note"]') || [])].map((note) => note.innerText);
  const links = [...(message?.querySelectorAll('.sources a.source') || [])];
  const more = links.length > MAX_SPOKEN ? [`${links.length - MAX_SPOKEN} more sources.`] : [];
  const sources = [...links.slice(0, MAX_SPOKEN).map(nameSource), ...more];
  say([text.slice(spoken.id === holder.id ? spoken.length : 0), ...notes, ...sources].join(' '));
};
