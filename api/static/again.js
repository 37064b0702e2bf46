// Work that needs the service. It runs once at a time, and is retried until the service answers.

const PAUSES = [1000, 2000, 4000, 8000]; // ms between attempts

/**
 * Return a function that requests the work. A request during a run starts one more run afterwards.
 * @param {() => Promise<boolean>} work  returns true if it must run again
 * @param {(error?: unknown) => boolean} tried  called after each attempt; after a failed one, returns true to retry
 * @returns {() => Promise<void>}
 */
export function again(work, tried) {
  let isWanted = false;
  let isRunning = false;
  return async () => {
    isWanted = true;
    if (isRunning) return;
    isRunning = true;
    let attempt = 0;
    while (isWanted) {
      isWanted = false;
      try {
        isWanted = (await work()) || isWanted;
        attempt = 0;
        tried();
      } catch (error) {
        if (!tried(error)) continue;
        isWanted = true;
        await pause(PAUSES[Math.min(attempt, PAUSES.length - 1)]);
        attempt += 1;
      }
    }
    isRunning = false;
  };
}

/** Wait for this time, or until the network is back. @param {number} milliseconds */
function pause(milliseconds) {
  return /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        window.removeEventListener("online", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      window.addEventListener("online", end);
    })
  );
}
