// Boxes around the words that values came from, and the label of the chosen one.
import { element, wordsOf } from './viewer_words.js';

const PAD = 4;
const LABEL_HEIGHT = 24;
const GAP = 8;

// Every value with a place: [{where, label, tone, address, boxes: [[page, x0, y0, x1, y1]]}], boxes in page fractions.
const located = () => [...document.querySelectorAll('#panel [data-boxes]')].map((row) => ({
  where: row.dataset.where, label: row.dataset.label, tone: row.dataset.tone, address: row.dataset.address, boxes: JSON.parse(row.dataset.boxes),
}));

const rectangle = ([, x0, y0, x1, y1], height) => ({
  x: x0 * 1000 - PAD, y: y0 * height - PAD, width: (x1 - x0) * 1000 + 2 * PAD, height: (y1 - y0) * height + 2 * PAD,
});

// In a file that names its places, a sheet above all, the pointer over a box tells which cell it is.
const mark = (box, height, value, tone) => {
  const made = element('rect', { ...rectangle(box, height), rx: 3, class: tone, 'data-where': value.where });
  if (!value.address) return made;
  const title = element('title', {});
  title.textContent = `${value.label}: ${value.address}`;
  made.append(title);
  return made;
};

let chosen = null;
export const chosenBox = () => chosen;

export const drawMarks = (page) => {
  const number = Number(page.dataset.number);
  const height = Number(page.dataset.height);
  const marks = [];
  for (const value of located()) {
    if (value.where === chosen?.where) continue;
    for (const box of value.boxes.filter(([on]) => on === number)) {
      marks.push(mark(box, height, value, `mark-found ${value.tone || ''}`));
    }
  }
  const own = (chosen?.boxes || []).filter(([on]) => on === number);
  marks.push(...own.map((box) => mark(box, height, chosen, 'mark-on')));
  page.querySelector('.marks').replaceChildren(...marks);
  page.querySelector('.labels').replaceChildren();
  if (own.length && chosen.label) label(page, own.map((box) => rectangle(box, height)));
};

export const choose = (value) => { chosen = value; };

const overlaps = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

// Right, left, below or above, wherever it covers no word; nowhere when all four are taken.
const label = async (page, boxes) => {
  const mine = chosen;
  const words = await wordsOf(page);
  if (mine !== chosen) return;
  const width = mine.label.length * 9 + 20;
  const first = boxes[0];
  const last = boxes[boxes.length - 1];
  const middle = first.y + first.height / 2 - LABEL_HEIGHT / 2;
  const inside = (place) => place.x >= 0 && place.y >= 0 && place.x + width <= 1000 && place.y + LABEL_HEIGHT <= Number(page.dataset.height);
  const place = [
    { x: first.x + first.width + GAP, y: middle },
    { x: first.x - width - GAP, y: middle },
    { x: last.x, y: last.y + last.height + GAP },
    { x: first.x, y: first.y - LABEL_HEIGHT - GAP },
  ].map((at) => ({ ...at, width, height: LABEL_HEIGHT })).find((at) => inside(at) && !words.some((word) => overlaps(at, word)));
  if (!place) return;
  const group = element('g', { class: 'mark-label', 'aria-hidden': 'true' });
  const text = element('text', { x: place.x + width / 2, y: place.y + 17, 'text-anchor': 'middle' });
  text.textContent = mine.label;
  group.append(element('rect', { ...place, rx: 5 }), text);
  page.querySelector('.labels').replaceChildren(group);
};
