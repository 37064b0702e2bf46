// The scrubber of an exported game: the table after every event, from compressed parts in this page.

const PAUSE = 1200; // ms between events during playback

/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** The translations of English texts. @type {Record<string, string>} */
const words = JSON.parse($("words").textContent ?? "{}");
const stage = $("stage");
const scrubber = /** @type {HTMLInputElement} */ ($("scrubber"));
const last = Number(stage.dataset.last);
const perPart = Number(stage.dataset.part);
const parts = [...document.querySelectorAll("script[data-frames]")];
/** @type {NodeListOf<HTMLElement>} */
const headings = document.querySelectorAll("h3[data-at]");
const turns = [...headings].map((heading) => Number(heading.dataset.at));

let at = 0;
/** @type {number | undefined} */
let playing;
/** @typedef {{pieces: string[], frames: number[][][]}} Part */
/** The last used part, and its number. @type {{number: number, part: Promise<Part>} | undefined} */
let unpacked;

/** @param {number} number @returns {Promise<Part>} */
function unpack(number) {
  if (unpacked?.number !== number) {
    const bytes = Uint8Array.from(atob(parts[number].textContent ?? ""), (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    unpacked = { number, part: new Response(stream).json() };
  }
  return unpacked.part;
}

/** A text in the language of the page, with each `{name}` replaced. @param {string} text @param {Record<string, unknown>} [values] */
function say(text, values = {}) {
  return (words[text] ?? text).replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

/** Show the table after an event, and the event's text. @param {number} seq */
async function show(seq) {
  const wanted = Math.min(Math.max(seq, 1), last);
  if (wanted === at) return;
  at = wanted;
  const { pieces, frames } = await unpack(Math.floor((wanted - 1) / perPart));
  if (at !== wanted) return; // the user has moved on
  const pictures = frames[(wanted - 1) % perPart].map((ids) => ids.map((id) => pieces[id]).join(""));
  $("board").innerHTML = pictures[0];
  $("panels").innerHTML = pictures[1];
  tell();
}

function tell() {
  document.querySelector("li[aria-current]")?.removeAttribute("aria-current");
  const line = /** @type {HTMLElement} */ (document.querySelector(`li[value="${at}"]`));
  line.setAttribute("aria-current", "true");
  const sentence = line.querySelector("span")?.textContent ?? "";
  const heading = headings[turns.findLastIndex((first) => first <= at)]?.textContent;
  $("where").textContent = `${heading} · ${say("event {event} of {last}", { event: at, last })}`;
  $("sentence").textContent = sentence;
  scrubber.value = String(at);
  scrubber.setAttribute("aria-valuetext", say("Event {event}: {sentence}", { event: at, sentence }));
  history.replaceState(null, "", `#${at}`);
}

function stop() {
  clearInterval(playing);
  playing = undefined;
  sayPlay(say("Play"), "M7 4v16l13-8z");
}

function play() {
  if (at === last) show(1);
  playing = setInterval(() => (at < last ? show(at + 1) : stop()), PAUSE);
  sayPlay(say("Pause"), "M6 5h4v14H6zM14 5h4v14h-4z");
}

/** @param {string} label @param {string} sign */
function sayPlay(label, sign) {
  const button = /** @type {HTMLElement} */ (document.querySelector('[data-go="play"]'));
  button.ariaLabel = label;
  button.title = label;
  button.querySelector("path")?.setAttribute("d", sign);
}

/** @type {Record<string, () => void>} */
const ways = {
  start: () => show(1),
  turn_back: () => show(turns.findLast((first) => first < at) ?? 1),
  back: () => show(at - 1),
  forward: () => show(at + 1),
  turn_forward: () => show(turns.find((first) => first > at) ?? last),
  end: () => show(last),
};
const keys = /** @type {Record<string, string>} */ ({
  ArrowLeft: "back",
  ArrowRight: "forward",
  "[": "turn_back",
  "]": "turn_forward",
  Home: "start",
  End: "end",
});

/** @param {string} way */
function go(way) {
  const isToPlay = way === "play" && playing === undefined;
  stop();
  if (isToPlay) play();
  else ways[way]?.();
}

document.addEventListener("click", ({ target }) => {
  const button = target instanceof Element ? target.closest("button") : null;
  if (button?.dataset.go) go(button.dataset.go);
  else if (button?.dataset.at) {
    stop();
    show(Number(button.dataset.at));
  }
});
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target === scrubber) return;
  const isPlay = event.key === " " && !(event.target instanceof HTMLButtonElement);
  const way = isPlay ? "play" : keys[event.key];
  if (!way) return;
  event.preventDefault();
  go(way);
});
scrubber.addEventListener("input", () => {
  stop();
  show(Number(scrubber.value));
});
addEventListener("hashchange", () => show(requestedEvent()));

function requestedEvent() {
  const named = Number(location.hash.slice(1));
  return Number.isInteger(named) && named > 0 ? named : last;
}

$("player").hidden = false;
show(requestedEvent());
