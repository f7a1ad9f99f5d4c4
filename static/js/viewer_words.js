// The words of the pages: a transparent text layer that can be selected, copied, clicked and searched.
const SVG = 'http://www.w3.org/2000/svg';
const kept = new Map();

export const element = (name, attributes) => {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
};

// Of a page, or of the link to it. A page that is recognized has another address than before: it may be turned by then.
export const addressOf = ({ dataset }, file) => {
  const { address, reading } = document.getElementById('desk').dataset;
  return `${address}/${dataset.number || dataset.to}${file}?reading=${reading}${'unread' in dataset ? '&unread' : ''}`;
};

// [{text, x, y, width, height, line, indent}] in the units of the drawing, which is 1000 wide. Words a person cannot see stay out.
export const wordsOf = (page) => {
  const address = addressOf(page, '/words.json');
  if (!kept.has(address)) {
    const height = Number(page.dataset.height);
    const loading = fetch(address).then((answer) => {
      if (!answer.ok) throw new Error(`words of page ${page.dataset.number}: ${answer.status}`);
      return answer.json();
    }).then(({ words }) => words.filter((word) => !word[6]).map(([text, x0, y0, x1, y1, line, , indent]) => ({
      text, line, indent, x: x0 * 1000, y: y0 * height, width: (x1 - x0) * 1000, height: (y1 - y0) * height,
    })));
    loading.catch(() => kept.delete(address));
    kept.set(address, loading);
  }
  return kept.get(address);
};

export const drawWords = async (page) => {
  const layer = page.querySelector('.words');
  if (layer.dataset.drawn) return;
  layer.dataset.drawn = 'true';
  const texts = (await wordsOf(page)).map((word) => {
    const text = element('text', {
      x: word.x.toFixed(1), y: (word.y + word.height * 0.8).toFixed(1), 'font-size': (word.height * 0.9).toFixed(1),
      textLength: Math.max(word.width, 0.5).toFixed(1), lengthAdjust: 'spacingAndGlyphs', 'data-line': word.line,
    });
    text.textContent = word.text;
    if (word.indent) text.dataset.indent = word.indent;
    return text;
  });
  layer.replaceChildren(...texts);
};

// Copied text: the browser would join the words of a drawing without spaces and lines.
document.addEventListener('copy', (event) => {
  const selection = getSelection();
  if (selection.isCollapsed || !selection.anchorNode?.parentElement?.closest('.words')) return;
  let line = null;
  let copied = '';
  for (const word of document.querySelectorAll('.page .words text')) {
    if (!selection.containsNode(word, true)) continue;
    const at = `${word.closest('.page').id}.${word.dataset.line}`;
    if (line !== null) copied += line === at ? ' ' : '\n';
    if (line !== at) copied += ' '.repeat(word.dataset.indent ?? 0);
    copied += word.textContent;
    line = at;
  }
  event.clipboardData.setData('text/plain', copied);
  event.preventDefault();
});

// Where the wanted words stand on a page: runs of words whose texts, joined by spaces, hold the query.
export const find = async (page, wanted) => {
  const words = await wordsOf(page);
  const folded = words.map((word) => word.text.toLocaleLowerCase());
  const starts = [];
  let joined = '';
  for (const text of folded) {
    starts.push(joined.length);
    joined += `${text} `;
  }
  const hits = [];
  for (let at = joined.indexOf(wanted); at >= 0; at = joined.indexOf(wanted, at + wanted.length)) {
    hits.push(words.filter((_, i) => starts[i] < at + wanted.length && starts[i] + folded[i].length > at));
  }
  return hits.filter((hit) => hit.length);
};
