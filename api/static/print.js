// The transcript: print after all pictures have loaded.

import { $, $$ } from "./ui.js";

/** @type {HTMLImageElement[]} */
const pictures = $$(".paper img");
const button = $("print", HTMLButtonElement);

/** Wait until a picture has loaded or failed. @param {HTMLImageElement} picture */
function waitForPicture(picture) {
  if (picture.complete && picture.naturalWidth > 0) return Promise.resolve();
  return new Promise((resolve) => {
    picture.addEventListener("load", resolve, { once: true });
    picture.addEventListener("error", resolve, { once: true });
    picture.loading = "eager";
  });
}

button.addEventListener("click", async () => {
  button.disabled = true;
  await Promise.all(pictures.map(waitForPicture));
  button.disabled = false;
  window.print();
});
