// Before first paint: the chosen theme, else the system's.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    document.documentElement.dataset.theme = localStorage.getItem('theme') || (system.matches ? 'dark' : 'light');
  };
  apply();
  system.addEventListener('change', apply);
})();
