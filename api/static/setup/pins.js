// Tap the four corners of the laid tiles on a photo, and drag them.

import { svg } from "../record/signs.js";
import { $$, around, h } from "../ui.js";
import { say } from "../words.js";

/** @typedef {import("./reading.js").Point} Point */

/** Pixels around a corner that drag it. */
const REACH = 24;
const LOUPE = 112;
const ZOOM = 3;
/** @type {Record<string, Point>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * A photo with its corners.
 * @param {HTMLCanvasElement} photo
 * @param {Point[]} points  in pixels of the photo; the user changes them
 * @param {Point[]} usual  where the corners usually are, for the keyboard
 * @param {() => void} onChange
 */
export function cornerPicker(photo, points, usual, onChange) {
  const line = svg("polyline", {});
  const over = svg("svg", { "aria-hidden": "true" }, line);
  const loupe = h("canvas", {
    class: "loupe",
    width: 2 * LOUPE,
    height: 2 * LOUPE,
    hidden: true,
    "aria-hidden": "true",
  });
  const label = say("Photo. Press Enter to place the next corner, and the arrow keys to move it.");
  const shot = h("div", { class: "shot", tabindex: 0, role: "group", "aria-label": label }, photo, over, loupe);
  let dragged = -1;

  const draw = () => {
    shot.style.setProperty("--ratio", String(photo.width / photo.height));
    over.setAttribute("viewBox", `0 0 ${photo.width} ${photo.height}`);
    line.setAttribute("points", points.map((point) => point.join()).join(" "));
    for (const old of $$(".pin", shot)) if (Number(old.dataset.pin) >= points.length) old.remove();
    points.forEach(([x, y], number) => {
      const name = say("Corner {number}", { number: number + 1 });
      const found = $$(`[data-pin="${number}"]`, shot)[0];
      const pin = found ?? h("button", { type: "button", class: "pin", "data-pin": number, "aria-label": name });
      if (!found) shot.append(pin);
      pin.replaceChildren(h("span", {}, String(number + 1)));
      pin.style.left = `${(100 * x) / photo.width}%`;
      pin.style.top = `${(100 * y) / photo.height}%`;
    });
  };
  /** @param {number} number @param {Point} point */
  const move = (number, [x, y]) => {
    points[number] = [Math.min(Math.max(x, 0), photo.width), Math.min(Math.max(y, 0), photo.height)];
    draw();
  };
  /** Pixels of the photo for one of the page. */
  const scale = () => photo.width / photo.clientWidth;
  /** @param {PointerEvent} event @returns {Point} */
  const at = ({ clientX, clientY }) => {
    const { left, top } = photo.getBoundingClientRect();
    return [(clientX - left) * scale(), (clientY - top) * scale()];
  };
  const magnify = () => {
    const [x, y] = points[dragged];
    const size = (LOUPE / ZOOM) * scale();
    const pen = loupe.getContext("2d");
    pen?.clearRect(0, 0, loupe.width, loupe.height);
    pen?.drawImage(photo, x - size / 2, y - size / 2, size, size, 0, 0, loupe.width, loupe.height);
    const [left, top] = [x / scale(), y / scale()];
    loupe.style.left = `${left < LOUPE + REACH ? left + REACH : left - LOUPE - REACH}px`;
    loupe.style.top = `${Math.max(0, top - LOUPE - REACH / 2)}px`;
    loupe.hidden = false;
  };

  // Without this, the tap on the last corner would also click the tile that then appears under the finger.
  shot.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  shot.addEventListener("pointerdown", (event) => {
    const point = at(event);
    const near = points.findIndex(([x, y]) => Math.hypot(x - point[0], y - point[1]) < REACH * scale());
    if (near < 0 && points.length === usual.length) return;
    dragged = near >= 0 ? near : points.length;
    event.preventDefault();
    shot.setPointerCapture(event.pointerId);
    if (near < 0) move(dragged, point);
    magnify();
  });
  shot.addEventListener("pointermove", (event) => {
    if (dragged < 0) return;
    move(dragged, at(event));
    magnify();
  });
  for (const end of ["pointerup", "pointercancel"]) {
    shot.addEventListener(end, () => {
      if (dragged < 0) return;
      dragged = -1;
      loupe.hidden = true;
      onChange();
    });
  }
  shot.addEventListener("keydown", (event) => {
    const number = Number(around(event, ".pin")?.dataset.pin ?? -1);
    const step = STEPS[event.key];
    if (event.key === "Enter" && points.length < usual.length) {
      const next = points.length;
      move(next, [usual[next][0] * photo.width, usual[next][1] * photo.height]);
      $$(`[data-pin="${next}"]`, shot)[0].focus();
    } else if (number >= 0 && step) {
      const far = event.shiftKey ? 10 : 1;
      move(number, [points[number][0] + step[0] * far, points[number][1] + step[1] * far]);
    } else return;
    event.preventDefault();
    onChange();
  });
  draw();
  return { shot, draw };
}
