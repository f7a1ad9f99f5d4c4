// Says every so often that this page is open and in sight, and shows who else verifies the document.
import { token } from './csrf.js';

const EVERY = 20000;
const ANSWER_WAIT = 15000;
const place = () => document.querySelector('[data-presence]');

const send = (values = {}, options = {}) => fetch(place().dataset.presence, {
  method: 'POST', headers: { 'HX-Request': 'true', 'X-CSRFToken': token() }, body: new URLSearchParams(values), ...options,
});
const beat = async () => {
  const holder = place();
  if (!holder || document.hidden) return;
  try {
    const response = await send({}, { signal: AbortSignal.timeout(ANSWER_WAIT) });
    if (!response.ok || response.redirected) return;
    const template = document.createElement('template');
    template.innerHTML = (await response.text()).trim();
    place()?.replaceChildren(template.content);
  } catch {
    // The connection is away: the next sign says the same.
  }
};
// The document is free for others at once, not when the last sign has faded.
window.addEventListener('pagehide', () => { if (place()) send({ leaving: '1' }, { keepalive: true }).catch(() => {}); });
document.addEventListener('visibilitychange', beat);
document.addEventListener('docrouter:back', beat);
setInterval(beat, EVERY);
beat();
