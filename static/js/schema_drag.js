// Dragging a field by its grip, with a mouse or a finger. It goes before or after the one it is dropped on; on the lower
// half of an open group it becomes the group's first field.
const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

const spotOf = (fields, dragged, event) => {
  const element = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-fields] > li');
  if (!element || !fields.list.contains(element)) return null;
  const row = fields.rowOf(element);
  const box = element.getBoundingClientRect();
  const isInside = same(row.path.slice(0, dragged.path.length), dragged.path);
  return isInside ? null : { element, row, after: event.clientY > box.top + box.height / 2 };
};

const drop = (fields, row, { row: other, after }) => {
  if (after && other.holds && same(other.holds, row.holder)) return fields.move(row, 0, 'grip');
  if (after && other.holds) return fields.regroup(row, other.holds, 0, 'grip');
  const index = other.at + (after ? 1 : 0);
  if (!same(other.holder, row.holder)) return fields.regroup(row, other.holder, index, 'grip');
  return fields.move(row, index > row.at ? index - 1 : index, 'grip');
};

export const drag = (fields) => {
  const { list } = fields;
  let dragged = null;
  const clear = () => list.querySelectorAll('.drop-before, .drop-after').forEach((row) => row.classList.remove('drop-before', 'drop-after'));
  const end = (event) => {
    if (dragged?.pointer !== event.pointerId) return;
    const done = dragged;
    dragged = null;
    clear();
    list.querySelector('.dragged')?.classList.remove('dragged');
    if (event.type === 'pointerup' && done.spot) drop(fields, done.row, done.spot);
  };
  list.addEventListener('pointerdown', (event) => {
    const grip = event.target.closest('[data-col="grip"]');
    if (!grip || event.button) return;
    dragged = { row: fields.rowOf(grip), pointer: event.pointerId };
    grip.setPointerCapture(event.pointerId);
    grip.closest('li').classList.add('dragged');
  });
  list.addEventListener('pointermove', (event) => {
    if (dragged?.pointer !== event.pointerId) return;
    clear();
    dragged.spot = spotOf(fields, dragged.row, event);
    dragged.spot?.element.classList.add(dragged.spot.after ? 'drop-after' : 'drop-before');
  });
  list.addEventListener('pointerup', end);
  list.addEventListener('pointercancel', end);
};
