// What the server asks of every request that changes something; htmx sends it by itself.
export const token = () => JSON.parse(document.body.getAttribute('hx-headers'))['X-CSRFToken'];
