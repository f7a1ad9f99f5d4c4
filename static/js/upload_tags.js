// The tags of the next uploads: chosen where files drop, remembered here, and checked against what there still is.
import { token } from './csrf.js';
import { openTagPicker } from './tags.js';

const place = () => document.getElementById('upload-tags');
const key = () => `upload-tags-${place().dataset.organization}`;
export const uploadTags = () => (place() ? JSON.parse(localStorage.getItem(key()) || '[]') : []);

// Show the tags of the next uploads without opening the menu, and while files are dragged.
const sayTags = () => {
  const names = [...place().querySelectorAll('[data-upload-tag] .cut')].map((name) => name.textContent);
  const count = document.querySelector('[data-upload-tag-count]');
  count.textContent = names.length;
  count.parentElement.hidden = !names.length;
  const over = document.querySelector('[data-upload-tag-names]');
  if (over) over.textContent = names.length ? `They are tagged ${names.join(', ')}.` : '';
};

let asked = 0;
export const showUploadTags = async () => {
  if (!place()) return;
  asked += 1;
  const mine = asked;
  const query = new URLSearchParams(uploadTags().map((id) => ['chosen', id]));
  const answer = await fetch(`${place().dataset.address}?${query}`, { headers: { 'HX-Request': 'true' } }).catch(() => null);
  if (!answer?.ok || mine !== asked) return;
  const chips = await answer.text();
  const hadFocus = place().contains(document.activeElement);
  place().innerHTML = chips;
  sayTags();
  if (hadFocus) place().querySelector('[data-choose-tag]')?.focus({ preventScroll: true });
  // One that was deleted is not asked for again.
  keep([...place().querySelectorAll('[data-upload-tag]')].map((chip) => chip.dataset.uploadTag), false);
};
const keep = (ids, isShown = true) => {
  localStorage.setItem(key(), JSON.stringify(ids));
  if (isShown) showUploadTags();
};

const choose = async ({ id, isSet, newName }) => {
  if (!newName) { keep(isSet ? uploadTags().filter((each) => each !== id) : [...uploadTags(), id]); return; }
  const body = new URLSearchParams({ name: newName });
  const headers = { 'X-CSRFToken': token(), 'HX-Request': 'true' };
  const answer = await fetch(place().dataset.address, { method: 'POST', body, headers }).catch(() => null);
  if (!answer) document.dispatchEvent(new CustomEvent('htmx:sendError'));
  else if (answer.ok) keep([...uploadTags(), (await answer.json()).tag_id]);
  else document.getElementById('notice').innerHTML = await answer.text();
};

if (place()) {
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-choose-tag]')) openTagPicker({ title: 'Tags of what is uploaded', chosen: uploadTags, choose });
    const chip = event.target.closest('[data-drop-tag]')?.closest('[data-upload-tag]');
    if (chip) keep(uploadTags().filter((id) => id !== chip.dataset.uploadTag));
  });
  const showAgain = () => { if (uploadTags().length) showUploadTags(); };
  document.addEventListener('docrouter:event', ({ detail }) => { if (detail.kind === 'tag.changed') showAgain(); });
  document.addEventListener('docrouter:back', showAgain);
  showAgain();
}
