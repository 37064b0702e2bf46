// A screen that must not go dark: on the wall, or in the middle of the table.

/** @type {WakeLockSentinel | null} */
let screen = null;

async function ask() {
  if (document.visibilityState !== "visible" || !navigator.wakeLock || screen) return;
  try {
    screen = await navigator.wakeLock.request("screen");
    screen.addEventListener("release", () => (screen = null));
  } catch {
    // On battery, or not allowed.
  }
}

/** Keep the screen on as long as the page is seen; where the browser does not know how, it goes dark. */
export function stayAwake() {
  document.addEventListener("visibilitychange", ask);
  ask();
}
