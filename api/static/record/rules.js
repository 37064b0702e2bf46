// A web worker that runs the rules (`service/ahead.py`) in Python for browsers, for `judge.js`.

/**
 * @typedef {{id: number, call: string, told: string}} Call
 * @typedef {{version: number, follow: (events: string) => void, append: (tap: string) => string}} Game
 * @typedef {{unpackArchive: (archive: ArrayBuffer, format: string, options: {extractDir?: string}) => void,
 *   runPython: (code: string) => any}} Python
 */

const FOLDER = "/rules";
const BEGIN = `
import sys
sys.path.insert(0, "${FOLDER}")
from service.ahead import begin
`;

const port = /** @type {EventTarget & {postMessage: (answer: object) => void}} */ (/** @type {unknown} */ (self));
/** @type {Python} */
let python;
/** @type {Game} */
let game;
/** The end of the last call: calls run one after the other. @type {Promise<void>} */
let last = Promise.resolve();

port.addEventListener("message", (event) => {
  const { id, call, told } = /** @type {MessageEvent<Call>} */ (event).data;
  last = last.then(async () => {
    try {
      port.postMessage({ id, answer: await calls[call](told) });
    } catch (error) {
      port.postMessage({ id, error: String(error) });
    }
  });
});

/** @type {Record<string, (told: string) => unknown>} */
const calls = {
  /** Load everything. @param {string} told  the addresses of the files, and the language */
  async start(told) {
    const { addresses, language } = /** @type {{addresses: string[], language: string}} */ (JSON.parse(told));
    const main = String(addresses.find((address) => address.endsWith("/pyodide.mjs")));
    const { loadPyodide } = await import(main);
    const archives = addresses.filter((address) => /\.whl$|rules\.zip$/.test(address));
    const fetched = archives.map(async (address) => (await fetch(address)).arrayBuffer());
    python = await loadPyodide({ indexURL: new URL(".", new URL(main, location.href)).href });
    for (const [index, address] of archives.entries()) {
      const isRules = address.endsWith(".zip");
      python.unpackArchive(await fetched[index], isRules ? "zip" : "wheel", isRules ? { extractDir: FOLDER } : {});
    }
    python.runPython(BEGIN);
    python.runPython("begin")(language, FOLDER);
  },
  /** Replay a log. @param {string} log */
  open(log) {
    game = python.runPython("from service.ahead import Ahead; Ahead")(log);
    return game.version;
  },
  /** @param {string} events */
  follow(events) {
    game.follow(events);
    return game.version;
  },
  /** @param {string} tap */
  append: (tap) => game.append(tap),
};

export {};
