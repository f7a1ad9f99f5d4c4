// The foot line of the documents list: sums of the selected documents, asked for again when the selection changes.
import { token } from './csrf.js';
import { fields, isEmpty } from './selection.js';

const PAUSE = 250;
const foot = document.getElementById('sums');
const filters = document.querySelector('.filters');
let due = null;
let asked = '';

const ask = async () => {
  const sent = new URLSearchParams({ ...fields(), shown: new URLSearchParams(new FormData(filters)).toString() });
  if (asked === sent.toString()) return;
  asked = sent.toString();
  const answer = await fetch(foot.dataset.address, { method: 'POST', body: sent, headers: { 'X-CSRFToken': token() } }).catch(() => null);
  // Another selection has been made meanwhile, or none.
  if (asked !== sent.toString()) return;
  foot.innerHTML = answer?.ok ? await answer.text() : '';
  foot.hidden = !foot.textContent.trim();
};
const refreshSums = () => {
  clearTimeout(due);
  if (isEmpty()) {
    asked = '';
    foot.hidden = true;
    return;
  }
  due = setTimeout(ask, PAUSE);
};
if (foot && !('none' in foot.dataset)) {
  document.addEventListener('docrouter:selected', refreshSums);
  // A value of a selected document may be another by now.
  document.addEventListener('docrouter:event', ({ detail }) => {
    if (!detail.document_id || foot.hidden) return;
    asked = '';
    refreshSums();
  });
  refreshSums();
}
