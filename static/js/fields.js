// The Extraction tab: clicks, keys, and staying up to date without losing what is being typed.
import * as keys from './keys.js';
import {
  all, body, byItem, byWhere, cellsOf, choose, chosen, current, editing, isVerified, items, one, showOnPage, step, stepCell,
  tell, toDoubt, toUncertain, wasByHand,
} from './fields_choose.js';
import { edit, notePanelUndo, noteVerifiedAll, showAllVerified, store, verify, verifyAndGoOn } from './fields_edit.js';
import { afterWrites, isWriting, refresh } from './refresh.js';

const narrow = (button) => {
  all('button', button.parentElement).forEach((each) => each.setAttribute('aria-pressed', String(each === button)));
  body().classList.toggle('only-uncertain', button.dataset.show === 'uncertain');
};

// The large button of a phone: value by value, then the document.
const isEachVerified = () => items().length > 0 && items().every(isVerified);
const verifyByThumb = () => {
  if (isEachVerified()) return toDoubt() || one('[data-verify-all]')?.click();
  const item = chosen() && !isVerified(chosen()) ? chosen() : items().find((each) => !isVerified(each));
  if (item !== chosen()) choose(item);
  else verifyAndGoOn(item);
  return paintThumb();
};
const paintThumb = () => {
  const button = one('[data-verify-chosen]');
  if (!button) return;
  const isWhole = isEachVerified();
  const words = isWhole ? (one('[data-verify-all]') ? 'Verify document' : 'Verified') : 'Verify';
  button.disabled = words === 'Verified';
  const label = one('span', button);
  if (label.textContent !== words) label.textContent = words;
};
paintThumb();
document.addEventListener('htmx:afterSettle', paintThumb);
document.addEventListener('docrouter:fields', paintThumb);

document.addEventListener('click', (event) => {
  const on = (selector) => event.target.closest(selector);
  if (!on('#extraction')) return;
  const item = on('.item');
  if (on('[data-verify-chosen]')) verifyByThumb();
  else if (on('[data-step]')) step(Number(on('[data-step]').dataset.step));
  else if (on('[data-next-uncertain]')) toUncertain();
  else if (on('[data-look-doubt]')) toDoubt(true);
  else if (on('[data-show]')) narrow(on('[data-show]'));
  else if (!item || on('.field-edit, a, form, details')) return;
  else if (on('.check')) { choose(item); verify(item); }
  else if (on('[data-near]')) showNear(on('[data-near]'));
  else if (on('[data-clear]')) store(current(item), '');
  else if (!on('button') || on('.field-value, .cell')) {
    const value = on('.field-value, .cell');
    const again = value && item === chosen() && wasByHand(item) && value.tabIndex === 0;
    choose(item, { cell: item.matches('tr') ? value : null });
    if (again) edit(value);
  }
});

document.addEventListener('docrouter:word', ({ detail }) => {
  const input = editing();
  if (!input) return;
  if (!detail.add) input.dataset.hint = detail.place;
  input.value = detail.add && input.value ? `${input.value} ${detail.text}` : detail.text;
  input.focus();
});
document.addEventListener('docrouter:marked', ({ detail }) => {
  const value = byWhere(detail.where);
  if (value) choose(value.closest('.item'), { cell: value, scroll: false });
});

// Words near a field without a value: a label of its own, or one like it.
const showNear = ({ dataset }) => tell('docrouter:choose', {
  where: dataset.nearWhere, label: dataset.nearLabel, boxes: JSON.parse(dataset.near), scroll: true,
});

// Keys work while nothing else has the focus: a button or a link keeps its own Space and Enter.
const here = (action) => (event) => {
  const focus = document.activeElement;
  const isFree = !focus || focus === document.body || focus.matches('.field-value, .cell, .check-line, #main, #desk');
  if (!items().length || editing() || (!isFree && event.key.length > 1) || (!isFree && event.key === ' ')) return false;
  if (focus?.id === 'desk' && event.key.startsWith('Arrow')) return false;
  return action(event) ?? true;
};
const withChosen = (action) => here(() => (chosen() ? action(chosen()) : false));
keys.on({
  ArrowDown: here(() => step(1)),
  ArrowUp: here(() => step(-1)),
  ArrowRight: here(() => stepCell(1)),
  ArrowLeft: here(() => stepCell(-1)),
  Enter: withChosen((item) => edit(current(item))),
  ' ': withChosen((item) => verifyAndGoOn(item)),
  n: here(toUncertain),
  o: withChosen((item) => showOnPage(current(item))),
  // What is uncertain or fails a check is looked at first, value by value; the button verifies it all the same.
  V: here(() => {
    const button = one('[data-verify-all]');
    if (button && !toDoubt()) button.click();
    return Boolean(button);
  }),
});

// --- staying up to date ---

let stale = false;
let due = null;
// The bar above has to follow. Where only the panel is asked whether something changed, its answer says so.
let isBarDue = false;
let isBarAsked = false;
let isPanelDue = false;
let isPanelAsked = false;
const refreshPanel = () => { if (body()) refresh('panel', { from: body().dataset.address }); };
const askPanel = () => { if (editing()) stale = true; else refreshPanel(); };
const lookSoon = () => {
  clearTimeout(due);
  due = setTimeout(() => {
    isBarAsked = isBarDue || !body();
    isPanelAsked = isPanelDue || !isBarAsked;
    isBarDue = isPanelDue = false;
    if (isBarAsked) refresh('topbar');
    if (isPanelAsked) askPanel();
  }, 200);
};
const changed = () => { isBarDue = isPanelDue = true; lookSoon(); };
document.addEventListener('docrouter:edited', () => {
  if (stale && !editing()) { stale = false; refreshPanel(); }
});
document.addEventListener('docrouter:event', ({ detail }) => {
  const mine = detail.document_id === document.getElementById('split').dataset.document;
  if (mine && ['document.changed', 'extraction.changed', 'auto_setup.changed'].includes(detail.kind)) changed();
});
// At its opening the socket is told of both; the bar alone is asked then, and says whether the panel is another.
document.addEventListener('docrouter:poll', () => { isPanelDue ||= !isBarDue; lookSoon(); });
document.addEventListener('docrouter:open', () => { isBarDue = true; lookSoon(); });
document.addEventListener('docrouter:back', changed);

// A row is removed, or all is verified, after what was typed is written: its answer may bring another row.
document.addEventListener('htmx:confirm', (event) => {
  const { elt, issueRequest, verb } = event.detail;
  if (verb === 'get' || !isWriting() || !elt.closest('#extraction')) return;
  event.preventDefault();
  const name = elt.closest('.item')?.dataset.item;
  afterWrites().then(() => (name ? one('[hx-post]', byItem(name) || elt)?.click() : issueRequest(true)));
});
let unverifyAll = null;
document.addEventListener('htmx:beforeRequest', ({ detail }) => {
  if (detail.elt.matches?.('[data-verify-all]')) unverifyAll = showAllVerified();
});
document.addEventListener('htmx:afterRequest', ({ detail }) => {
  const { elt, path } = detail.requestConfig;
  if (!elt.matches?.('[data-verify-all]')) return;
  if (detail.successful) noteVerifiedAll(path);
  else unverifyAll?.();
});

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (detail.target.id !== 'topbar' || !detail.requestConfig.headers['X-Refresh'] || isPanelAsked || !body()) return;
  if (!detail.serverResponse.includes(`data-panel-version="${one('.panel-in').dataset.version}"`)) askPanel();
});

let kept = null;
document.addEventListener('htmx:beforeSwap', (event) => {
  if (event.detail.target.id !== 'panel') return;
  const isRefresh = event.detail.requestConfig.headers['X-Refresh'];
  // The person went on to another tab while the values were on their way: they must not come back over it.
  if (isRefresh && !body()) event.detail.shouldSwap = false;
  if (!body()) return;
  if (isRefresh) {
    // An edit began while the answer was on its way: the answer waits for its end.
    if (editing()) { event.detail.shouldSwap = false; stale = true; }
    if (event.detail.serverResponse.includes(`data-version="${one('.panel-in').dataset.version}"`)) event.detail.shouldSwap = false;
    else if (!isBarAsked) refresh('topbar');
  }
  const item = chosen();
  kept = {
    item: item?.dataset.item, where: item && current(item)?.dataset.where, top: one('.scroll', body())?.scrollTop || 0,
    hadFocus: body().contains(document.activeElement), isNarrow: body().classList.contains('only-uncertain'),
    isAway: !isRefresh,
    addsRow: event.detail.requestConfig.elt.matches?.('[data-add-row]'),
  };
});
document.addEventListener('htmx:afterSwap', (event) => {
  if (event.detail.target.id === 'panel') begin();
  // On another tab nothing but the bar above is fetched again.
  else if (event.detail.target.id === 'topbar' && !body()) syncViewer(document.getElementById('topbar'));
});

// New pages became readable, or the values rest on another reading: the viewer follows.
const syncViewer = (said = one('.panel-in')) => {
  const wanted = said.dataset.pages;
  if (wanted !== (one('#desk')?.dataset.pages ?? '.0.')) refresh('viewer');
};

// Thumbnails say what the strip above the values says.
const signThumbs = () => {
  for (const mark of all('.strip [data-to]')) {
    const thumb = one(`.thumbs [data-to="${mark.dataset.to}"]`);
    if (thumb) { thumb.dataset.mark = mark.dataset.mark; thumb.dataset.sign = mark.dataset.sign; }
  }
};

const begin = () => {
  syncViewer();
  signThumbs();
  if (!body()) { tell('docrouter:choose', { boxes: [] }); return; }
  const wanted = body().dataset.chosen || kept?.item;
  // Whoever has just pressed the tab goes on with the keys that the panel names.
  const isPressed = document.activeElement?.id === 'tab-extraction' && kept?.isAway !== false;
  const back = wanted && items().find((item) => item.dataset.item === wanted || wanted.startsWith(`${item.dataset.item}.`));
  if (kept?.isNarrow) narrow(one('[data-show="uncertain"]', body()));
  if (kept && one('.scroll', body())) one('.scroll', body()).scrollTop = kept.top;
  if (back) {
    const cell = cellsOf(back).find((each) => each.dataset.where === kept?.where);
    choose(back, { cell, focus: isPressed || Boolean(kept?.hadFocus), scroll: Boolean(body().dataset.chosen) });
    if (kept?.addsRow) edit(current(back));
  } else if (items().length) {
    const doubt = items().find((item) => item.matches('.uncertain, [data-fails]') && !isVerified(item));
    choose(doubt || items()[0], { focus: isPressed || Boolean(kept?.hadFocus), scroll: false });
  }
  kept = null;
  notePanelUndo();
  tell('docrouter:fields');
};
begin();
