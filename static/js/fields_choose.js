// The values of the Extraction tab as a list to walk: fields and table rows are items, a row has cells.
export const one = (selector, root = document) => root.querySelector(selector);
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
export const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));

export const body = () => document.getElementById('extraction');
export const items = () => all('#extraction .item');
export const shownItems = () => items().filter((item) => item.offsetParent);
export const chosen = () => one('#extraction .item[aria-selected="true"]');
export const cellsOf = (item) => (item.matches('tr') ? all('.cell', item) : all('.field-value', item));
export const current = (item) => one('[data-where][tabindex="0"]', item) || cellsOf(item)[0];
export const byWhere = (where) => all('#extraction [data-where]').find((value) => value.dataset.where === where);
export const byItem = (name) => items().find((item) => item.dataset.item === name);
export const editing = () => one('.field-edit');
export const isVerified = (item) => one('.check', item)?.getAttribute('aria-pressed') === 'true';

// A first value is chosen by itself when the tab opens; a click on it chooses it by hand, the next one edits.
let byHand = null;
export const wasByHand = (item) => item.dataset.item === byHand;

export const showOnPage = (value, scroll = true) => {
  const { where, label, address, boxes } = value.dataset;
  tell('docrouter:choose', { where, label, address, boxes: boxes ? JSON.parse(boxes) : [], scroll });
};

export const choose = (item, { cell = null, focus = true, scroll = true } = {}) => {
  if (!item) return;
  const value = cell || current(item);
  if (!value) return;
  if (focus) byHand = item.dataset.item;
  for (const other of items()) {
    other.setAttribute('aria-selected', String(other === item));
    cellsOf(other).forEach((each) => { each.tabIndex = each === value ? 0 : -1; });
  }
  if (focus && !editing()) value.focus({ preventScroll: true });
  item.scrollIntoView({ block: 'nearest' });
  showOnPage(value, scroll);
  const button = one('[data-verify-chosen] span');
  if (button) button.textContent = `${isVerified(item) ? 'Verified:' : 'Verify'} ${item.dataset.label}`;
};

export const step = (by) => {
  const list = shownItems();
  const at = list.indexOf(chosen());
  choose(list[Math.max(0, Math.min(at + by, list.length - 1))]);
};
export const stepCell = (by) => {
  const item = chosen();
  if (!item?.matches('tr')) return false;
  const cells = cellsOf(item);
  choose(item, { cell: cells[Math.max(0, Math.min(cells.indexOf(current(item)) + by, cells.length - 1))] });
  return true;
};
const hasDoubt = () => items().some((item) => item.matches('.uncertain, [data-fails]') && !isVerified(item));
export const toUncertain = () => {
  const list = shownItems();
  const doubt = list.filter((item) => item.matches('.uncertain, [data-fails]') && !isVerified(item));
  choose(doubt.find((item) => list.indexOf(item) > list.indexOf(chosen())) || doubt[0]);
};
// What a failed check says that no single value owns. It was looked at once it had the focus, also where the panel comes anew.
const looked = new Set();
const nameLoose = (line) => `${body().dataset.address} ${line.textContent}`;
const toLoose = (again) => {
  const lines = all('#extraction .check-line[data-doubt]');
  const line = lines.find((each) => !looked.has(nameLoose(each))) ?? (again ? lines[0] : null);
  if (!line) return false;
  looked.add(nameLoose(line));
  line.scrollIntoView({ block: 'nearest' });
  line.focus({ preventScroll: true });
  return true;
};
// To what a person should look at before the document is verified; false when all of it was looked at.
export const toDoubt = (again = false) => {
  if (!hasDoubt()) return toLoose(again);
  toUncertain();
  return true;
};
