// Where the thread stands: at its end while text arrives, at the top of a card that has come to be read,
// or wherever a person has scrolled to, which is then left alone.
const NEAR = 60;
const ROOM = 12;
const box = () => document.getElementById('thread-scroll');
const waiting = () => [...document.querySelectorAll('.card-wait')];

let mode = 'end';
let placed = 0;
let read = new Set();

const isAtEnd = () => box().scrollHeight - box().scrollTop - box().clientHeight < NEAR;
const scrollTo = (top) => { box().scrollTop = top; placed = box().scrollTop; };
const topOf = (card) => box().scrollTop + card.getBoundingClientRect().top - box().getBoundingClientRect().top - ROOM;

// After anything has changed.
export const place = () => {
  if (!box()) return;
  const cards = waiting();
  const first = cards.find((card) => !read.has(card.id));
  if (mode === 'card' && !first && cards.length) return;
  if (mode === 'free') return;
  cards.forEach((card) => read.add(card.id));
  // Of a thread that has not begun the beginning: on a phone what may be asked is longer than the box.
  scrollTo(document.getElementById('start') ? 0 : box().scrollHeight);
  mode = 'end';
  if (first && topOf(first) < box().scrollTop) {
    scrollTo(topOf(first));
    mode = 'card';
  }
};

// What comes in above leaves what is being read where it is.
export const keeping = (change) => {
  const first = box()?.querySelector('.thread > *');
  const top = first?.getBoundingClientRect().top;
  change();
  if (mode === 'end' || !first?.isConnected) return;
  const moved = first.getBoundingClientRect().top - top;
  if (Math.abs(moved) > 1 && box().querySelector('.thread > *') !== first) scrollTo(box().scrollTop + moved);
};

// A person has said or decided something: what follows is what they want to see.
export const follow = () => { mode = 'end'; };

// What they look at stays in view, whatever arrives.
export const stayAt = (item) => { show(item); mode = 'free'; };

export const show = (card) => {
  const [inner, outer] = [card.getBoundingClientRect(), box().getBoundingClientRect()];
  if (inner.top >= outer.top && inner.bottom <= outer.bottom) return;
  scrollTo(inner.height > outer.height || inner.top < outer.top ? topOf(card) : topOf(card) + ROOM * 2 + inner.height - outer.height);
  mode = 'card';
};

// Whether enough of the card is in view to decide it.
export const isInView = (card) => {
  const [inner, outer] = [card.getBoundingClientRect(), box().getBoundingClientRect()];
  return Math.min(inner.bottom, outer.bottom) - Math.max(inner.top, outer.top) > Math.min(inner.height, 80) - 1;
};

export const begin = () => {
  mode = 'end';
  read = new Set();
  place();
  new ResizeObserver(() => { if (mode === 'end') place(); }).observe(box());
};

document.addEventListener('scroll', (event) => {
  if (event.target.id === 'thread-scroll' && Math.abs(box().scrollTop - placed) > 2) mode = isAtEnd() ? 'end' : 'free';
}, { capture: true, passive: true });
