// Naming schemas, prompts, tags and documents: @ opens a list under the text, what is picked stands as a chip in it. The text
// itself carries the name; which row is meant goes beside it, as {type, id}.
import { isOpen } from './socket.js';

const KINDS = { schema: ['Schemas', 'braces'], prompt: ['Prompts', 'message-square-text'], tag: ['Tags', 'tag'], document: ['Documents', 'file-text'] };
const BEGINS = /(?:^|[\s("“'])@((?!\s)[^@\n]{0,60})$/u;
const WAIT = 120;

const field = () => document.getElementById('say');
const list = () => document.getElementById('suggest');
const make = (tag, attributes = {}, ...inner) => {
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  element.append(...inner);
  return element;
};

// --- Chips: the places in the text that still read as what was picked ---

let picked = [];
const isNamed = (text, at, label) => text.startsWith(`@${label}`, at) && !/[\p{L}\p{N}_]/u.test(text[at + label.length + 1] || '');
const chips = () => {
  const text = field()?.value || '';
  const longest = [...picked].sort((one, other) => other.label.length - one.label.length);
  const left = [...picked];
  const found = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const label = longest.find((each) => isNamed(text, at, each.label))?.label;
    if (label === undefined) continue;
    // Two things of one name stand in the order in which they were picked.
    const next = left.findIndex((each) => each.label === label);
    const chip = next < 0 ? picked.find((each) => each.label === label) : left.splice(next, 1)[0];
    found.push({ ...chip, from: at, to: at + label.length + 1 });
    at += label.length;
  }
  return found;
};

// The text once more behind the field, so that chips have their ground; and the references that are sent.
const draw = () => {
  const box = field();
  if (!box) return;
  const mirror = box.previousElementSibling;
  const found = chips();
  let at = 0;
  mirror.replaceChildren();
  for (const { from, to } of found) {
    mirror.append(box.value.slice(at, from), make('span', { class: 'mention-under' }, box.value.slice(from, to)));
    at = to;
  }
  mirror.append(`${box.value.slice(at)}\n`);
  mirror.scrollTop = box.scrollTop;
  box.form.elements.mentions.value = JSON.stringify(found.map(({ type, id }) => ({ type, id })));
};

export const write = (text, named = []) => {
  picked = named.map((each) => ({ ...each }));
  field().value = text;
  close();
  draw();
};
export const written = () => ({ text: field().value, named: chips() });

// --- The list ---

let at = -1;
let dismissed = -1;
let shown = [];
let active = 0;
let asking = null;
const answers = new Map();

const ask = (words) => {
  if (!answers.has(words)) {
    const address = `${document.getElementById('agent').dataset.mentions}?q=${encodeURIComponent(words)}`;
    const answer = fetch(address, { headers: { 'HX-Request': 'true' } }).then((response) => {
      if (!response.ok) throw new Error(response.status);
      return response.json();
    });
    answer.catch(() => answers.delete(words));
    answers.set(words, answer);
  }
  return answers.get(words);
};
// The first letter brings all that fits, unless that is too much; then each further letter asks again.
const offers = async (words) => {
  const wanted = words.toLowerCase();
  let answer = await ask(wanted.slice(0, 1));
  if (!answer.whole && wanted.length > 1) answer = await ask(wanted);
  const fitting = answer.offers.filter((offer) => offer.name.toLowerCase().includes(wanted) || offer.label.toLowerCase().startsWith(wanted));
  const begins = (offer) => (offer.name.toLowerCase().startsWith(wanted) ? 0 : 1);
  return fitting.sort((one, other) => begins(one) - begins(other));
};

const wantedWords = () => {
  const { value, selectionStart: caret, selectionEnd } = field();
  const hit = caret === selectionEnd && BEGINS.exec(value.slice(0, caret));
  if (!hit) return null;
  const start = caret - hit[1].length - 1;
  return chips().some(({ from }) => from === start) ? null : { words: hit[1], start };
};

const close = () => {
  at = -1;
  shown = [];
  clearTimeout(asking);
  if (list()) list().hidden = true;
  field()?.removeAttribute('aria-activedescendant');
};

const update = () => {
  const wanted = field() && document.activeElement === field() ? wantedWords() : null;
  if (!wanted || wanted.start === dismissed) {
    if (!wanted) dismissed = -1;
    close();
    return;
  }
  // Without a socket nobody tells that something was made meanwhile.
  if (at !== wanted.start && !isOpen()) answers.clear();
  at = wanted.start;
  clearTimeout(asking);
  asking = setTimeout(async () => {
    const found = await offers(wanted.words).catch(() => []);
    const now = field() && wantedWords();
    if (at < 0 || now?.words !== wanted.words || now.start !== wanted.start) return;
    show(found, wanted.words);
  }, wanted.words.length > 1 ? WAIT : 0);
};

const show = (found, words) => {
  if (!found.length && /\s/.test(words)) { close(); return; }
  const groups = Object.entries(KINDS).map(([kind, [head]]) => [kind, head, found.filter((offer) => offer.type === kind)]);
  shown = groups.flatMap(([, , inside]) => inside);
  active = 0;
  list().replaceChildren(...groups.filter(([, , inside]) => inside.length).map(([kind, head, inside]) => make(
    'div', { role: 'group', 'aria-labelledby': `suggest-${kind}` },
    make('span', { class: 'suggest-head', id: `suggest-${kind}`, role: 'presentation' }, head),
    ...inside.map((offer) => option(offer, words)),
  )));
  if (!found.length) list().append(make('p', { class: 'suggest-head' }, words ? `Nothing is called “${words}”.` : 'No schema, prompt, tag or document yet.'));
  list().hidden = false;
  mark();
};

const icon = (name) => {
  const copied = document.querySelector('#composer svg.i').cloneNode(true);
  const use = copied.querySelector('use');
  use.setAttribute('href', `${use.getAttribute('href').split('#')[0]}#${name}`);
  copied.setAttribute('class', 'i');
  return copied;
};
const option = (offer, words) => {
  const begin = offer.name.toLowerCase().indexOf(words.toLowerCase());
  const end = begin + words.length;
  const name = begin < 0 || !words ? [offer.name]
    : [offer.name.slice(0, begin), make('mark', {}, offer.name.slice(begin, end)), offer.name.slice(end)];
  const place = shown.indexOf(offer);
  return make('div', { role: 'option', id: `suggest-${place}`, 'data-offer': place, 'aria-selected': 'false' },
    icon(KINDS[offer.type][1]), make('span', { class: 'cut' }, ...name), make('span', { class: offer.proposed ? 'chip chip-proposed' : 'faint cut' }, offer.detail));
};

const mark = () => {
  list().querySelectorAll('[role=option]').forEach((each) => {
    const isActive = Number(each.dataset.offer) === active;
    each.setAttribute('aria-selected', String(isActive));
    if (isActive) each.scrollIntoView({ block: 'nearest' });
  });
  if (shown.length) field().setAttribute('aria-activedescendant', `suggest-${active}`);
  else field().removeAttribute('aria-activedescendant');
};

const pick = (offer) => {
  const box = field();
  const caret = box.selectionStart;
  const { type, id, label } = offer;
  picked.push({ type, id, label });
  box.setRangeText(box.value[caret] === ' ' ? `@${label}` : `@${label} `, at, caret, 'end');
  close();
  draw();
  box.focus();
};

const step = (by) => { active = (active + by + shown.length) % shown.length; mark(); };
const removeChip = (event) => {
  const { selectionStart: caret, selectionEnd } = field();
  const chip = caret === selectionEnd && chips().find(({ to }) => to === caret);
  if (!chip) return;
  event.preventDefault();
  field().setRangeText('', chip.from, chip.to, 'end');
  field().dispatchEvent(new Event('input', { bubbles: true }));
};

// Before anything else hears the key: Enter picks here, and sends elsewhere.
document.addEventListener('keydown', (event) => {
  if (event.target !== field() || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Backspace') { removeChip(event); return; }
  if (list()?.hidden !== false) return;
  const actions = {
    ArrowDown: () => step(1), ArrowUp: () => step(-1), Enter: () => pick(shown[active]), Tab: () => pick(shown[active]),
    Escape: () => { dismissed = at; close(); },
  };
  if (!actions[event.key] || event.shiftKey || (!shown.length && event.key !== 'Escape')) return;
  event.preventDefault();
  event.stopPropagation();
  actions[event.key]();
}, { capture: true });
document.addEventListener('input', (event) => { if (event.target === field()) { draw(); update(); } });
document.addEventListener('selectionchange', () => { if (document.activeElement === field() && at >= 0) update(); });
document.addEventListener('scroll', (event) => {
  if (event.target === field()) event.target.previousElementSibling.scrollTop = event.target.scrollTop;
}, { capture: true, passive: true });
document.addEventListener('focusout', (event) => { if (event.target === field()) close(); });
document.addEventListener('pointerdown', (event) => { if (event.target.closest?.('#suggest')) event.preventDefault(); });
document.addEventListener('mousedown', (event) => { if (event.target.closest?.('#suggest')) event.preventDefault(); });
document.addEventListener('pointermove', (event) => {
  const over = event.target.closest?.('#suggest [data-offer]');
  if (over && Number(over.dataset.offer) !== active) { active = Number(over.dataset.offer); mark(); }
});
document.addEventListener('click', (event) => {
  const chosen = event.target.closest('#suggest [data-offer]');
  if (chosen) pick(shown[Number(chosen.dataset.offer)]);
});
const askAnew = () => {
  answers.clear();
  if (at >= 0) update();
};
document.addEventListener('docrouter:event', ({ detail }) => {
  if (['schema.changed', 'prompt.changed', 'tag.changed', 'documents.changed'].includes(detail.kind)) askAnew();
});
document.addEventListener('docrouter:back', askAnew);

export const begin = () => { picked = []; answers.clear(); close(); draw(); };
