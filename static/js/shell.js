// The frame of every page: theme, menus, notices, the keyboard sheet.
import * as keys from './keys.js';

const root = document.documentElement;

const toggleTheme = () => {
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  localStorage.setItem('theme', root.dataset.theme);
};

export const say = (sentence) => {
  const template = document.createElement('div');
  template.className = 'banner banner-fail';
  template.setAttribute('role', 'alert');
  template.textContent = sentence;
  document.getElementById('notice')?.replaceChildren(template);
};

const sheet = document.getElementById('keys');
const openSheet = () => sheet && !sheet.open && sheet.showModal();

document.addEventListener('click', (event) => {
  const on = (selector) => event.target.closest(selector);
  if (on('[data-theme-toggle]')) toggleTheme();
  if (on('[data-keys]')) openSheet();
  if (on('[data-close]') || event.target === sheet) on('dialog')?.close();
  on('[data-dismiss]')?.closest('.banner').remove();
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (!menu.contains(event.target) || on('.menu-list a, .menu-list button')) menu.open = false;
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const menu = document.querySelector('details.menu[open]');
  if (menu) {
    menu.open = false;
    menu.querySelector('summary').focus();
    event.preventDefault();
  }
});
keys.on({ '?': openSheet });

const single = sheet?.querySelector('[data-single-keys]');
if (single) {
  single.checked = keys.areOn();
  single.addEventListener('change', () => localStorage.setItem('single-keys', single.checked ? 'on' : 'off'));
}

document.addEventListener('htmx:sendError', () => say('The server cannot be reached. Nothing was changed; try again when the connection is back.'));
document.addEventListener('htmx:timeout', () => say('The server took too long to answer. Load the page again to see what holds now.'));
// An old answer in #notice must not outlive the next thing that works.
document.addEventListener('htmx:afterRequest', (event) => {
  if (event.detail.successful && event.detail.requestConfig.verb !== 'get') {
    document.querySelector('#notice > [role=alert]')?.remove();
  }
});
