// Rows that go to the trash leave the list at once, and come back at once on undo. The server has the last word: what it
// did not do is undone here with the list that is fetched after its answer.
const rows = document.getElementById('rows');
const rowOf = (id) => document.getElementById(`document-${id}`);
// Hidden until the server has said what became of them; shown before it has brought them.
const leaving = new Set();
const coming = new Map();

// It is the row that has left, and no copy: its picture cannot be fetched again while it lies in the trash, and neither
// can the row itself.
const clean = (row) => {
  row.hidden = false;
  row.removeAttribute('data-refresh');
  row.classList.remove('selected', 'cursor');
  row.querySelectorAll('details[open]').forEach((menu) => { menu.open = false; });
  row.querySelectorAll('.htmx-request').forEach((part) => part.classList.remove('htmx-request'));
};
const apply = () => {
  leaving.forEach((id) => { const row = rowOf(id); if (row) row.hidden = true; });
  coming.forEach(({ row, below }, id) => {
    if (rowOf(id)) return;
    clean(row);
    rows.insertBefore(row, below.map(rowOf).find(Boolean) ?? rows.querySelector('tr.more'));
    htmx.process(row);
  });
};
// A row, and the ids below it: it belongs in front of the first of them that is there.
const keep = (row) => {
  const below = [];
  for (let next = row.nextElementSibling; next; next = next.nextElementSibling) below.push(next.dataset.document);
  return { row, below };
};
const hide = (ids) => {
  const there = ids.filter(rowOf);
  const kept = new Map(there.map((id) => [id, keep(rowOf(id))]));
  there.forEach((id) => leaving.add(id));
  apply();
  document.dispatchEvent(new CustomEvent('docrouter:leaving', { detail: { rows: there.map(rowOf) } }));
  return kept;
};
const showAgain = (ids) => ids.forEach((id) => {
  leaving.delete(id);
  const row = rowOf(id);
  if (row) row.hidden = false;
});
const bring = (kept) => {
  showAgain([...kept.keys()]);
  kept.forEach((each, id) => coming.set(id, each));
  apply();
};
const takeAway = (ids) => ids.forEach((id) => { if (coming.delete(id)) rowOf(id)?.remove(); });

// The server's word counts from the list that is asked for once its answer is there, and its bulk action has ended.
const isUnderWay = () => Boolean(document.querySelector('#jobs .job[data-live]:is([data-kind=trash], [data-kind=restore])'));
const underWay = new Set();
let awaitsStrip = false;
let isSettling = false;
const asked = new WeakSet();
const settle = () => {
  isSettling = false;
  showAgain([...leaving].filter((id) => !underWay.has(id)));
  coming.clear();
};

// Rows by the bulk action they left with, so that its undo knows them. It has no id before the answer.
const leftBy = new Map();
const NEW = '';
export const leaveAtOnce = (ids) => {
  leftBy.set(NEW, hide(ids));
  awaitsStrip = true;
};
export const stayAfterAll = () => {
  showAgain([...(leftBy.get(NEW)?.keys() ?? [])]);
  leftBy.delete(NEW);
  awaitsStrip = false;
};
const readStrip = () => {
  const job = document.querySelector('#jobs .job[data-kind=trash]');
  if (job && leftBy.has(NEW)) {
    leftBy.set(job.dataset.job, leftBy.get(NEW));
    leftBy.delete(NEW);
  }
  isSettling ||= awaitsStrip;
  awaitsStrip = false;
  if (isSettling && !isUnderWay()) document.dispatchEvent(new CustomEvent('docrouter:many'));
};

// One row by its menu, and its undo; the undo of many.
const trashed = new Map();
const WAYS = [
  [/\/documents\/(\w+)\/trash$/, {
    begin: (id) => { underWay.add(id); hide([id]).forEach((kept) => trashed.set(id, kept)); },
    end: (id, isDone) => {
      underWay.delete(id);
      if (!isDone) { showAgain([id]); return; }
      leaving.delete(id);
      document.dispatchEvent(new CustomEvent('docrouter:left', { detail: { id } }));
    },
  }],
  [/\/documents\/(\w+)\/restore$/, {
    begin: (id) => { if (trashed.has(id)) bring(new Map([[id, trashed.get(id)]])); },
    end: (id, isDone) => { if (isDone) isSettling = true; else takeAway([id]); },
  }],
  [/\/bulk\/(\w+)\/undo$/, {
    begin: (id) => { if (leftBy.has(id)) { bring(leftBy.get(id)); awaitsStrip = true; } },
    end: (id, isDone) => { if (!isDone) takeAway([...(leftBy.get(id)?.keys() ?? [])]); },
  }],
];
const find = ({ requestConfig }) => {
  for (const [pattern, way] of requestConfig?.verb === 'post' ? WAYS : []) {
    const id = pattern.exec(requestConfig.path)?.[1];
    if (id) return [way, id];
  }
  return [];
};

if (rows) {
  document.addEventListener('htmx:beforeRequest', ({ detail }) => {
    const [way, id] = find(detail);
    way?.begin(id);
    if (detail.target === rows && isSettling && !isUnderWay()) asked.add(detail.xhr);
  });
  document.addEventListener('htmx:afterRequest', ({ detail }) => {
    const [way, id] = find(detail);
    way?.end(id, detail.successful);
  });
  document.addEventListener('htmx:afterSwap', ({ detail }) => {
    if (detail.target.id === 'jobs') readStrip();
    if (detail.target === rows && asked.has(detail.xhr)) settle();
    apply();
  });
}
