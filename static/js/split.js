// Splitting a file: says how many documents it becomes, and how a part is called that has no name yet.
const form = document.querySelector('.split-form');

const tiles = () => [...form.querySelectorAll('.split-page')];
const numberOf = (tile) => Number(tile.dataset.number);
const begins = (tile, before) => {
  const box = tile.querySelector('.begins input');
  return Boolean(box) && (box.checked || !before?.querySelector('.begins'));
};

// [first tile, number of the last page] of each part; tiles of earlier parts belong to none.
const listParts = () => {
  const parts = [];
  tiles().forEach((tile, at, all) => {
    if (!tile.querySelector('.begins')) return;
    if (begins(tile, all[at - 1])) parts.push([tile, numberOf(tile)]);
    else parts[parts.length - 1][1] = numberOf(tile);
  });
  return parts;
};

const update = () => {
  const parts = listParts();
  for (const [tile, last] of parts) {
    const first = numberOf(tile);
    const pages = first === last ? `page ${first}` : `pages ${first}–${last}`;
    tile.querySelector('.part-facts .input').placeholder = `${form.dataset.stem}, ${pages}`;
  }
  const kept = parts.filter(([tile]) => !tile.querySelector('.part-facts :checked')).length;
  const isWhole = kept === 1 && parts[0][1] - numberOf(parts[0][0]) + 1 === tiles().length;
  const button = form.querySelector('[data-split]');
  const into = kept === 1 ? 'Cut out 1 document' : `Split into ${kept} documents`;
  button.textContent = isWhole ? 'Split' : into;
  button.disabled = !kept || isWhole;
};

if (form) {
  form.addEventListener('change', update);
  update();
}
