// Data that this browser stores for use without a network: the page (in the service worker) and the last table shown.
// All of it is deleted once the user may no longer see the game.

const PAGES = "pages";
const TABLES = "tables";
const RUNTIME = "runtime";
const GONE = [401, 403, 404, 410]; // revoked, or deleted

/** False without a secure context (TLS or localhost), where there are no caches. */
const isAble = typeof caches !== "undefined" && "serviceWorker" in navigator;

/** Make this page available without a network. */
export async function install() {
  if (!isAble) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
    await navigator.serviceWorker.ready;
    // The service worker did not exist yet when this page was loaded.
    const pages = await caches.open(PAGES);
    if (!(await pages.match(location.pathname, { ignoreVary: true }))) await pages.add(location.pathname);
  } catch {
    // The browser refuses to store the page, or it was loaded offline. It still works with a network.
  }
}

/** Store the table of the game at `url`, and delete all others. @param {string} url @param {object} table */
export async function keepTable(url, table) {
  if (!isAble) return;
  try {
    const tables = await caches.open(TABLES);
    for (const other of await tables.keys()) {
      if (new URL(other.url).pathname !== url) await tables.delete(other);
    }
    await tables.put(url, new Response(JSON.stringify(table)));
  } catch {
    // The disk is full.
  }
}

/** Return the stored table of the game at `url`; null if there is none. @param {string} url @returns {Promise<any>} */
export async function keptTable(url) {
  if (!isAble) return null;
  try {
    const kept = await (await caches.open(TABLES)).match(url);
    return (await kept?.json()) ?? null;
  } catch {
    return null;
  }
}

/**
 * Store the files with which pages run the rules, and delete those of other versions.
 * @param {string[]} addresses
 */
export async function storeRuntime(addresses) {
  if (!isAble) return;
  try {
    const files = await caches.open(RUNTIME);
    const known = (await files.keys()).map(({ url }) => new URL(url).pathname);
    await Promise.all(known.filter((path) => !addresses.includes(path)).map((path) => files.delete(path)));
    // Store the files one by one, so that a network failure loses only one file.
    for (const path of addresses.filter((path) => !known.includes(path))) await files.add(path);
  } catch {
    // The disk is full, or the network fails. The other files are stored next time.
  }
}

/** Return true if the status means that the user may no longer see the game. @param {number} status */
export function isGone(status) {
  return GONE.includes(status);
}

/** Delete everything stored. */
export async function forgetTables() {
  if (isAble) await Promise.all([PAGES, TABLES].map((name) => caches.delete(name)));
}
