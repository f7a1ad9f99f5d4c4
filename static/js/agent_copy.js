// Copying a message, or a block of code in it. The button says for a moment that it did.
const FOR_A_MOMENT = 1500;

// An answer with sources is copied as its Markdown file.
const fetchText = async (address) => {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.text();
};
const textOf = (button) => {
  if (button.dataset.copy) return fetchText(button.dataset.copy);
  if (button.matches('[data-copy-code]')) return button.parentElement.querySelector('pre').textContent;
  const message = button.closest('[data-version]');
  return message.dataset.text ?? message.querySelector('.agent-text').innerText;
};
const say = (button, copied) => {
  const [word, use] = [button.querySelector('[data-word]'), button.querySelector('use')];
  const [file, name] = use.getAttribute('href').split('#');
  button.dataset.icon ??= name;
  use.setAttribute('href', `${file}#${copied ? 'check' : button.dataset.icon}`);
  if (word) word.textContent = copied ? 'Copied' : 'Copy';
  button.classList.toggle('copied', copied);
};

document.addEventListener('click', async (event) => {
  const button = event.target.closest('#agent :is([data-copy], [data-copy-code])');
  if (!button) return;
  await navigator.clipboard.writeText(await textOf(button));
  say(button, true);
  document.getElementById('agent-says').textContent = 'Copied.';
  setTimeout(() => say(button, false), FOR_A_MOMENT);
});
