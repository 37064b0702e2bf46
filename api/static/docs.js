// The contract, to read and to try: Swagger UI on our own openapi.yaml.

import { $, $$ } from "./ui.js";

/**
 * Its parts, laid out for a page that has a `main`, headings and links of its own.
 * @param {{React: {createElement: (type: unknown, props?: object | null, ...children: unknown[]) => unknown}}} system
 */
function ours({ React: { createElement } }) {
  /** @param {{getComponent: (name: string, isContainer?: boolean) => unknown, specSelectors: {specStr: () => string}}} props */
  function Contract({ getComponent, specSelectors }) {
    /** @param {string} name */
    const part = (name, isContainer = true) => createElement(getComponent(name, isContainer));
    if (!specSelectors.specStr()) return createElement("p", { className: "wrapper" }, "Reading the contract …");
    return createElement(
      "div",
      { className: "swagger-ui" },
      part("SvgAssets", false),
      createElement("div", { className: "wrapper" }, part("InfoContainer"), part("AuthorizeBtnContainer")),
      createElement("h2", { className: "wrapper" }, "What can be asked"),
      createElement("div", { className: "wrapper" }, part("operations"), part("Models")),
    );
  }
  /** A link within the button that opens an operation could be reached by no key. @param {{text: string}} props */
  function DeepLink({ text }) {
    return createElement("span", null, text);
  }
  return { components: { Contract, DeepLink } };
}

const place = $("contract");
window.SwaggerUIBundle({
  url: String(place.dataset.url),
  domNode: place,
  deepLinking: true,
  validatorUrl: null,
  syntaxHighlight: false,
  layout: "Contract",
  plugins: [ours],
});

// What it leaves without a name, or out of reach of keys.
new MutationObserver(() => {
  for (const select of $$("tr[data-param-name] select", place)) {
    select.setAttribute("aria-label", select.closest("tr")?.dataset.paramName ?? "");
  }
  for (const example of $$("pre", place)) example.tabIndex = 0;
}).observe(place, { childList: true, subtree: true });
