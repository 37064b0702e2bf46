// What this browser keeps of a table for when there is no network: the page, by the service worker, and what it showed
// last. Nothing of it outlives the leave to see it.

const PAGES = "pages";
const TABLES = "tables";
const GONE = [401, 403, 404, 410]; // withdrawn, or gone

/** Caches are there only where the page came safely: over TLS, or from this machine. */
const isAble = typeof caches !== "undefined" && "serviceWorker" in navigator;

/** Have this page come up without a network, too. */
export async function install() {
  if (!isAble) return;
  try {
    await navigator.serviceWorker.register("/worker.js");
    await navigator.serviceWorker.ready;
    // It was not there yet when this page came.
    const pages = await caches.open(PAGES);
    if (!(await pages.match(location.pathname, { ignoreVary: true }))) await pages.add(location.pathname);
  } catch {
    // A browser that keeps nothing, or a page that came without the service: it works on without.
  }
}

/** Keep what the game at `url` looks like now, and of no other. @param {string} url @param {object} table */
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

/** What was kept of the game at `url`; null where nothing was. @param {string} url @returns {Promise<any>} */
export async function keptTable(url) {
  if (!isAble) return null;
  try {
    const kept = await (await caches.open(TABLES)).match(url);
    return (await kept?.json()) ?? null;
  } catch {
    return null;
  }
}

/** Whether an answer says that one may not see it any more. @param {number} status */
export function isGone(status) {
  return GONE.includes(status);
}

/** Keep nothing any more. */
export async function forgetTables() {
  if (isAble) await Promise.all([PAGES, TABLES].map((name) => caches.delete(name)));
}
