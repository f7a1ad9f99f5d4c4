// The status line above the list: the newest of upload, bulk action and notice stands in front, the rest folds away.
const line = document.getElementById('status');
const ENTRIES = '.drop-said, .job, #notice > *';
const toggles = () => [...document.querySelectorAll('[data-status-more]')];
const entries = () => [...line.querySelectorAll(ENTRIES)];
const isPast = (entry) => entry.classList.contains('job-past');

// Seconds by the server's clock, so that a notice of this page can be older or newer than what the server tells.
const ahead = Date.now() / 1000 - Number(line?.dataset.now);
const findAge = (entry) => {
  entry.dataset.at ??= Date.now() / 1000 - ahead;
  return Number(entry.dataset.at);
};
// A result goes with the next thing that is done, which need not be a bulk action.
let passed = 0;
const passResults = () => {
  const done = [...line.querySelectorAll('.notices > :has([hx-post])')];
  passed = Math.max(passed, ...done.map(findAge));
  line.querySelectorAll('.job:not([data-live])').forEach((job) => job.classList.toggle('job-past', isPast(job) || findAge(job) < passed));
};

const isCut = (front) => [...front.querySelectorAll('p, b')].some((part) => part.scrollWidth > part.clientWidth || !part.checkVisibility());
const isOpen = () => 'open' in line.dataset;
const paintToggles = (front, folded) => {
  const words = front ? `${folded} more` : `${folded} earlier`;
  toggles().forEach((toggle) => {
    const isInLine = line.contains(toggle);
    toggle.hidden = isInLine ? !front || !(folded || isOpen() || isCut(front)) : Boolean(front) || !folded;
    toggle.setAttribute('aria-expanded', String(isOpen()));
    const said = folded ? words : '';
    const part = toggle.querySelector('[data-status-count]');
    if (part.textContent !== said) part.textContent = said;
    toggle.setAttribute('aria-label', said || 'All of it');
  });
};
const paint = () => {
  passResults();
  const all = entries();
  const [front] = all.filter((entry) => !isPast(entry)).sort((a, b) => findAge(b) - findAge(a));
  if (!all.length) delete line.dataset.open;
  // A new entry is hidden by its mark, not for the lack of one: htmx gives it the focus before this is painted.
  all.forEach((entry) => {
    entry.toggleAttribute('data-front', entry === front);
    entry.toggleAttribute('data-folded', entry !== front);
  });
  line.toggleAttribute('data-quiet', !front && !isOpen());
  paintToggles(front, all.length - (front ? 1 : 0));
};
const open = (is) => {
  if (is) line.dataset.open = ''; else delete line.dataset.open;
  paint();
};

if (line) {
  const options = { childList: true, subtree: true };
  const watcher = new MutationObserver(() => { paint(); watcher.takeRecords(); });
  watcher.observe(line, options);
  paint();
  window.addEventListener('resize', paint);
  document.addEventListener('click', (event) => {
    if (event.target.closest('[data-status-more]')) open(!isOpen());
    else if (isOpen() && !line.contains(event.target) && !event.target.closest('dialog') && event.target.isConnected) open(false);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOpen() || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    open(false);
    toggles().find((toggle) => !toggle.hidden)?.focus();
  });
}

// The note on the model is hidden until the day is over; a link to what it says opens it.
const openNote = () => {
  const note = document.querySelector('[data-model-note]');
  if (note && location.hash.length > 1 && note.querySelector(location.hash)) note.open = true;
};
window.addEventListener('hashchange', openNote);
openNote();
document.addEventListener('click', (event) => {
  if (!event.target.closest('[data-hide-note]')) return;
  const midnight = new Date();
  midnight.setHours(24, 0, 0, 0);
  document.cookie = `model-note=hidden; path=/; expires=${midnight.toUTCString()}; samesite=lax`;
  const note = event.target.closest('[data-model-note]');
  note.open = false;
  note.classList.add('note-hidden');
  history.replaceState(history.state, '', location.pathname + location.search);
  document.getElementById('main').focus({ preventScroll: true });
});
