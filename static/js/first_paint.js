// Before first paint: what this browser remembers of how pages look, which would change before one's eyes otherwise.
(() => {
  const root = document.documentElement;
  // The chosen theme, else the system's. The server reads the choice from the cookie and writes it into the page, so that
  // not even the moment before this script is in other colours.
  const system = matchMedia('(prefers-color-scheme: dark)');
  const chosen = () => /(?:^|; )theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  const apply = () => { root.dataset.theme = chosen() || (system.matches ? 'dark' : 'light'); };
  // Where earlier versions kept it.
  const kept = localStorage.getItem('theme');
  if (kept && !chosen()) document.cookie = `theme=${kept}; path=/; max-age=31536000; samesite=lax`;
  // What the person chose elsewhere holds in this browser too.
  const own = document.querySelector('meta[name="account-theme"]')?.content;
  const age = { light: 31536000, dark: 31536000, system: 0 }[own];
  if (age !== undefined) document.cookie = `theme=${own}; path=/; max-age=${age}; samesite=lax`;
  apply();
  system.addEventListener('change', apply);
  // Which key commands are shown with.
  root.dataset.command = /Mac|iP/.test(navigator.platform) ? 'mac' : 'ctrl';
  // Of the document page: whether its thumbnails and its tree are shown, and the width of its panel.
  root.dataset.thumbs = localStorage.getItem('thumbs') || '';
  root.dataset.structure = localStorage.getItem('structure') || '';
  for (const tab of ['extraction', 'agent']) {
    const width = Number(localStorage.getItem(`panel-width-${tab}`));
    if (width) root.style.setProperty(`--panel-${tab}`, `${width}px`);
  }
})();
