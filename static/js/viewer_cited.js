// Words that the address names: boxed like hits of find when the document opens, until something else is looked for.
import { desk, heightOf, pageAt } from './viewer_pages.js';

// [[page, left, top, right, bottom]] in page fractions.
export const citedBoxes = () => JSON.parse(desk().dataset.cited || '[]').filter(([number]) => pageAt(number));

export const hitsOf = (boxes) => boxes.map(([number, left, top, right, bottom]) => {
  const page = pageAt(number);
  const height = heightOf(page);
  return { page, words: [{ x: left * 1000, y: top * height, width: (right - left) * 1000, height: (bottom - top) * height }] };
});
