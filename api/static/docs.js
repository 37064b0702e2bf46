// The contract, to read and to try: Swagger UI on our own openapi.yaml.

const place = document.getElementById("contract");
window.SwaggerUIBundle({ url: place.dataset.url, domNode: place, deepLinking: true, validatorUrl: null });
