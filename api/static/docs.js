// The contract, to read and to try: Swagger UI on our own openapi.yaml.

import { $ } from "./ui.js";

const place = $("contract");
window.SwaggerUIBundle({ url: String(place.dataset.url), domNode: place, deepLinking: true, validatorUrl: null });
