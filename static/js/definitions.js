// Pages of schemas, prompts and tags, and the settings: copying, choosing what to compare, word of changes by others.
import { refresh } from './refresh.js';

for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.textContent);
    button.querySelector('[data-word]').textContent = 'Copied';
  });
}

// The page that shows a new token answers a form: loaded again, it would make another one.
const secret = document.getElementById('secret');
if (secret) history.replaceState(null, '', secret.dataset.page);

for (const form of document.querySelectorAll('[data-compare]')) {
  form.querySelector('button').hidden = true;
  form.addEventListener('change', () => form.requestSubmit());
}

// Ticks of many: those whose names have all words typed, and those that are set.
document.addEventListener('input', ({ target }) => {
  if (!target.matches('[data-find-tick]')) return;
  const words = target.value.toLowerCase().split(/\s+/);
  document.getElementById(target.dataset.findTick).querySelectorAll('label').forEach((label) => {
    const fits = words.every((word) => label.textContent.toLowerCase().includes(word));
    label.hidden = !fits && !label.querySelector(':checked');
  });
});
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !event.target.matches?.('[data-find-tick]')) return;
  event.preventDefault();
  const { id } = document.getElementById(event.target.dataset.findTick);
  document.querySelector(`#${id} label:not([hidden]) input:not(:checked)`)?.click();
});

document.addEventListener('docrouter:event', ({ detail }) => {
  const id = detail.schema_id || detail.prompt_id;
  const notice = id && document.querySelector(`[data-newer="${id}"]`);
  if (notice) notice.hidden = false;
});
// Hints were lost: its page says what it is now, or that it is gone.
document.addEventListener('docrouter:back', async () => {
  const notice = document.querySelector('[data-newer]');
  const answer = notice && await fetch(notice.dataset.page).catch(() => null);
  if (!answer?.ok && answer?.status !== 404) return;
  const now = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('[data-newer]');
  if (now?.dataset.state !== notice.dataset.state) notice.hidden = false;
});
