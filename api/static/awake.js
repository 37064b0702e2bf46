// Keep the screen on, for a screen on the wall or a phone at the table.

const FRAME_SECONDS = 1;

/** @type {WakeLockSentinel | null} */
let screen = null;

async function ask() {
  if (document.visibilityState !== "visible" || !navigator.wakeLock || screen) return;
  try {
    screen = await navigator.wakeLock.request("screen");
    screen.addEventListener("release", () => (screen = null));
  } catch {
    // The browser refuses, for example on low battery.
  }
}

/** Play a tiny video: without TLS there is no wake lock, but a playing video keeps the screen on. */
function film() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 2;
  const brush = canvas.getContext("2d");
  if (!brush || !canvas.captureStream) return;
  const video = document.createElement("video");
  video.className = "awake";
  video.muted = video.playsInline = true;
  video.setAttribute("aria-hidden", "true");
  video.srcObject = canvas.captureStream();
  document.body.append(video);
  const play = () => video.play().catch(() => {}); // may be rejected before the first tap
  addEventListener("pointerdown", play);
  setInterval(() => {
    brush.fillStyle = Date.now() % 2 ? "#000" : "#111";
    brush.fillRect(0, 0, 2, 2);
    if (video.paused && document.visibilityState === "visible") play();
  }, FRAME_SECONDS * 1000);
}

/** Keep the screen on while the page is visible, if the browser can. */
export function stayAwake() {
  if (!navigator.wakeLock) return film();
  document.addEventListener("visibilitychange", ask);
  ask();
}
