// The viewer: pages that load when they come near, zoom, rotation, find, and the way between values and words.
import * as keys from './keys.js';
import { citedBoxes, hitsOf } from './viewer_cited.js';
import { choose, chosenBox, drawMarks } from './viewer_marks.js';
import { boxOf, desk, heightOf, loadPicture, pageAt, pages, sheetOf, turnedSize, watchThumbs } from './viewer_pages.js';
import { drawWords, element, find } from './viewer_words.js';

const ZOOMS = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4];
const phone = matchMedia('(max-width: 45em)');

const state = { zoom: 0, turned: 0, current: 1, went: null, hits: [], hit: -1, wanted: '', cited: [] };
const one = (selector) => document.querySelector(selector);
const small = () => phone.matches;
const topOf = (page) => boxOf(page).top - boxOf(desk()).top + desk().scrollTop;

// What a page needs to be looked at. Its words and marks lie on the sheet.
const show = (page) => {
  sheetOf(page, state.turned);
  loadPicture(page, state.turned);
  drawWords(page).catch(() => delete page.querySelector('.words').dataset.drawn);
  drawMarks(page);
};

const near = new Set();
let watcher = null;
const watch = () => {
  watcher?.disconnect();
  near.clear();
  watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) { near.delete(target); continue; }
      near.add(target);
      show(target);
    }
  }, { root: desk(), rootMargin: '50% 0px' });
  pages().forEach((page) => watcher.observe(page));
};

const layOut = () => {
  for (const page of pages()) {
    const [wide, high] = turnedSize(page, state.turned);
    page.setAttribute('viewBox', `0 0 ${wide} ${high}`);
    if (page.firstElementChild) sheetOf(page, state.turned);
    page.style.width = state.zoom && !small() ? `${Math.round(Number(page.dataset.natural) * state.zoom * (wide / 1000))}px` : '';
    page.classList.toggle('free', Boolean(state.zoom));
  }
  showZoom();
  near.forEach((page) => loadPicture(page, state.turned));
  if (small()) zoomToChosen();
};

const shownZoom = () => {
  const page = pages()[0];
  return page ? boxOf(page).width / (Number(page.dataset.natural) * (turnedSize(page, state.turned)[0] / 1000)) : 1;
};
const showZoom = () => {
  const output = document.querySelector('[data-view-zoom]');
  if (output) output.textContent = `${Math.round(shownZoom() * 100)}%`;
};

const keepingPlace = (change) => {
  const page = pageAt(state.current);
  const box = desk();
  const before = page ? (box.scrollTop - topOf(page)) / boxOf(page).height : 0;
  change();
  if (page) box.scrollTop = topOf(page) + before * boxOf(page).height;
};
const zoomBy = (by) => {
  const now = shownZoom();
  const steps = by > 0 ? ZOOMS.filter((step) => step > now * 1.02) : ZOOMS.filter((step) => step < now * 0.98).reverse();
  if (steps.length) keepingPlace(() => { state.zoom = steps[0]; layOut(); });
};

const toPage = (number) => {
  const page = pageAt(number);
  if (!page) return;
  desk().scrollTop = topOf(page) - 16;
  // The last pages cannot be scrolled to the top: until somebody scrolls, the page that was asked for is the current one.
  state.went = { number, top: desk().scrollTop };
  showCurrent();
};

const showCurrent = () => {
  const box = desk();
  if (!box || small()) return;
  const line = box.scrollTop + box.clientHeight / 3;
  const asked = state.went && Math.abs(box.scrollTop - state.went.top) < 2 && pageAt(state.went.number);
  const page = asked || pages().findLast((candidate) => topOf(candidate) <= line) || pages()[0];
  if (!page) return;
  state.current = Number(page.dataset.number);
  one('[data-view=previous]').disabled = state.current === 1;
  one('[data-view=next]').disabled = state.current === pages().length;
  const field = document.querySelector('[data-view-page]');
  if (field && field !== document.activeElement) field.value = state.current;
  for (const link of document.querySelectorAll('.thumbs a, .strip a')) {
    const is = Number(link.dataset.to) === state.current;
    if (is === link.hasAttribute('aria-current')) continue;
    link.toggleAttribute('aria-current', is);
    if (is) { link.setAttribute('aria-current', 'page'); if (link.matches('.thumbs a')) link.scrollIntoView({ block: 'nearest' }); }
  }
};

const scrollToBox = (page, [, x0, y0, x1, y1]) => {
  const box = desk();
  const height = heightOf(page);
  const corner = (x, y) => new DOMPoint(x * 1000, y * height).matrixTransform(sheetOf(page, state.turned).getScreenCTM());
  const [a, b] = [corner(x0, y0), corner(x1, y1)];
  const seen = box.getBoundingClientRect();
  const [top, bottom, left, right] = [Math.min(a.y, b.y), Math.max(a.y, b.y), Math.min(a.x, b.x), Math.max(a.x, b.x)];
  if (top < seen.top + 40 || bottom > seen.bottom - 40) box.scrollTop += (top + bottom) / 2 - seen.top - box.clientHeight / 2;
  if (left < seen.left || right > seen.right) box.scrollLeft += (left + right) / 2 - seen.left - box.clientWidth / 2;
};

// On a phone one page is shown, zoomed to the chosen value; a tap shows the whole page.
const zoomToChosen = () => {
  const boxes = state.cited.length ? state.cited : chosenBox()?.boxes || [];
  const number = boxes.length ? boxes[0][0] : state.current;
  const box = desk();
  pages().forEach((page) => page.classList.toggle('on', Number(page.dataset.number) === number));
  const page = pageAt(number);
  if (!page || !box.clientWidth) return;
  state.current = number;
  page.removeAttribute('width');
  if (box.classList.contains('whole')) {
    const [wide, high] = turnedSize(page, state.turned);
    page.setAttribute('viewBox', `0 0 ${wide} ${high}`);
  } else {
    const height = heightOf(page);
    const [x0, y0, x1, y1] = boxes.length ? [Math.min(...boxes.map((b) => b[1])) * 1000, Math.min(...boxes.map((b) => b[2])) * height, Math.max(...boxes.map((b) => b[3])) * 1000, Math.max(...boxes.map((b) => b[4])) * height] : [0, 0, 1000, 0];
    const wide = Math.min(1000, Math.max(420, (x1 - x0) * 1.3 + 120));
    const high = (wide * box.clientHeight) / box.clientWidth;
    const left = Math.max(0, Math.min((x0 + x1) / 2 - wide / 2, 1000 - wide));
    const top = Math.max(0, Math.min((y0 + y1) / 2 - high / 2, Math.max(0, height - high)));
    page.setAttribute('viewBox', `${left} ${top} ${wide} ${high}`);
  }
  show(page);
};

const redraw = () => near.forEach(drawMarks);

// `docrouter:choose` {where, label, boxes, scroll}: a value was chosen in the panel, or a card shows its words.
document.addEventListener('docrouter:choose', ({ detail }) => {
  choose(detail);
  if (detail?.scroll !== false) state.cited = [];
  desk()?.classList.remove('whole');
  if (small()) zoomToChosen();
  redraw();
  const box = detail?.boxes?.[0];
  if (box && detail.scroll !== false && !small() && pageAt(box[0])) scrollToBox(pageAt(box[0]), box);
});
document.addEventListener('docrouter:fields', redraw);

// Find
const showHits = () => {
  for (const page of pages()) {
    const mine = state.hits.map((hit, i) => ({ ...hit, i })).filter((hit) => hit.page === page);
    if (!mine.length && !page.firstElementChild) continue;
    sheetOf(page, state.turned).querySelector('.hits').replaceChildren(...mine.flatMap(({ words, i }) => words.map((word) => element('rect', {
      x: word.x - 2, y: word.y - 2, width: word.width + 4, height: word.height + 4, rx: 2, class: i === state.hit ? 'hit-on' : 'hit',
    }))));
  }
  const places = state.hits.flatMap(({ page, words }) => words.map((word) => [
    Number(page.dataset.number), word.x / 1000, word.y / heightOf(page), (word.x + word.width) / 1000, (word.y + word.height) / heightOf(page),
  ]));
  document.dispatchEvent(new CustomEvent('docrouter:hits', { detail: places }));
  const said = document.querySelector('[data-found]');
  if (said) said.textContent = !state.wanted ? '' : state.hits.length ? `${state.hit + 1} of ${state.hits.length}` : 'Nothing found';
};
const toHit = (by) => {
  if (!state.hits.length) return;
  state.hit = (state.hit + by + state.hits.length) % state.hits.length;
  showHits();
  const { page, words } = state.hits[state.hit];
  const [word] = words;
  const height = heightOf(page);
  scrollToBox(page, [0, word.x / 1000, word.y / height, (word.x + word.width) / 1000, (word.y + word.height) / height]);
};
const showCited = () => {
  if (citedBoxes().length) state.cited = citedBoxes();
  if (state.wanted || !state.cited.length) return;
  Object.assign(state, { hits: hitsOf(state.cited), hit: 0 });
  if (small()) { showHits(); zoomToChosen(); } else toHit(0);
};
const search = async (wanted) => {
  Object.assign(state, { wanted, hits: [], hit: -1, cited: [] });
  if (wanted.length < 2) { state.wanted = ''; showHits(); return; }
  for (const page of pages()) {
    const hits = await find(page, wanted).catch(() => []);
    if (state.wanted !== wanted) return;
    state.hits.push(...hits.map((words) => ({ page, words })));
    if (hits.length && state.hit < 0) toHit(1);
  }
  showHits();
};
const findbar = () => document.getElementById('find');
const openFind = () => {
  if (!findbar()) return false;
  findbar().hidden = false;
  findbar().querySelector('input').select();
  return true;
};
const closeFind = () => {
  if (!findbar() || findbar().hidden) return;
  findbar().hidden = true;
  search('');
  desk().focus({ preventScroll: true });
};

const areThumbsShown = () => Boolean(one('.thumbs').offsetParent);
const press = {
  thumbs: (button) => {
    const wish = areThumbsShown() ? 'off' : 'on';
    document.documentElement.dataset.thumbs = wish;
    localStorage.setItem('thumbs', wish);
    button.setAttribute('aria-pressed', String(areThumbsShown()));
    layOut();
  },
  previous: () => toPage(state.current - 1),
  next: () => toPage(state.current + 1),
  out: () => zoomBy(-1),
  in: () => zoomBy(1),
  fit: () => keepingPlace(() => { state.zoom = 0; layOut(); }),
  rotate: () => { state.turned = (state.turned + 90) % 360; layOut(); toPage(state.current); },
  find: openFind,
};

// The strip of pages above the values.
document.addEventListener('click', (event) => {
  const mark = event.target.closest('.strip [data-to]');
  if (mark) { event.preventDefault(); toPage(Number(mark.dataset.to)); }
});
const viewer = document.getElementById('viewer');
viewer.addEventListener('click', (event) => {
  const button = event.target.closest('[data-view]');
  if (button) press[button.dataset.view](button);
  const thumb = event.target.closest('[data-to]');
  if (thumb) { event.preventDefault(); toPage(Number(thumb.dataset.to)); }
  const finding = event.target.closest('[data-find]');
  if (finding) finding.dataset.find === 'close' ? closeFind() : toHit(Number(finding.dataset.find));
  if (event.target.closest('.page')) onPage(event);
});
// While a value is edited a click on a word must not take the focus away from the field.
viewer.addEventListener('mousedown', (event) => {
  if (document.querySelector('.field-edit') && event.target.closest('.words')) event.preventDefault();
});
const onPage = (event) => {
  const word = event.target.closest('.words text');
  if (word && document.querySelector('.field-edit')) {
    const place = `${word.closest('.page').dataset.number}.${word.dataset.line}`;
    const add = event.shiftKey || event.ctrlKey || event.metaKey;
    document.dispatchEvent(new CustomEvent('docrouter:word', { detail: { text: word.textContent, place, add } }));
    return;
  }
  if (!getSelection().isCollapsed) return;
  const mark = document.elementsFromPoint(event.clientX, event.clientY).find((seen) => seen.dataset?.where && seen.closest('svg'));
  if (mark) document.dispatchEvent(new CustomEvent('docrouter:marked', { detail: { where: mark.dataset.where } }));
  else if (small()) { desk().classList.toggle('whole'); zoomToChosen(); }
};
viewer.addEventListener('submit', (event) => {
  if (!event.target.matches('#find')) return;
  event.preventDefault();
  toHit(1);
});
let typing = null;
viewer.addEventListener('input', (event) => {
  if (!event.target.closest('#find')) return;
  clearTimeout(typing);
  typing = setTimeout(() => search(event.target.value.trim().toLocaleLowerCase()), 120);
});
viewer.addEventListener('change', (event) => {
  if (event.target.matches('[data-view-page]')) toPage(Math.min(Math.max(Number.parseInt(event.target.value, 10) || 1, 1), pages().length));
});
viewer.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && event.target.closest('#find')) { event.preventDefault(); closeFind(); }
  if (event.key === 'Enter' && event.shiftKey && event.target.closest('#find')) { event.preventDefault(); toHit(-1); }
});
viewer.addEventListener('wheel', (event) => {
  if (!event.ctrlKey || !event.target.closest('#desk')) return;
  event.preventDefault();
  zoomBy(event.deltaY < 0 ? 1 : -1);
}, { passive: false });
keys.on({ '/': openFind, '+': press.in, '=': press.in, '-': press.out, 0: press.fit });

let ticking = false;
const begin = () => {
  if (!desk()) return;
  viewer.querySelector('[data-view=thumbs]').setAttribute('aria-pressed', String(areThumbsShown()));
  desk().addEventListener('scroll', () => {
    if (ticking) return;
    ticking = true;
    requestAnimationFrame(() => { ticking = false; showCurrent(); });
  }, { passive: true });
  layOut();
  watch();
  watchThumbs();
  showCited();
  showCurrent();
};
new ResizeObserver(() => { if (desk()) layOut(); }).observe(viewer);
document.addEventListener('htmx:afterSwap', (event) => { if (event.target.id === 'viewer') begin(); });
begin();
