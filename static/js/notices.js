// Where the focus goes when a notice that has it is gone: back to what had it before, or what stands in its place.
const notice = () => document.getElementById('notice');
let before = null;

const isThere = (element) => element?.isConnected && element.checkVisibility();
const findBefore = () => (isThere(before) ? before : before?.id && document.getElementById(before.id));
const giveBack = () => {
  const place = [findBefore(), document.getElementById('main')].find(isThere);
  place?.focus({ preventScroll: true });
};
export const dismiss = (banner) => {
  const hadFocus = banner.contains(document.activeElement);
  banner.remove();
  if (hadFocus) giveBack();
};

// An answer may put another notice there, or none.
let hadFocus = false;
const remember = () => { hadFocus = Boolean(notice()?.contains(document.activeElement)); };
const goOn = () => {
  if (hadFocus && document.activeElement === document.body) giveBack();
  hadFocus = false;
};
document.addEventListener('htmx:oobBeforeSwap', ({ detail }) => { if (detail.target === notice()) remember(); });
document.addEventListener('htmx:oobAfterSwap', goOn);
document.addEventListener('focusin', ({ target }) => {
  if (!notice()?.contains(target)) before = target;
});
