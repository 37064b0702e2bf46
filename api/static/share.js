// The share links of a game (the dialog of _share.html).

import { api } from "./api.js";
import { copy, h, openSheet, toast } from "./ui.js";

const sheet = document.getElementById("share");
const list = document.getElementById("share-list");
const problem = document.getElementById("share-problem");
const make = document.getElementById("share-make");
const url = sheet.dataset.shares;

function row(share) {
  const address = new URL(share.url, location.origin).href;
  const link = h("a", { href: share.url, class: "share-link" }, address);
  return h(
    "li",
    { class: "share-row" },
    h("img", { class: "qr", src: `${share.url}/qr.svg`, alt: `QR code of ${address}`, width: 160, height: 160 }),
    h(
      "div",
      { class: "stack" },
      link,
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "button", onclick: () => take(address) }, "Copy the link"),
        navigator.share &&
          h("button", { type: "button", class: "button", onclick: () => navigator.share({ url: address }).catch(() => {}) }, "Send…"),
        h("button", { type: "button", class: "button danger", onclick: () => guarded(() => withdraw(share)) }, "Withdraw"),
      ),
    ),
  );
}

async function take(address) {
  await copy(address);
  toast("The link is copied.", { kind: "good" });
}

async function show() {
  const { shares } = await api(url);
  list.replaceChildren(...shares.map(row));
  make.textContent = shares.length ? "Make another link" : "Make a link";
}

async function withdraw(share) {
  await api(`${url}/${share.token}`, { method: "DELETE" });
  await show();
  make.focus();
  toast("The link is withdrawn: it leads nowhere now.", { kind: "good" });
}

async function guarded(work) {
  problem.textContent = "";
  try {
    await work();
  } catch (error) {
    problem.textContent = error.message;
  }
}

document.getElementById("share-open").addEventListener("click", () => {
  document.getElementById("share-local").hidden = !/^(localhost|127\.|\[::1\])/.test(location.host);
  openSheet(sheet);
  guarded(show);
});
make.addEventListener("click", () =>
  guarded(async () => {
    await api(url, { method: "POST" });
    await show();
    list.lastElementChild.querySelector("button").focus();
  }),
);
