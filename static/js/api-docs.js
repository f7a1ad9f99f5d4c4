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
  });
})();
