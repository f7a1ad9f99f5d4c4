// "now" and "4 min ago", which the server wrote, go on while the page is open: the rows of one list came at different times.
const EVERY = 15000;
const AGE = /^(now|\d+ min ago)$/;

export const writeAges = () => {
  for (const time of document.querySelectorAll('time[data-age]')) {
    if (!AGE.test(time.textContent)) continue;
    const minutes = Math.floor((Date.now() - Date.parse(time.dateTime)) / 60000);
    if (minutes < 1) time.textContent = 'now';
    // After an hour it is the time of day, in the server's zone, as the attribute has it.
    else time.textContent = minutes < 60 ? `${minutes} min ago` : time.dateTime.slice(11, 16);
  }
};
setInterval(writeAges, EVERY);
