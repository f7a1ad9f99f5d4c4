// Changing and verifying values. The server writes what changed; what is typed stays here until it is stored.
import {
  all, body, byItem, byWhere, cellsOf, choose, chosen, current, editing, isVerified, one, shownItems, stepCell, tell,
} from './fields_choose.js';
import { afterWrites, isWriting, write } from './refresh.js';
import { forget, remember, waitWith } from './undo.js';

const panel = () => document.getElementById('panel');

// What is being written comes first: its answer brings what there is to take back.
waitWith((takeBack) => {
  if (!isWriting()) return takeBack();
  afterWrites().then(takeBack);
  return true;
});
const undoable = (holder) => {
  const address = holder?.dataset.undo;
  if (!address) return;
  delete holder.dataset.undo;
  remember(() => { write(address, {}, panel, 'innerHTML'); }, `changed ${holder.dataset.label ?? 'rows'}`);
};
export const notePanelUndo = () => undoable(body());
export const noteVerifiedAll = (address) => {
  remember(() => { write(address, { on: 'false' }, panel, 'innerHTML'); }, 'verified document');
};

// The row comes back from the server as a new element; what was chosen and focused stays so. Nothing comes back when
// nothing was written: the frame has said why.
const ask = async (address, values, item) => {
  const name = item.dataset.item;
  let before = item;
  await write(address, values, () => { before = byItem(name) || item; return before; });
  const now = byItem(name);
  tell('docrouter:fields');
  undoable(now);
  return now === before ? null : now;
};
const keep = (item, where) => {
  if (!item) return;
  choose(item, { cell: byWhere(where), focus: !editing(), scroll: false });
};

// One that takes another back is itself not taken back.
export const verify = async (item, on = !isVerified(item), isUndo = false) => {
  const address = body().dataset.verify;
  if (!item || !address) return;
  const name = item.dataset.item;
  one('.check', item).setAttribute('aria-pressed', String(on));
  // What it was changed to has to be stored first: what is verified is what is shown.
  if (one('.unsaved', item)) {
    await afterWrites();
    const stored = byItem(name);
    if (stored !== item && stored && !one('.problem', stored)) await verify(stored, on, isUndo);
    else one('.check', item).setAttribute('aria-pressed', String(!on));
    return;
  }
  const takeBack = () => {
    const again = byItem(name);
    if (!again) return false;
    choose(again);
    verify(again, !on, true);
    return true;
  };
  const undo = isUndo ? null : remember(takeBack, `${on ? 'verified' : 'took back'} ${item.dataset.label}`);
  const wasChosen = item.getAttribute('aria-selected') === 'true';
  const where = current(item)?.dataset.where;
  const version = Math.max(0, ...cellsOf(item).map((value) => Number(value.dataset.version)));
  if (!await ask(address, { where: name, on, version }, item)) {
    const again = byItem(name);
    if (again) one('.check', again).setAttribute('aria-pressed', String(!on));
    forget(undo);
    return;
  }
  if (wasChosen && !one('#extraction .item[aria-selected="true"]')) keep(byItem(name), where);
};
// All at once, until the server has said so; gives what takes it back.
export const showAllVerified = () => {
  const checks = all('#extraction .check[aria-pressed="false"]');
  const press = (on) => checks.forEach((check) => check.setAttribute('aria-pressed', String(on)));
  press(true);
  return () => press(false);
};
export const verifyAndGoOn = (item) => {
  const list = shownItems();
  const next = list[list.indexOf(item) + 1];
  if (!isVerified(item)) verify(item, true);
  if (next) choose(next);
};

// `hint` is the line of the page that was clicked: where it says what is stored, the value stands there.
export const store = async (value, typed, hint = '') => {
  const item = value.closest('.item');
  const { where, version } = value.dataset;
  const now = await ask(body().dataset.edit, { where, version, value: typed, hint }, item);
  return now && { item: now, value: byWhere(where), refused: one('.field-edit[readonly]', now) };
};

// Shows what was typed until the server has written it; gives what puts back what stood there.
const showUnsaved = (value, typed) => {
  const { textContent, className } = value;
  value.textContent = typed || (value.matches('.cell') ? '–' : 'empty');
  value.className = `${className.replace(' none', '')} unsaved${typed ? '' : ' none'}`;
  return () => Object.assign(value, { textContent, className });
};

// Another value may be in hand by the time the server refuses one: that comes to its end first.
const editAgain = (where, attempt) => {
  if (editing()) { document.addEventListener('docrouter:edited', () => editAgain(where, attempt), { once: true }); return; }
  const value = byWhere(where);
  if (!value) return;
  edit(value, { ...attempt, sentence: one('.problem', value.closest('.item')) });
  choose(value.closest('.item'), { cell: value, focus: false, scroll: false });
};

const control = (value) => {
  const text = value.dataset.value;
  if (value.dataset.options) {
    const select = document.createElement('select');
    const options = ['', ...JSON.parse(value.dataset.options)];
    select.append(...options.map((option) => new Option(option || 'empty', option, false, option === text)));
    return select;
  }
  const isLong = text.length > 60 || text.includes('\n');
  const input = document.createElement(isLong ? 'textarea' : 'input');
  if (isLong) input.rows = Math.min(8, Math.ceil(text.length / 48) + 1);
  if (['number', 'integer'].includes(value.dataset.type)) input.inputMode = 'decimal';
  input.value = text;
  return input;
};

// `typed` and `sentence` come from a refused attempt.
export const edit = (value, { typed = null, sentence = null } = {}) => {
  if (!value || !body()?.dataset.edit || editing()) return;
  if (value.matches('.unsaved')) { const { where } = value.dataset; afterWrites().then(() => edit(byWhere(where))); return; }
  const item = value.closest('.item');
  const input = control(value);
  let ended = false;
  input.className = 'field-edit';
  input.setAttribute('aria-label', value.dataset.label);
  input.autocomplete = 'off';
  item.classList.add('in-edit');
  value.hidden = true;
  value.after(input);
  if (typed !== null) input.value = typed;
  if (sentence) { input.setAttribute('aria-invalid', 'true'); input.setAttribute('aria-describedby', sentence.id); }
  input.focus();
  if (typed === null) input.select?.();

  const close = (focus) => {
    ended = true;
    input.remove();
    value.hidden = false;
    item.classList.remove('in-edit');
    sentence?.remove();
    if (focus) value.focus({ preventScroll: true });
    tell('docrouter:edited');
  };
  const save = async (focus, then = () => {}) => {
    if (ended) return;
    if (input.value === value.dataset.value) { close(focus); then(); return; }
    const typed = input.value;
    const { where } = value.dataset;
    const showBefore = showUnsaved(value, typed);
    const storing = store(value, typed, input.dataset.hint);
    close(focus);
    const stored = await storing;
    stored?.refused?.remove();
    if (!stored) showBefore();
    if (!stored || stored.refused) { editAgain(where, { typed }); return; }
    // Whoever has gone on to another value stays there.
    if (focus && !chosen()) { keep(stored.item, where); then(); }
    tell('docrouter:edited');
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') { event.preventDefault(); close(true); }
    if (event.key === 'Enter' && !event.shiftKey) { event.preventDefault(); save(true); }
    if (event.key === 'Tab') { event.preventDefault(); save(true, () => editCell(event.shiftKey ? -1 : 1)); }
  });
  input.addEventListener('blur', () => save(false));
};

// Whoever fills a row goes through its cells without leaving the keyboard; at its end the last one stays chosen.
const editCell = (by) => {
  const before = chosen() && current(chosen());
  if (stepCell(by) && current(chosen()) !== before) edit(current(chosen()));
};
