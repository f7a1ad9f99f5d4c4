// The page that an MCP client shows in its sandbox (agent/mcp/app.py). It shows a card, and opens DocRouter.
{
  const PROTOCOL = "2026-01-26";
  const CARD = "docrouter/card";
  const cards = document.getElementById("cards");
  const note = document.getElementById("note");
  let link = "";
  let last = 0;

  const send = (message) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = (method, params) => send({ id: ++last, method, params });
  const tellSize = () =>
    send({
      method: "ui/notifications/size-changed",
      params: { width: document.documentElement.scrollWidth, height: document.body.scrollHeight },
    });

  function show(result) {
    const card = (result._meta || {})[CARD];
    link = card ? card.link : "";
    note.hidden = !link;
    if (card) {
      // Markup of our own server, in a frame that may load nothing and has no rights of ours.
      cards.innerHTML = card.markup;
    } else {
      const state = (result.structuredContent || {}).status || (result.isError ? "failed" : "done");
      cards.textContent = `DocRouter: ${String(state).replaceAll("_", " ")}.`;
    }
    tellSize();
  }

  function setTheme(context) {
    if (context && (context.theme === "dark" || context.theme === "light")) {
      document.documentElement.dataset.theme = context.theme;
      document.documentElement.style.colorScheme = context.theme;
    }
  }

  window.addEventListener("message", (event) => {
    const message = event.data;
    if (event.source !== window.parent || !message || message.jsonrpc !== "2.0") return;
    if (message.id === 1 && message.result) {
      setTheme(message.result.hostContext);
      send({ method: "ui/notifications/initialized", params: {} });
    } else if (message.method === "ui/notifications/tool-result") {
      show(message.params || {});
    } else if (message.method === "ui/notifications/host-context-changed") {
      setTheme(message.params);
    } else if (message.method && message.id !== undefined) {
      send({ id: message.id, result: {} });
    }
  });
  document.getElementById("open").addEventListener("click", () => link && request("ui/open-link", { url: link }));
  request("ui/initialize", {
    protocolVersion: PROTOCOL,
    appInfo: { name: "DocRouter", version: "1" },
    appCapabilities: { availableDisplayModes: ["inline"] },
  });
}
