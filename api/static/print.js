// The transcript: the button that prints, once all pictures are there.

const pictures = [...document.querySelectorAll(".paper img")];

/** When a picture is there, or will not come. */
function settled(picture) {
  if (picture.complete && picture.naturalWidth > 0) return Promise.resolve();
  return new Promise((resolve) => {
    picture.addEventListener("load", resolve, { once: true });
    picture.addEventListener("error", resolve, { once: true });
    picture.loading = "eager";
  });
}

document.getElementById("print").addEventListener("click", async (event) => {
  event.target.disabled = true;
  await Promise.all(pictures.map(settled));
  event.target.disabled = false;
  window.print();
});
