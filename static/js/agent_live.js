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
  target.append(rest.join(''));
  target.dataset.length = length + rest.length;
  target.closest('[data-when-text]')?.removeAttribute('hidden');
  if (role === 'text' && rest.length) {
    holder.dataset.writes = '';
    speak(holder, target.textContent);
  }
  return true;
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
// The round is over: what stands after the last full stop.
export const speakRest = (holder) => {
  const text = holder.querySelector('[data-role="text"]')?.textContent || '';
  say(text.slice(spoken.id === holder.id ? spoken.length : 0));
};
