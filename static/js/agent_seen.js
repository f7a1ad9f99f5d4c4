// How long each face of a card was in view: sent with its decision, so that usage can say whether cards are read.
const TICK = 250;
const seen = new Map();
let last = performance.now();

const isShown = (card) => {
  const box = card.getBoundingClientRect();
  const height = Math.min(box.bottom, innerHeight) - Math.max(box.top, 0);
  return box.width > 0 && height >= Math.min(box.height, innerHeight) / 2;
};

const count = () => {
  const now = performance.now();
  // A page in the background counts its ticks late: what passed there nobody saw.
  const passed = document.hidden ? 0 : Math.min(now - last, 2 * TICK);
  last = now;
  for (const card of document.querySelectorAll('.card-wait')) {
    const hash = card.querySelector('[name=shown_hash]')?.value;
    if (hash && isShown(card)) seen.set(hash, (seen.get(hash) || 0) + passed);
  }
};

setInterval(count, TICK);
document.addEventListener('htmx:configRequest', ({ detail }) => {
  const hash = detail.parameters.shown_hash;
  if (!hash) return;
  count();
  if (seen.has(hash)) detail.parameters.seen_ms = Math.round(seen.get(hash));
});
