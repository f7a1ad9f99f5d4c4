// The frame of every page: theme, menus, notices, the keyboard sheet.
import * as keys from './keys.js';
import { dismiss } from './notices.js';
import './undo.js';

const root = document.documentElement;

const toggleTheme = (button) => {
  root.dataset.theme = root.dataset.theme === 'dark' ? 'light' : 'dark';
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
  if (button.dataset.keep) htmx.ajax('POST', button.dataset.keep, { source: button, swap: 'none', values: { theme: root.dataset.theme } });
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
  if (on('[data-theme-toggle]')) toggleTheme(on('[data-theme-toggle]'));
  if (on('[data-keys]')) openSheet();
  if (on('[data-close]') || event.target === sheet) on('dialog')?.close();
  const banner = on('[data-dismiss]')?.closest('.banner');
  if (banner) dismiss(banner);
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    // A dialog that a menu has opened is no place beside it.
    if (on('dialog') && !menu.closest('dialog')) continue;
    if (!menu.contains(event.target) || (on('.menu-list a, .menu-list button') && !on('[data-stays]'))) menu.open = false;
  }
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented) return;
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

// What is said while the server cannot be reached goes away by itself once it can.
const sayUnreachable = (sentence) => {
  say(sentence);
  document.getElementById('notice')?.firstElementChild?.setAttribute('data-unreachable', '');
};
const takeBackUnreachable = () => document.querySelector('#notice > [data-unreachable]')?.remove();
document.addEventListener('htmx:sendError', () => sayUnreachable('The server cannot be reached. Nothing was changed; try again when the connection is back.'));
window.addEventListener('offline', () => sayUnreachable('This device is offline. What is shown here is brought up to date when the connection is back.'));
window.addEventListener('online', takeBackUnreachable);
document.addEventListener('docrouter:back', takeBackUnreachable);
document.addEventListener('htmx:afterRequest', (event) => { if (event.detail.successful && navigator.onLine) takeBackUnreachable(); });
document.addEventListener('htmx:timeout', () => say('The server took too long to answer. Load the page again to see the present state.'));
// A failure that is no fragment of ours, such as the page of a proxy, is said in its own words. It is not put into the
// page: what asked by htmx.ajax says how to swap, which would replace #notice itself, and the next failure had no place.
document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  if (!detail.isError || detail.xhr.getResponseHeader('HX-Retarget')) return;
  detail.shouldSwap = false;
  const answer = new DOMParser().parseFromString(detail.serverResponse, 'text/html');
  const words = (answer.querySelector('main') || answer.body).textContent.replace(/\s+/g, ' ').trim();
  say(words.slice(0, 300) || `The server answered with the error ${detail.xhr.status}. Load the page again to see the present state.`);
});
// An old answer in #notice must not outlive the next thing that works.
document.addEventListener('htmx:afterRequest', (event) => {
  if (event.detail.successful && event.detail.requestConfig.verb !== 'get') {
    document.querySelector('#notice > [role=alert]')?.remove();
  }
});
