// What is wrong with the layout of the page as it stands, as a list of sentences. One expression: a function.
() => {
  const problems = new Set();
  // Places that may scroll sideways by themselves: code, the lines of a table, columns that somebody has chosen, the pages of a document.
  const SCROLLERS = 'pre, textarea, .sheet:has(.docs.own), .tscroll, .code, .diff, .lines-box, .desk, .filters, .chips-in-force, .json-lines, .seg, .subnav, .swagger-ui';
  const CONTROLS = 'a.btn, button, input:not([type=hidden]), select, summary, textarea, [role=tab]';
  const DESIGN_HEIGHT = { '.docs tr[data-document]': [46, 104], '.defs tbody tr:not(.audit *)': [46, 110], '.audit tbody tr': [64, 130], '.lines tbody tr': [30, 44],
    '.todo': [64, 110], '.thread-row': [56, 90] };
  const isPhone = matchMedia('(max-width: 45em)').matches;
  const MIN_CHARACTERS = 12;
  const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

  const name = (element) => {
    const id = element.id ? `#${element.id}` : '';
    const kind = [...element.classList].slice(0, 2).map((word) => `.${word}`).join('');
    return `${element.tagName.toLowerCase()}${id}${kind}`.replace(/[0-9a-f]{24}/g, 'ID');
  };
  const isSeen = (element) => {
    const box = element.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && !element.closest('.sr, [inert], .skip');
  };
  const clipper = (element) => {
    for (let up = element.parentElement; up && up !== document.body; up = up.parentElement) {
      const style = getComputedStyle(up);
      if (style.position === 'fixed') return null;
      if (style.overflowX !== 'visible' || style.overflowY !== 'visible') return up;
    }
    return null;
  };

  // 1. No sideways scroll, neither of the page nor of a part of it.
  for (const element of [document.scrollingElement, ...document.querySelectorAll('body *')]) {
    if (element.scrollWidth <= element.clientWidth + 1 || element.closest(SCROLLERS)) continue;
    const { overflowX } = getComputedStyle(element);
    const scrolls = element === document.scrollingElement || overflowX === 'auto' || overflowX === 'scroll';
    if (scrolls && element.clientWidth) problems.add(`${name(element)} scrolls sideways by ${element.scrollWidth - element.clientWidth} px`);
  }
  if (document.scrollingElement.scrollHeight > innerHeight + 1 && document.querySelector('.app')) {
    problems.add(`the page itself scrolls: ${document.scrollingElement.scrollHeight} px high in ${innerHeight}`);
  }

  // 2. No control that is cut off, or that another one lies on.
  const controls = [...document.querySelectorAll(CONTROLS)].filter((control) => isSeen(control) && !control.closest('.swagger-ui, dialog'));
  for (const control of controls) {
    const box = control.getBoundingClientRect();
    const within = clipper(control);
    const [left, right] = within ? [within.getBoundingClientRect().left, within.getBoundingClientRect().right] : [0, innerWidth];
    if (!control.closest(SCROLLERS) && (box.left < left - 1 || box.right > right + 1)) problems.add(`${name(control)} “${(control.textContent || control.ariaLabel || '').trim().slice(0, 30)}” is cut off at the side`);
    if (control.matches('.btn, button, [role=tab]') && control.scrollWidth > control.clientWidth + 2 && !control.querySelector('.cut') && !control.matches('.cut, .cell')) problems.add(`${name(control)} “${control.textContent.trim().slice(0, 30)}” is wider than its box`);
  }
  const byParent = new Map();
  for (const control of controls) {
    const key = clipper(control);
    if (!byParent.has(key)) byParent.set(key, []);
    byParent.get(key).push([control, control.getBoundingClientRect()]);
  }
  for (const group of byParent.values()) {
    for (let i = 0; i < group.length; i += 1) {
      for (let j = i + 1; j < Math.min(group.length, i + 40); j += 1) {
        const [[a, p], [b, q]] = [group[i], group[j]];
        const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
        const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
        if (wide > 2 && high > 2 && !a.contains(b) && !b.contains(a) && !a.closest('.search') && !floats(a) && !floats(b)) {
          problems.add(`${name(a)} and ${name(b)} lie on each other`);
        }
      }
    }
  }
  function floats(control) {
    for (let up = control; up && up !== document.body; up = up.parentElement) {
      if (['fixed', 'sticky'].includes(getComputedStyle(up).position) || up.matches('.pop')) return true;
    }
    return false;
  }

  // No bar that stands still covers a control that somebody has gone to.
  if (innerHeight < 600 || isPhone) {
    const reached = controls.filter((control) => !control.disabled && !control.closest('details:not([open]) > :not(summary)'));
    for (const control of [...reached.slice(0, 6), ...reached.slice(6).filter((_, at) => at % 7 === 0), ...reached.slice(-6)]) {
      control.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
      const box = control.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const above = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && document.elementFromPoint(x, y);
      if (!above || above === control || control.contains(above) || above.contains(control) || above.closest('label')?.control === control) continue;
      if (floats(above) && !floats(control)) problems.add(`${name(above)} covers ${name(control)} “${(control.textContent || control.ariaLabel || '').trim().slice(0, 30)}” after scrolling to it`);
    }
    document.querySelectorAll('*').forEach((element) => { if (element.scrollTop) element.scrollTop = 0; });
  }

  // 3. No column of text that is a few letters wide.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const text = walker.currentNode;
    const words = text.data.trim();
    const holder = text.parentElement;
    if (words.length < 24 || !holder || holder.closest('svg, script, style, template, pre, textarea, .swagger-ui') || !isSeen(holder)) continue;
    range.selectNodeContents(text);
    const lines = new Set([...range.getClientRects()].filter((box) => box.width > 0).map((box) => Math.round(box.top))).size;
    if (lines > 2 && words.length / lines < MIN_CHARACTERS) problems.add(`${name(holder)} shows ${words.length} characters in ${lines} lines: “${words.slice(0, 24)}”`);
  }

  // The same for what is cut with an ellipsis: enough of it has to be left to tell one from the other.
  for (const cut of document.querySelectorAll('.cut')) {
    const text = cut.textContent.trim();
    if (!isSeen(cut) || cut.scrollWidth <= cut.clientWidth + 1 || text.length < MIN_CHARACTERS) continue;
    const least = cut.closest('.chip, .btn') ? MIN_CHARACTERS / 2 : MIN_CHARACTERS;
    const left = Math.round((text.length * cut.clientWidth) / cut.scrollWidth);
    if (left < least) problems.add(`${name(cut)} is cut to ${left} characters: “${text.slice(0, 24)}”`);
  }

  // 4. No row over twice its design height.
  for (const [selector, [wide, phone]] of Object.entries(DESIGN_HEIGHT)) {
    const limit = 2 * (isPhone ? phone : wide) * root;
    const tallest = Math.max(0, ...[...document.querySelectorAll(selector)].filter(isSeen).map((row) => row.getBoundingClientRect().height));
    if (tallest > limit) problems.add(`${selector} is ${Math.round(tallest)} px high, more than ${limit}`);
  }
  // 5. Tools are one line, and no button stands alone below the row that it belongs to.
  const linesOf = (row) => {
    const lines = [];
    for (const part of [...row.children].filter(isSeen)) {
      const { top, bottom } = part.getBoundingClientRect();
      const last = lines.at(-1);
      if (!last || top >= last.bottom) lines.push({ bottom, parts: [part] });
      else { last.bottom = Math.max(last.bottom, bottom); last.parts.push(part); }
    }
    return lines;
  };
  for (const tools of document.querySelectorAll('.tools')) {
    if (linesOf(tools).length > 1) problems.add(`${name(tools)} takes ${linesOf(tools).length} lines`);
  }
  for (const filters of isPhone ? [] : document.querySelectorAll('.filters')) {
    const [, ...below] = linesOf(filters);
    if (below.some(({ parts }) => parts.every((part) => part.matches('.btn')))) problems.add(`${name(filters)} has a button alone on a line`);
  }

  // 6. What a list to choose from says before anybody has chosen is readable.
  const pen = document.createElement('canvas').getContext('2d');
  for (const select of [...document.querySelectorAll('select')].filter((each) => isSeen(each) && !each.value)) {
    const { fontWeight, fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(select);
    pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const wide = pen.measureText(select.selectedOptions[0]?.textContent.trim() ?? '').width;
    const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    if (wide > room + 1) problems.add(`${name(select)} “${select.selectedOptions[0].textContent}” is cut off`);
  }

  // A list repeats its fault in every row: three of a kind are enough to see it.
  const kinds = new Map();
  return [...problems].filter((problem) => {
    const kind = problem.replace(/“.*”|\d+/g, '');
    kinds.set(kind, (kinds.get(kind) || 0) + 1);
    return kinds.get(kind) <= 3;
  });
}
