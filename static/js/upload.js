// Files in: dropped anywhere or chosen, one request a file, each with its own progress and its own sentence.
import { token } from './csrf.js';
import * as keys from './keys.js';
import { showUploadTags, uploadTags } from './upload_tags.js';

const AT_ONCE = 3;
const list = document.querySelector('[data-upload]');
const chooser = document.getElementById('files');
const rows = document.getElementById('rows');
const waiting = [];
let running = 0;
export const isUploading = () => waiting.length + running > 0;

// --- Automatic setup: as the organization has it, until somebody chooses otherwise here. A new default counts again. ---

const options = () => [...document.querySelectorAll('[data-auto-setup]')];
const choiceName = () => `auto-create-${list.dataset.organization}`;
const readChoice = () => (options()[0]?.checked ? '1' : '0');
const chosen = () => {
  const [usual, own] = (localStorage.getItem(choiceName()) || '').split(' ');
  return usual === options()[0]?.dataset.autoSetup ? own : '';
};
const choose = (isOn) => options().forEach((option) => { option.checked = isOn; });
if (list && chosen()) choose(chosen() === 'on');
document.addEventListener('change', (event) => {
  if (!event.target.matches('[data-auto-setup]')) return;
  choose(event.target.checked);
  localStorage.setItem(choiceName(), `${event.target.dataset.autoSetup} ${event.target.checked ? 'on' : 'off'}`);
});

const placeholder = (file) => {
  const row = document.getElementById('upload-row').content.firstElementChild.cloneNode(true);
  row.querySelector('[data-name]').textContent = file.name;
  row.querySelector('[data-size]').textContent = file.size < 1048576 ? `${Math.ceil(file.size / 1024)} KB` : `${(file.size / 1048576).toFixed(1)} MB`;
  row.querySelector('[data-kind]').textContent = file.name.includes('.') ? file.name.split('.').pop().toUpperCase().slice(0, 4) : 'FILE';
  row.querySelector('progress').setAttribute('aria-label', `Uploading ${file.name}`);
  document.getElementById('empty')?.remove();
  document.getElementById('filled').hidden = false;
  document.getElementById('upload').hidden = false;
  rows.prepend(row);
  return row;
};

// `link` leads to what the sentence is about.
const refuse = (row, sentence, link = null) => {
  row.classList.add('refused');
  row.querySelector('progress').remove();
  const state = row.querySelector('[data-state]');
  state.className = 'state state-fail';
  state.textContent = 'Not stored';
  // Below the name there is room for a whole sentence.
  const reason = row.querySelector('[data-size]');
  reason.className = 'problem';
  reason.setAttribute('role', 'alert');
  reason.textContent = sentence;
  if (link) reason.append(' ', link);
  const button = row.querySelector('[data-remove]');
  button.hidden = false;
  button.addEventListener('click', () => row.remove());
};

// What DocRouter says stands in an alert. A proxy in front refuses with a page of its own.
const explain = (row, request) => {
  const page = new DOMParser().parseFromString(request.responseText, 'text/html');
  const sentence = page.querySelector('[role=alert] p')?.textContent.trim();
  if (sentence) refuse(row, sentence, page.querySelector('[role=alert] a, [role=alert] button'));
  else if (request.status === 413) refuse(row, 'The file is larger than the proxy in front of DocRouter takes. The operator can raise its limit.');
  else refuse(row, 'The upload stopped and nothing was kept. Try again.');
};

const accept = (row, html) => {
  const holder = document.createElement('template');
  holder.innerHTML = html;
  const stored = holder.content.querySelector('tr');
  const known = document.getElementById(stored.id);
  if (known) known.remove();
  row.replaceWith(stored);
  htmx.process(stored);
  document.dispatchEvent(new CustomEvent('docrouter:stored', { detail: { row: stored } }));
};

// The file would bring many documents: it is sent again once the person has said so.
const offerAll = (upload) => upload.row.querySelector('[data-unpack-many]')?.addEventListener('click', () => {
  const row = placeholder(upload.file);
  upload.row.remove();
  waiting.push({ ...upload, row, unpackMany: '1' });
  next();
});

const send = (upload) => {
  const { file, row, autoSetup, tags, unpackMany = '' } = upload;
  running += 1;
  const request = new XMLHttpRequest();
  const state = row.querySelector('[data-state]');
  const bar = row.querySelector('progress');
  const end = () => { running -= 1; next(); };
  request.upload.addEventListener('progress', (event) => {
    if (!event.lengthComputable) return;
    const percent = Math.floor((event.loaded / event.total) * 100);
    bar.value = percent;
    state.textContent = percent < 100 ? `Uploading ${percent} %` : 'Storing';
  });
  request.addEventListener('load', () => {
    if (request.status === 201) accept(row, request.responseText);
    else { explain(row, request); offerAll(upload); showUploadTags(); }
    end();
  });
  request.addEventListener('error', () => { refuse(row, 'The connection broke off, so nothing was kept. Try again.'); end(); });
  request.open('POST', list.dataset.upload);
  request.setRequestHeader('X-CSRFToken', token());
  request.setRequestHeader('HX-Request', 'true');
  const form = new FormData();
  form.append('file', file);
  form.append('auto_setup', autoSetup);
  form.append('unpack_many', unpackMany);
  tags.forEach((id) => form.append('tag', id));
  request.send(form);
};

const next = () => {
  while (running < AT_ONCE && waiting.length) send(waiting.shift());
};

const take = (files) => {
  const mostBytes = Number(list.dataset.maxMb) * 1048576;
  const isSent = [...files].some((file) => file.size && file.size <= mostBytes);
  if (isSent) document.dispatchEvent(new CustomEvent('docrouter:uploading', { detail: { count: files.length } }));
  for (const file of [...files].reverse()) {
    const row = placeholder(file);
    if (file.size > mostBytes) refuse(row, `Larger than ${list.dataset.maxMb} MB, the most that is taken here.`);
    else if (!file.size) refuse(row, 'The file is empty, or it is a folder.');
    else waiting.push({ file, row, autoSetup: readChoice(), tags: uploadTags() });
  }
  next();
};

if (list) {
  const shade = (is) => document.body.classList.toggle('dropping', is);
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  let depth = 0;
  document.addEventListener('dragenter', (event) => { if (hasFiles(event)) { depth += 1; shade(true); } });
  document.addEventListener('dragleave', (event) => { if (hasFiles(event)) { depth -= 1; if (depth <= 0) { depth = 0; shade(false); } } });
  document.addEventListener('dragover', (event) => { if (hasFiles(event)) event.preventDefault(); });
  document.addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    shade(false);
    take(event.dataTransfer.files);
  });
  chooser.addEventListener('change', () => { take(chooser.files); chooser.value = ''; });
  document.addEventListener('click', (event) => { if (event.target.closest('[data-choose]')) chooser.click(); });
  keys.on({ u: () => chooser.click() });
  window.addEventListener('beforeunload', (event) => { if (running) event.preventDefault(); });
}
