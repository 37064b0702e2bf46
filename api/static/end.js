// The end of a game: the ending taken back, the picture sent, the same table once more.

import { api, newKey } from "./api.js";
import { rematchButtons } from "./record/rematch.js";
import { $, messageOf, putSvg, toast } from "./ui.js";
import { say } from "./words.js";

const root = $("end");
const { api: url, record, title, before } = /** @type {Record<string, string>} */ (root.dataset);

/** The picture as a file. @param {string} address */
async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(say("There is no picture of this game."));
  return new File([await answer.blob()], "driftlog.png", { type: "image/png" });
}

/** Send the picture by what the phone has for that; without such a thing the link downloads it. @param {Event} event */
async function share(event) {
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  if (!navigator.canShare?.({ files: [new File([], "driftlog.png", { type: "image/png" })] })) return;
  event.preventDefault();
  try {
    await navigator.share({ files: [await fetched(link.href)], title });
  } catch (error) {
    // Whoever thought better of it needs no word about it.
    if (!(error instanceof DOMException && error.name === "AbortError")) toast(messageOf(error), { kind: "bad" });
  }
}

/** Take back what ended the game, and go on recording. */
async function undo() {
  await api(`${url}/events`, { body: { type: "undo", params: { to: Number(before) } }, key: newKey() });
  location.assign(record);
}

async function start() {
  $("share-picture").addEventListener("click", share);
  document.getElementById("undo")?.addEventListener("click", () => undo().catch(complain));
  if ("opens" in root.dataset) {
    const [same, rotated] = rematchButtons(await api(url));
    if (same) $("rematch").replaceChildren(same);
    if (rotated) $("rotated").replaceChildren(rotated);
  }
  // In the page, the picture follows its theme.
  const answer = await fetch(`${url}/board.svg?layout=board`);
  if (answer.ok) putSvg($("board"), await answer.text());
  root.dataset.ready = "";
}

/** @param {unknown} error */
function complain(error) {
  toast(messageOf(error), { kind: "bad" });
}

start().catch(complain);
