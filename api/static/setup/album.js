// The pictures of a box's tiles. They stay in this browser.

/** @typedef {{values: import("./table.js").Value[], patches: import("./reading.js").Patch[]}} Album */

const TILES = "tiles";
/** The albums of this page. They are kept here even if the browser stores nothing. @type {Map<string, Album>} */
const open = new Map();

/** @returns {Promise<IDBDatabase>} */
function database() {
  const opening = indexedDB.open("driftlog", 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(TILES);
  return answer(opening);
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function answer(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** Return the pictures of a box; null if there are none. @param {string} box @returns {Promise<Album | null>} */
export async function albumOf(box) {
  try {
    const found = await answer((await database()).transaction(TILES).objectStore(TILES).get(box));
    return found ?? open.get(box) ?? null;
  } catch {
    return open.get(box) ?? null;
  }
}

/** @param {string} box @param {Album} album */
export async function keepAlbum(box, album) {
  open.set(box, album);
  try {
    await answer((await database()).transaction(TILES, "readwrite").objectStore(TILES).put(album, box));
  } catch {
    // The window is private or the disk is full.
  }
}
