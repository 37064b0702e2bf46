// The share links of a game (the dialog of _share.html).

import { api } from "./api.js";
import { isLocal } from "./origin.js";
import { $, $$, copy, h, messageOf, openSheet, toast } from "./ui.js";
import { say } from "./words.js";

const sheet = $("share", HTMLDialogElement);
const list = $("share-list");
const problem = $("share-problem");
const make = $("share-make", HTMLButtonElement);
// On a phone the replay folds the part of the page with this dialog.
document.body.append(sheet);
const { shares: url, public: home } = /** @type {Record<string, string>} */ (sheet.dataset);

/** @param {Share} share */
function row(share) {
  const address = home + share.url;
  const link = h("a", { href: share.url, class: "share-link" }, address);
  return h(
    "li",
    { class: "share-row" },
    h("img", {
      class: "qr",
      src: `${share.url}/qr.svg`,
      alt: say("QR code of {address}", { address }),
      width: 160,
      height: 160,
    }),
    h(
      "div",
      { class: "stack" },
      link,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "button", onclick: () => take(address) }, say("Copy the link")),
        navigator.share &&
          h(
            "button",
            { type: "button", class: "button", onclick: () => navigator.share({ url: address }).catch(() => {}) },
            say("Send…"),
          ),
        h(
          "button",
          { type: "button", class: "button danger", onclick: () => guard(() => withdraw(share)) },
          say("Revoke"),
        ),
      ),
    ),
  );
}

/** @param {string} address */
async function take(address) {
  await copy(address);
  toast(say("Link copied."), { kind: "good" });
}

async function show() {
  const { shares } = await api(url);
  list.replaceChildren(...shares.map(row));
  make.textContent = shares.length ? say("Create another link") : say("Create a link");
}

/** @param {Share} share */
async function withdraw(share) {
  await api(`${url}/${share.token}`, { method: "DELETE" });
  await show();
  make.focus();
  toast(say("The link is revoked and no longer works."), { kind: "good" });
}

/** Do the work, or show the error. @param {() => Promise<void>} work */
async function guard(work) {
  problem.textContent = "";
  try {
    await work();
  } catch (error) {
    problem.textContent = messageOf(error);
  }
}

$("share-open").addEventListener("click", () => {
  $("share-local").hidden = !isLocal(home);
  openSheet(sheet);
  guard(show);
});
make.addEventListener("click", async () => {
  // A second tap does not create a second link.
  make.disabled = true;
  await guard(async () => {
    await api(url, { method: "POST" });
    await show();
    $$("li:last-child button", list)[0].focus();
  });
  make.disabled = false;
});
