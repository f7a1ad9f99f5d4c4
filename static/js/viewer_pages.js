// The pages of the viewer: empty drawings of the right size, which get their parts and pictures when they come near.
import { addressOf, element } from './viewer_words.js';

const WIDTHS = [640, 1200, 1800, 2400];
const THUMB_WIDTH = 160;

export const desk = () => document.getElementById('desk');
export const pages = () => [...document.querySelectorAll('#desk .page')];
export const pageAt = (number) => document.getElementById(`page-${number}`);
export const heightOf = (page) => Number(page.dataset.height);
// A page is an SVG, which has neither offsetTop nor, everywhere, clientWidth: boxes on the screen say where it is.
export const boxOf = (element) => element.getBoundingClientRect();

const pictureOf = (holder, width) => `${addressOf(holder, '.webp')}&w=${width}`;

export const turnedSize = (page, turned) => (turned % 180 ? [heightOf(page), 1000] : [1000, heightOf(page)]);
const transformOf = (height, turned) => ({
  0: '', 90: `translate(${height} 0) rotate(90)`, 180: `translate(1000 ${height}) rotate(180)`, 270: 'translate(0 1000) rotate(270)',
})[turned];

// The part of a page that turns with it. The first page comes with it from the server, the others on demand.
export const sheetOf = (page, turned) => {
  const height = heightOf(page);
  let sheet = page.querySelector('.sheet');
  if (!sheet) {
    sheet = element('g', { class: 'sheet' });
    const layers = ['marks', 'hits', 'words', 'labels'].map((name) => element('g', { class: name }));
    sheet.append(element('rect', { class: 'paper', width: 1000, height }), element('image', { width: 1000, height }), ...layers);
    page.append(sheet);
  }
  sheet.setAttribute('transform', transformOf(height, turned));
  return sheet;
};

// The next width that is sharp on this screen, swapped in when it has arrived.
export const loadPicture = (page, turned) => {
  // On a phone a part of the page fills the screen, so the whole picture has to be larger.
  const wanted = boxOf(page).width * devicePixelRatio * (turnedSize(page, turned)[0] / page.viewBox.baseVal.width);
  const width = WIDTHS.find((step) => step >= wanted) || WIDTHS[WIDTHS.length - 1];
  if (Number(page.dataset.width || 0) >= width) return;
  page.dataset.width = width;
  const address = pictureOf(page, width);
  const picture = new Image();
  picture.addEventListener('load', () => page.querySelector('image').setAttribute('href', address));
  picture.addEventListener('error', () => { delete page.dataset.width; });
  picture.src = address;
};

let watcher = null;
export const watchThumbs = () => {
  watcher?.disconnect();
  watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      watcher.unobserve(target);
      const { width, height } = target.viewBox.baseVal;
      target.append(element('image', { href: pictureOf(target.parentElement, THUMB_WIDTH), width, height }));
    }
  }, { root: document.querySelector('.thumbs'), rootMargin: '20% 0px' });
  document.querySelectorAll('.thumb').forEach((thumb) => watcher.observe(thumb));
};
