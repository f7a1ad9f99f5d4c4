// The list follows rules that are made and revoked elsewhere.
import { refresh } from './refresh.js';

document.addEventListener('docrouter:event', ({ detail }) => { if (detail.kind === 'rule.changed') refresh('rules'); });
document.addEventListener('docrouter:back', () => refresh('rules'));
