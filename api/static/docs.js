// The contract page: search operations, open the one in the address, and send requests.

import { $, $$, around } from "./ui.js";

/** Open the operation in the address. Older links have the form `#/tag/operation`. */
function follow() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)).split("/").pop() ?? "");
  if (place instanceof HTMLDetailsElement) {
    place.open = true;
    place.scrollIntoView();
  }
}

/** Hide the operations without the words in the search field. */
function filter() {
  const wanted = $("filter", HTMLInputElement).value.toLowerCase();
  for (const operation of $$(".operation")) {
    operation.hidden = !`${operation.id} ${operation.querySelector("summary")?.textContent}`
      .toLowerCase()
      .includes(wanted);
  }
  for (const section of $$("section")) {
    const operations = $$(".operation", section);
    section.hidden = operations.length > 0 && operations.every((operation) => operation.hidden);
  }
}

/**
 * Return the request that a form describes.
 * @param {HTMLFormElement} form
 * @returns {{url: string, options: {method: string, headers: Record<string, string>, body?: string}}}
 */
function request(form) {
  let path = String(form.dataset.path);
  const query = new URLSearchParams();
  /** @type {Record<string, string>} */
  const headers = {};
  for (const field of /** @type {HTMLInputElement[]} */ ($$("input", form))) {
    if (field.dataset.in === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value));
    else if (!field.value) continue;
    else if (field.dataset.in === "query") query.append(field.name, field.value);
    else if (field.dataset.in === "header") headers[field.name] = field.value;
  }
  const token = $("token", HTMLInputElement).value;
  if (token) headers.Authorization = `Bearer ${token}`;
  const text = form.querySelector("textarea")?.value;
  if (text) headers["Content-Type"] = "application/json";
  const url = new URL(path + (query.size ? `?${query}` : ""), location.origin).href;
  return { url, options: { method: String(form.dataset.method), headers, ...(text ? { body: text } : {}) } };
}

/** @param {string} text */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Return the request of a form as a curl command. @param {HTMLFormElement} form */
function command(form) {
  const { url, options } = request(form);
  const headers = Object.entries(options.headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const body = options.body ? [`-d ${quoted(options.body)}`] : [];
  return ["curl", "-X", options.method, ...headers, ...body, quoted(url)].join(" ");
}

/**
 * Show a response below a form.
 * @param {HTMLFormElement} form
 * @param {string} heading
 * @param {string} text
 */
function show(form, heading, text) {
  const place = /** @type {HTMLElement} */ (form.querySelector(".answer"));
  /** @type {HTMLElement} */ (place.firstElementChild).textContent = heading;
  /** @type {HTMLElement} */ (place.lastElementChild).textContent = text;
  place.hidden = false;
}

/** Send the request of a form, and show the response. @param {HTMLFormElement} form */
async function send(form) {
  const { url, options } = request(form);
  try {
    const answer = await fetch(url, options);
    const heading = `${answer.status} ${answer.statusText}`;
    const type = answer.headers.get("Content-Type") ?? "";
    if (type.startsWith("text/event-stream")) {
      await answer.body?.cancel();
      show(form, heading, "This stream does not end. Follow it with curl.");
      return;
    }
    const text = await answer.text();
    show(form, heading, type.includes("json") && text ? JSON.stringify(JSON.parse(text), null, 2) : text);
  } catch (error) {
    show(form, "No answer", String(error));
  }
}

addEventListener("hashchange", follow);
$("filter").addEventListener("input", filter);
$("main").addEventListener("submit", (event) => {
  event.preventDefault();
  send(/** @type {HTMLFormElement} */ (event.target));
});
$("main").addEventListener("click", (event) => {
  const form = around(event, "[data-copy]")?.closest("form");
  if (!form) return;
  const text = command(form);
  navigator.clipboard?.writeText(text);
  show(form, "Copied", text);
});
follow();
