// The seconds of what runs go on while the server says nothing new: it said how many had passed when it wrote the strip.
const EVERY = 1000;
const begun = new WeakMap();

const write = () => {
  for (const clock of document.querySelectorAll('[data-elapsed]')) {
    if (!begun.has(clock)) begun.set(clock, performance.now() - Number(clock.dataset.elapsed) * 1000);
    const seconds = Math.round((performance.now() - begun.get(clock)) / 1000);
    clock.textContent = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
};
setInterval(write, EVERY);
