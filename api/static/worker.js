// The service worker: a reload without a network shows the record page with the last table. It caches the page and its
// files, and serves them only if the service does not answer. api/pages/installing.py puts `SHELL` and `MAKE` before
// this code.

/** @typedef {Event & {waitUntil: (work: Promise<unknown>) => void}} Lasting */
/** @typedef {Lasting & {request: Request, respondWith: (answer: Promise<Response>) => void}} Asking */

const worker = /** @type {EventTarget & {skipWaiting: () => Promise<void>, clients: {claim: () => Promise<void>}}} */ (
  /** @type {unknown} */ (self)
);
const FILES = `files-${MAKE}`;
const PAGES = "pages";
const RECORDING = /^\/games\/[^/]+\/(record|setup)$/;
const PATIENCE = 4000; // ms until the cached page is shown
const GONE = [401, 403, 404, 410];

worker.addEventListener("install", (event) => {
  const filled = caches.open(FILES).then((files) => files.addAll(SHELL));
  /** @type {Lasting} */ (event).waitUntil(filled.then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  /** @type {Lasting} */ (event).waitUntil(tidy().then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (event) => {
  const asking = /** @type {Asking} */ (event);
  const { request } = asking;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (pathname.startsWith("/static/")) asking.respondWith(file(request, FILES));
  else if (pathname.startsWith("/runtime/")) asking.respondWith(file(request, "runtime"));
  else if (request.mode === "navigate" && RECORDING.test(pathname)) asking.respondWith(page(asking));
});

/** Delete the files of other builds, and pages that use them. */
async function tidy() {
  const others = (await caches.keys()).filter((name) => name.startsWith("files-") && name !== FILES);
  if (others.length) await caches.delete(PAGES);
  await Promise.all(others.map((name) => caches.delete(name)));
}

/** @param {Request} request @param {string} name  of the cache */
async function file(request, name) {
  const files = await caches.open(name);
  return (await files.match(request, { ignoreVary: true })) ?? fetch(request);
}

/**
 * Return the response of the service; the cached one if the service does not answer.
 * @param {Asking} asking
 * @returns {Promise<Response>}
 */
async function page(asking) {
  const { pathname } = new URL(asking.request.url);
  const pages = await caches.open(PAGES);
  const kept = await pages.match(pathname, { ignoreVary: true });
  const asked = fetch(asking.request).then(async (answer) => {
    if (GONE.includes(answer.status)) await forget();
    else if (answer.status === 200) await keep(pages, pathname, answer.clone());
    return answer;
  });
  if (!kept) return asked;
  asking.waitUntil(asked.catch(() => {}));
  /** @type {Promise<Response>} */
  const late = new Promise((resolve) => setTimeout(() => resolve(kept), PATIENCE));
  return Promise.race([asked.catch(() => kept), late]);
}

/** Cache only the last page. @param {Cache} pages @param {string} pathname @param {Response} answer */
async function keep(pages, pathname, answer) {
  for (const other of await pages.keys()) {
    if (new URL(other.url).pathname !== pathname) await pages.delete(other);
  }
  await pages.put(pathname, answer);
}

async function forget() {
  await Promise.all(["pages", "tables"].map((name) => caches.delete(name)));
}
