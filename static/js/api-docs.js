"use strict";

// The API's own page: Swagger UI over /v0/openapi.json, calling as the signed-in person unless a token is given.
(() => {
  const place = document.getElementById("api-docs");

  function asSignedIn(request) {
    const method = (request.method || "GET").toUpperCase();
    if (!["GET", "HEAD"].includes(method)) {
      request.headers["X-CSRFToken"] = place.dataset.csrfToken;
    }
    return request;
  }

  // Swagger UI names its parts for nobody who cannot see them, and its headings leave out a level.
  function nameParts() {
    const names = { ".information-container section": "About this API", ".schemes": "Server", "#servers": "Server" };
    for (const [selector, name] of Object.entries(names)) {
      place.querySelector(selector)?.setAttribute("aria-label", name);
    }
    const heading = document.createElement("h2");
    heading.className = "sr";
    heading.textContent = "Routes";
    document.getElementById("operations")?.prepend(heading);
  }

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();

  window.SwaggerUIBundle({
    domNode: place,
    url: place.dataset.description,
    presets: [window.SwaggerUIBundle.presets.apis],
    layout: "BaseLayout",
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "none",
    validatorUrl: null,
    requestInterceptor: asSignedIn,
    onComplete: nameParts,
  });
})();
