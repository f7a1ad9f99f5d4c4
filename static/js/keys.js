// Single keys: they rest while something is typed, and can be turned off (WCAG 2.1.4).
const RESTING = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]';

export const areOn = () => localStorage.getItem('single-keys') !== 'off';

const isResting = (event) =>
  event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey
  || event.target.matches?.(RESTING) || document.querySelector('dialog[open]');

// A key that is held down moves on, but decides only once: what comes next has not been seen.
const MOVING = /^([jk]|.{2,})$/i;
const isLetter = (event) => event.key.length === 1 && event.key !== ' ';

// `map` is {key: action}; a shifted letter is written in capitals. An action that returns false lets the key through.
// A key with a name (Space, Enter, arrows) works even when single letters are turned off.
export const on = (map) => document.addEventListener('keydown', (event) => {
  const action = map[event.key];
  if (!action || isResting(event) || (isLetter(event) && !areOn())) return;
  const isHeld = event.repeat && !MOVING.test(event.key);
  if (isHeld || action(event) !== false) event.preventDefault();
});
