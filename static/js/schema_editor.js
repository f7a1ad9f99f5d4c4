// The editor of a schema: one text, seen as fields or as JSON. The text area holds it in both views, so nothing that was
// typed is lost between them; the server says after each pause what would keep it from being saved and what it changes.
import * as keys from './keys.js';
import { nodeAt, parse, problemIn } from './json_text.js';
import { SchemaText } from './schema_text.js';

const PAUSE = 400;
const form = document.querySelector('[data-schema-editor]');
const area = form.elements.content;
const part = (selector) => form.querySelector(selector);
const first = { content: area.value, name: form.elements.name.value };
let view = 'json';
let leaving = false;

const isDirty = () => area.value !== first.content || form.elements.name.value !== first.name;

const sayProblem = (problem) => {
  const place = document.getElementById('json-problem');
  place.hidden = !problem;
  area.setAttribute('aria-invalid', Boolean(problem));
  if (problem) place.querySelector('p').textContent = `Line ${problem.line}, column ${problem.column}: ${problem.message}`;
};
const goTo = (from, to = from) => {
  area.focus();
  area.setSelectionRange(from, to);
  // No browser scrolls a text area to its selection by itself.
  const line = parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = Math.max(0, (area.value.slice(0, from).split('\n').length - 4) * line);
};

const schema = new SchemaText(form, {
  changed: () => changed(),
  showJson: (path) => {
    const node = nodeAt(parse(area.value), path);
    show('json');
    goTo(node.start, node.end);
  },
});
const { list } = schema;
const undo = () => view === 'fields' && schema.undo();

const show = (wanted, { focus = true } = {}) => {
  const problem = problemIn(area.value);
  view = wanted === 'fields' && problem ? 'json' : wanted;
  for (const pane of form.querySelectorAll('[data-pane]')) pane.hidden = pane.dataset.pane !== view;
  for (const button of form.querySelectorAll('[data-view]')) button.setAttribute('aria-pressed', button.dataset.view === view);
  sayProblem(problem);
  form.elements.view.value = view;
  part('[data-undo]').hidden = view !== 'fields';
  if (view === 'fields') schema.render(true);
  else if (problem && focus) goTo(problem.at);
  place();
};

let asked = null;
const asHtml = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html').body;
const check = async () => {
  asked?.abort();
  asked = new AbortController();
  const values = new FormData(form);
  try {
    const answer = await fetch(form.dataset.check, { method: 'POST', body: values, signal: asked.signal });
    if (answer.ok) showCheck(await asHtml(answer));
  } catch (failure) {
    // Without an answer the page says nothing about the text; saving asks again anyway.
    if (failure.name !== 'AbortError') document.getElementById('check').replaceChildren();
  }
};
const showCheck = (answer) => {
  const facts = answer.querySelector('[data-facts]');
  document.getElementById('check').replaceChildren(...answer.childNodes);
  part('[data-save]').textContent = facts.dataset.save;
  part('[data-summary]').textContent = facts.dataset.summary;
  place();
};
// In the list a problem stands beside its field; the box at the side keeps those that have none.
const place = () => {
  const items = [...form.querySelectorAll('[data-problem]')];
  const problems = items.map((item) => ({ where: item.dataset.problem, words: item.textContent }));
  const placed = view === 'fields' ? list.mark(problems) : new Set();
  const isNoJson = !document.getElementById('json-problem').hidden;
  for (const item of items) item.closest('li').hidden = isNoJson || placed.has(item.dataset.problem);
  const box = items[0]?.closest('.box');
  if (box) box.hidden = !box.querySelector('li:not([hidden])');
};
let due = null;
const changed = () => {
  part('[data-draft]').hidden = !isDirty();
  clearTimeout(due);
  due = setTimeout(check, PAUSE);
};

let typed = area.value;
area.addEventListener('focus', () => { typed = area.value; });
area.addEventListener('input', () => {
  sayProblem(null);
  changed();
});
area.addEventListener('change', () => sayProblem(problemIn(area.value)));
form.elements.name.addEventListener('input', changed);
form.addEventListener('click', (event) => {
  const wanted = event.target.closest('[data-view]')?.dataset.view;
  if (wanted) {
    if (view === 'json' && wanted === 'fields' && area.value !== typed) schema.remember(typed);
    show(wanted);
    changed();
  }
});
keys.on({ f: () => (view === 'fields' && !part('[data-add]').disabled ? list.addLast() : false) });
const TEXTS = 'input:not([type=checkbox]), textarea';
form.addEventListener('keydown', (event) => {
  const command = event.ctrlKey || event.metaKey;
  if (command && event.key === 'Enter') form.requestSubmit();
  else if (event.key === 'Enter' && event.target === form.elements.name) event.preventDefault();
});
document.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z' && !event.target.matches?.(TEXTS) && undo()) event.preventDefault();
});
form.addEventListener('submit', (event) => {
  const isBad = view === 'fields' && list.firstBad();
  const problem = problemIn(area.value);
  leaving = !isBad && !problem;
  if (leaving) return;
  event.preventDefault();
  if (problem) show('json');
  else list.focusBad();
});
window.addEventListener('beforeunload', (event) => { if (isDirty() && !leaving) event.preventDefault(); });
window.addEventListener('pageshow', (event) => { if (event.persisted) leaving = false; });

part('[data-views]').hidden = false;
// A text that was refused comes back in the view in which it was sent.
show(form.elements.view.value || 'fields', { focus: false });
if (form.elements.schema) check();
