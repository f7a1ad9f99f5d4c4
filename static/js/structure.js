// The tree beside the pages of a nested file. What is inside of a line is loaded when it is unfolded.
import { desk } from './viewer_pages.js';

// Of lines that a chosen value is inside of: more are not unfolded to show it.
const MAX_STEPS = 200;
const phone = matchMedia('(max-width: 45em)');
const root = document.documentElement;
const panel = () => document.getElementById('structure');
const tree = () => panel()?.querySelector('[role=tree]');
const all = () => [...(tree()?.querySelectorAll('[role=treeitem]') ?? [])];
const isSeen = (item) => !item.parentElement.closest('[aria-expanded="false"]');
const seen = () => all().filter(isSeen);
const chosen = () => tree()?.querySelector('[aria-selected="true"]');
const isFolded = (item) => item.getAttribute('aria-expanded') === 'false';
const boxesOf = (item) => JSON.parse(item.dataset.placeBoxes);

const load = async (list, wanted) => {
  const query = new URLSearchParams({ reading: desk().dataset.reading, ...wanted });
  const answer = await fetch(`${panel().dataset.nodes}?${query}`);
  if (!answer.ok) throw new Error(`structure: ${answer.status}`);
  const made = document.createElement('template');
  made.innerHTML = await answer.text();
  list.append(made.content);
  if (!tree().querySelector('[tabindex="0"]')) all()[0]?.setAttribute('tabindex', '0');
  drawMarks();
};

const unfold = async (item) => {
  if (!item.hasAttribute('aria-expanded')) return;
  item.setAttribute('aria-expanded', 'true');
  if (item.querySelector('[role=group]')) { drawMarks(); return; }
  const list = document.createElement('ul');
  list.setAttribute('role', 'group');
  item.append(list);
  await load(list, { inside: item.dataset.place, level: Number(item.getAttribute('aria-level')) + 1 });
};
const fold = (item) => { item.setAttribute('aria-expanded', 'false'); drawMarks(); };

const loadMore = async (item) => {
  const list = item.parentElement;
  const inside = list.closest('[role=treeitem]')?.dataset.place;
  await load(list, { first: item.dataset.first, level: item.getAttribute('aria-level'), ...(inside && { inside }) });
  const next = item.nextElementSibling;
  item.remove();
  return next;
};

const goTo = (item) => {
  all().forEach((other) => other.setAttribute('tabindex', other === item ? '0' : '-1'));
  item.focus({ preventScroll: true });
  item.querySelector('.node').scrollIntoView({ block: 'nearest' });
};
const mark = (item) => {
  chosen()?.setAttribute('aria-selected', 'false');
  item?.setAttribute('aria-selected', 'true');
  const address = item?.dataset.address || '';
  panel().querySelector('[data-path]').textContent = address || (item ? 'This line has no path.' : 'Choose a line.');
  panel().querySelector('[data-copy-path]').disabled = !address;
};
const choose = async (item) => {
  if (item.dataset.first) { const next = await loadMore(item); if (next) goTo(next); return; }
  mark(item);
  goTo(item);
  const detail = { where: 'structure', label: '', boxes: boxesOf(item) };
  document.dispatchEvent(new CustomEvent('docrouter:choose', { detail }));
};

// The last line that is seen and does not begin after the box: the line itself, or one that it is inside of.
const isAfter = ([[page, , top]], [onPage, , y0, , y1]) => page > onPage || (page === onPage && top > (y0 + y1) / 2);
const lineOf = (items, box) => {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAfter(boxesOf(items[middle]), box)) high = middle; else low = middle + 1;
  }
  return items[low - 1];
};
const reveal = async (box) => {
  let item = lineOf(seen(), box);
  for (let steps = 0; item && steps < MAX_STEPS; steps += 1) {
    const holds = boxesOf(item)[0][0] === box[0] && boxesOf(item)[0][4] > (box[2] + box[4]) / 2;
    if (item.dataset.first) await loadMore(item);
    else if (isFolded(item) && !holds) await unfold(item);
    else break;
    item = lineOf(seen(), box);
  }
  return item;
};

let hits = [];
const located = () => [...document.querySelectorAll('#panel [data-boxes]')].flatMap(({ dataset }) => JSON.parse(dataset.boxes));
const drawMarks = () => {
  if (!tree()) return;
  const items = seen();
  for (const [name, boxes] of [['found', located()], ['found-hit', hits]]) {
    const lines = new Set(boxes.map((box) => lineOf(items, box)));
    items.forEach((item) => item.classList.toggle(name, lines.has(item)));
  }
};
document.addEventListener('docrouter:hits', ({ detail }) => { hits = detail; drawMarks(); });
document.addEventListener('docrouter:fields', drawMarks);
document.addEventListener('docrouter:choose', async ({ detail }) => {
  if (!tree() || detail?.where === 'structure') return;
  const box = detail?.boxes?.[0];
  const item = box && isShown() ? await reveal(box) : null;
  mark(item);
  item?.querySelector('.node').scrollIntoView({ block: 'nearest' });
});

const move = (by) => (item) => { const items = seen(); const next = items[items.indexOf(item) + by]; if (next) goTo(next); };
const keys = {
  ArrowDown: move(1),
  ArrowUp: move(-1),
  ArrowRight: (item) => (isFolded(item) ? unfold(item) : item.querySelector('[role=treeitem]') && move(1)(item)),
  ArrowLeft: (item) => {
    if (item.getAttribute('aria-expanded') === 'true') { fold(item); return; }
    const around = item.parentElement.closest('[role=treeitem]');
    if (around) goTo(around);
  },
  Home: () => goTo(seen()[0]),
  End: () => goTo(seen().at(-1)),
  Enter: choose,
  ' ': choose,
};

const isShown = () => Boolean(panel()?.offsetParent || panel()?.classList.contains('open'));
const begin = () => {
  if (!tree() || !isShown() || tree().firstElementChild) return;
  load(tree(), {}).catch(() => { panel().querySelector('[data-path]').textContent = 'The lines could not be loaded. Reload the page.'; });
};
const say = () => document.querySelectorAll('[data-toggle-structure][aria-pressed]').forEach((button) => button.setAttribute('aria-pressed', String(isShown())));
const toggle = () => {
  if (phone.matches) panel().classList.toggle('open');
  else {
    root.dataset.structure = isShown() ? 'off' : 'on';
    localStorage.setItem('structure', root.dataset.structure);
  }
  begin();
  say();
  if (phone.matches && isShown()) panel().querySelector('[data-toggle-structure]').focus();
};

const copyPath = async () => {
  await navigator.clipboard.writeText(chosen().dataset.address);
  panel().querySelector('[data-path]').textContent = `Copied ${chosen().dataset.address}`;
};
document.addEventListener('click', (event) => {
  if (event.target.closest('[data-toggle-structure]') && panel()) toggle();
  if (event.target.closest('[data-copy-path]')) copyPath();
  const item = event.target.closest('#structure [role=treeitem]');
  if (!item) return;
  if (!event.target.closest('svg')) choose(item);
  else if (isFolded(item)) unfold(item);
  else fold(item);
  if (phone.matches && item.dataset.place && !event.target.closest('svg')) { panel().classList.remove('open'); say(); }
});
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && panel()?.classList.contains('open')) { panel().classList.remove('open'); say(); return; }
  const item = event.target.closest?.('#structure [role=treeitem]');
  if (!item || !keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  keys[event.key](item);
}, { capture: true });
document.addEventListener('copy', (event) => {
  const item = document.activeElement?.closest?.('#structure [role=treeitem]');
  if (!item?.dataset.address || !getSelection().isCollapsed) return;
  event.clipboardData.setData('text/plain', item.dataset.address);
  event.preventDefault();
});
document.addEventListener('htmx:afterSwap', (event) => { if (event.target.id === 'viewer') { begin(); say(); } });
begin();
say();
