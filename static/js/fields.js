// The Extraction tab: choosing, editing in place, verifying by key. What changes is written by the server;
// this file only asks for it, and keeps what a person is typing.
import * as keys from './keys.js';

const one = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const body = () => document.getElementById('extraction');
const items = () => all('#extraction .item');
const chosen = () => one('#extraction .item[aria-selected="true"]');
const cellsOf = (item) => (item.matches('tr') ? all('.cell', item) : [one('.field-value', item)].filter(Boolean));
const current = (item) => one('[data-where][tabindex="0"]', item) || cellsOf(item)[0];
const byWhere = (where) => all('#extraction [data-where]').find((element) => element.dataset.where === where);
const editing = () => one('.field-edit');
const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

// --- choosing ---

const show = (value, scroll) => {
  const holder = value?.closest('[data-boxes]') || one('[data-boxes]', value?.closest('.item') || document.createElement('i'));
  tell('docrouter:choose', holder
    ? { where: holder.dataset.where, label: holder.dataset.label, boxes: JSON.parse(holder.dataset.boxes), scroll }
    : { where: value?.dataset.where, boxes: [] });
};

const choose = (item, { cell = null, focus = true, scroll = true } = {}) => {
  if (!item) return;
  for (const other of items()) {
    other.setAttribute('aria-selected', String(other === item));
    cellsOf(other).forEach((each) => { each.tabIndex = -1; });
  }
  const value = cell || current(item);
  if (!value) return;
  cellsOf(item).forEach((each) => { each.tabIndex = each === value ? 0 : -1; });
  if (focus && !editing()) value.focus({ preventScroll: true });
  item.scrollIntoView({ block: 'nearest' });
  show(value, scroll);
  namePhoneButton(item);
};

const namePhoneButton = (item) => {
  const button = one('[data-verify-chosen] span');
  if (button) button.textContent = `${isVerified(item) ? 'Verified' : 'Verify'} ${item.dataset.label || ''}`;
};

const step = (by) => {
  const list = items();
  const at = list.indexOf(chosen());
  choose(list[Math.max(0, Math.min(at + by, list.length - 1))]);
};
const stepCell = (by) => {
  const item = chosen();
  if (!item?.matches('tr')) return false;
  const cells = cellsOf(item);
  choose(item, { cell: cells[Math.max(0, Math.min(cells.indexOf(current(item)) + by, cells.length - 1))] });
  return true;
};

// --- asking the server ---

const post = (address, values, target) => htmx.ajax('POST', address, { target, swap: 'outerHTML', values });
const undos = [];
const undo = () => {
  const last = undos.pop();
  if (!last) return false;
  last();
  return true;
};

const isVerified = (item) => one('.check', item)?.getAttribute('aria-pressed') === 'true';
const verify = (item, on = !isVerified(item)) => {
  const where = item?.dataset.item;
  if (!where || !body().dataset.verify) return;
  one('.check', item)?.setAttribute('aria-pressed', String(on));
  undos.push(() => { const again = items().find((each) => each.dataset.item === where); if (again) { post(body().dataset.verify, { where, on: !on }, again); choose(again); } });
  post(body().dataset.verify, { where, on }, item);
};

// --- editing in place ---

const field = (value) => {
  const options = value.dataset.options ? JSON.parse(value.dataset.options) : null;
  const text = value.dataset.value ?? '';
  if (options) {
    const select = document.createElement('select');
    for (const option of ['', ...options]) select.append(new Option(option === '' ? 'empty' : option, option, false, String(option) === text));
    return select;
  }
  const isLong = text.length > 60 || text.includes('\n');
  const input = document.createElement(isLong ? 'textarea' : 'input');
  if (isLong) input.rows = Math.min(8, Math.ceil(text.length / 48) + 1);
  if (['number', 'integer'].includes(value.dataset.type)) input.inputMode = 'decimal';
  input.value = text;
  return input;
};

const edit = (value) => {
  if (!value || !body()?.dataset.edit || editing()) return;
  const item = value.closest('.item');
  const input = field(value);
  input.className = 'field-edit';
  input.setAttribute('aria-label', value.dataset.label || item.dataset.label);
  input.autocomplete = 'off';
  const hint = one('.field-why', item);
  item.classList.add('in-edit');
  value.hidden = true;
  value.after(input);
  input.focus();
  input.select?.();
  let ended = false;
  const close = (focus) => {
    if (ended) return;
    ended = true;
    input.remove();
    value.hidden = false;
    item.classList.remove('in-edit');
    one('.problem', item)?.remove();
    if (focus) value.focus({ preventScroll: true });
    if (hint) hint.hidden = false;
    catchUp();
  };
  const save = (focus) => {
    if (input.value === (value.dataset.value ?? '')) { close(focus); return; }
    const { where, version } = value.dataset;
    const before = value.dataset.value ?? '';
    ended = true;
    input.readOnly = true;
    const typed = input.value;
    post(body().dataset.edit, { where, version: version ?? '', value: typed }, item).then(() => {
      const now = byWhere(where);
      if (one('.field-edit', now?.closest('.item') || item)) { reopened(now); return; }
      undos.push(() => { const again = byWhere(where); if (again) { post(body().dataset.edit, { where, version: again.dataset.version ?? '', value: before }, again.closest('.item')); } });
      if (focus && now) choose(now.closest('.item'), { cell: now, scroll: false });
      catchUp();
    });
  };
  input.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') { event.preventDefault(); close(true); }
    if (event.key === 'Enter' && !event.shiftKey) { event.preventDefault(); save(true); }
    if (event.key === 'Tab') {
      event.preventDefault();
      save(true);
      if (item.matches('tr')) stepCell(event.shiftKey ? -1 : 1);
    }
  });
  input.addEventListener('blur', () => { if (!ended) save(false); });
};

// The server refused: the row came back with what was typed and the sentence beside it.
const reopened = (value) => {
  const item = value.closest('.item');
  const refused = one('.field-edit', item);
  const typed = refused.value;
  const sentence = one('.problem', item);
  refused.remove();
  value.hidden = false;
  edit(value);
  const input = editing();
  input.value = typed;
  input.setAttribute('aria-invalid', 'true');
  if (sentence) input.setAttribute('aria-describedby', sentence.id);
};

document.addEventListener('docrouter:word', ({ detail }) => {
  const input = editing();
  if (!input) return;
  input.value = detail.add && input.value ? `${input.value} ${detail.text}` : detail.text;
  input.focus();
});
document.addEventListener('docrouter:marked', ({ detail }) => {
  const value = byWhere(detail.where);
  if (value) choose(value.closest('.item'), { cell: cellsOf(value.closest('.item')).find((cell) => cell.dataset.where === detail.where) || null, scroll: false });
});

// --- clicks and keys ---

document.addEventListener('click', (event) => {
  const within = event.target.closest('#extraction');
  if (event.target.closest('[data-verify-chosen]')) { verifyAndGoOn(); return; }
  const by = event.target.closest('[data-step]');
  if (by) step(Number(by.dataset.step));
  if (event.target.closest('[data-next-uncertain]')) nextUncertain();
  if (!within) return;
  const seg = event.target.closest('.seg button');
  if (seg) { filter(seg); return; }
  const item = event.target.closest('.item');
  if (!item || event.target.closest('.field-edit, a, form, details')) return;
  if (event.target.closest('.check')) { choose(item); verify(item); return; }
  const value = event.target.closest('.field-value, .cell');
  if (event.target.closest('[data-clear]')) { clear(item); return; }
  if (event.target.closest('button:not(.field-value, .cell, .found)')) return;
  const again = item === chosen() && value && value.tabIndex === 0;
  choose(item, { cell: item.matches('tr') ? value : null });
  if (again) edit(value);
});
const clear = (item) => {
  const value = current(item);
  const before = value.dataset.value ?? '';
  const { where } = value.dataset;
  undos.push(() => { const back = byWhere(where); if (back) post(body().dataset.edit, { where, version: back.dataset.version ?? '', value: before }, back.closest('.item')); });
  post(body().dataset.edit, { where, version: value.dataset.version ?? '', value: '' }, item);
};
const filter = (button) => {
  all('button', button.parentElement).forEach((each) => each.setAttribute('aria-pressed', String(each === button)));
  body().classList.toggle('only-uncertain', button.dataset.show === 'uncertain');
};

const verifyAndGoOn = () => {
  const item = chosen();
  if (!item) return false;
  const list = items();
  const next = list[list.indexOf(item) + 1];
  if (!isVerified(item)) verify(item, true);
  if (next) choose(next);
  return true;
};
const nextUncertain = () => {
  const list = items();
  const doubt = list.filter((item) => item.matches('.uncertain') && !isVerified(item));
  choose(doubt.find((item) => list.indexOf(item) > list.indexOf(chosen())) || doubt[0]);
};
const here = (action) => (event) => {
  const focused = document.activeElement;
  const elsewhere = focused && focused !== document.body && !focused.closest('#extraction, .panel-foot');
  if (!items().length || editing() || (elsewhere && event.key.length > 1) || (elsewhere && event.key === ' ')) return false;
  if (event.key === ' ' && focused?.closest('button:not(.field-value, .cell), a, summary')) return false;
  if (event.key === 'Enter' && focused?.closest('button:not(.field-value, .cell), a, summary')) return false;
  return action(event);
};
keys.on({
  ArrowDown: here(() => step(1)),
  ArrowUp: here(() => step(-1)),
  ArrowRight: here(() => stepCell(1)),
  ArrowLeft: here(() => stepCell(-1)),
  Enter: here(() => { const item = chosen(); if (!item) return false; edit(current(item)); return true; }),
  ' ': here(verifyAndGoOn),
  n: here(nextUncertain),
  z: here(undo),
  o: here(() => { const item = chosen(); if (!item) return false; show(current(item), true); return true; }),
  V: here(() => { const button = one('[data-verify-all]'); if (!button) return false; button.click(); return true; }),
});

// --- staying up to date without losing what is typed ---

let stale = false;
const refresh = (id) => { const element = document.getElementById(id); if (element) htmx.trigger(element, 'refresh'); };
const catchUp = () => { if (stale && !editing()) { stale = false; refresh('extraction'); } };
let due = null;
const changed = () => {
  clearTimeout(due);
  due = setTimeout(() => {
    refresh('topbar');
    if (editing()) stale = true;
    else refresh('extraction');
  }, 200);
};
const mine = () => document.getElementById('split').dataset.document;
document.addEventListener('docrouter:event', ({ detail }) => {
  if (detail.document_id === mine() && ['document.changed', 'extraction.changed'].includes(detail.kind)) changed();
});
document.addEventListener('docrouter:poll', changed);

let kept = null;
document.addEventListener('htmx:beforeSwap', (event) => {
  if (!['panel', 'extraction'].includes(event.detail.target.id) || !body()) return;
  const item = chosen();
  kept = item && {
    item: item.dataset.item, where: current(item)?.dataset.where, top: one('.scroll', body())?.scrollTop || 0,
    hadFocus: body().contains(document.activeElement), only: body().classList.contains('only-uncertain'),
  };
});
document.addEventListener('htmx:afterSwap', (event) => {
  const target = event.detail.target;
  if (['panel', 'extraction'].includes(target.id)) begin();
  else if (target.closest?.('#extraction')) tell('docrouter:fields');
  syncViewer();
});
// A row that was swapped keeps its place as the chosen one.
document.addEventListener('htmx:oobAfterSwap', () => tell('docrouter:fields'));
document.addEventListener('htmx:afterSettle', (event) => {
  const item = event.detail.elt;
  if (item?.matches?.('#extraction .item') && item.dataset.item === lastItem) choose(item, { focus: document.activeElement === document.body, scroll: false });
});
let lastItem = null;
document.addEventListener('docrouter:choose', () => { lastItem = chosen()?.dataset.item || null; });

// New pages became readable, or the values rest on another reading: the viewer follows.
const syncViewer = () => {
  const wanted = one('.panel-in')?.dataset.pages;
  const shown = one('#desk')?.dataset.pages || '';
  if (wanted !== undefined && wanted !== shown) refresh('viewer');
};

const begin = () => {
  if (!body()) { tell('docrouter:choose', { boxes: [] }); return; }
  const back = kept && items().find((item) => item.dataset.item === kept.item);
  const only = kept?.only && one('[data-show="uncertain"]', body());
  if (only) filter(only);
  if (back) {
    one('.scroll', body()).scrollTop = kept.top;
    const cell = cellsOf(back).find((each) => each.dataset.where === kept.where);
    choose(back, { cell, focus: kept.hadFocus, scroll: false });
  } else if (items().length) {
    const first = items().find((item) => item.matches('.uncertain') && !isVerified(item)) || items()[0];
    choose(matchMedia('(max-width: 720px)').matches ? first : items()[0], { focus: false, scroll: false });
  }
  kept = null;
  tell('docrouter:fields');
};
begin();
