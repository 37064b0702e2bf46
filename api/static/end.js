// The page of a finished game: undo the ending, share the picture, start a rematch.

import { api, newKey } from "./api.js";
import { rematchButtons } from "./record/rematch.js";
import { $, messageOf, putSvg, toast } from "./ui.js";
import { say } from "./words.js";

const root = $("end");
const key = newKey(); // One key per page: a second tap on Undo undoes nothing else.
const { api: url, record, title, before } = /** @type {Record<string, string>} */ (root.dataset);

/** Fetch the picture as a file. @param {string} address */
async function fetchFile(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(say("There is no picture of this game."));
  return new File([await answer.blob()], "driftlog.png", { type: "image/png" });
}

/** Share the picture through the phone's share sheet; without one, the link downloads it. @param {Event} event */
async function share(event) {
  const link = /** @type {HTMLAnchorElement} */ (event.currentTarget);
  if (!navigator.canShare?.({ files: [new File([], "driftlog.png", { type: "image/png" })] })) return;
  event.preventDefault();
  try {
    await navigator.share({ files: [await fetchFile(link.href)], title });
  } catch (error) {
    // The user cancelled, so show no message.
    if (!(error instanceof DOMException && error.name === "AbortError")) toast(messageOf(error), { kind: "bad" });
  }
}

/** Undo the event that ended the game, and continue recording. */
async function undo() {
  await api(`${url}/events`, { body: { type: "undo", params: { to: Number(before) } }, key });
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
  // Insert the picture into the page, so that it follows the page's theme.
  const answer = await fetch(`${url}/board.svg?layout=board`);
  if (answer.ok) putSvg($("board"), await answer.text());
  root.dataset.ready = "";
}

/** @param {unknown} error */
function complain(error) {
  toast(messageOf(error), { kind: "bad" });
}

start().catch(complain);
