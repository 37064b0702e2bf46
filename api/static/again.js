// Work that the service has a part in: done once at a time, and until the service answers.

const PAUSES = [1000, 2000, 4000, 8000]; // ms between attempts

/**
 * The work, to be asked for as often as anybody likes: whoever asks while it is done has it done once more.
 * @param {() => Promise<boolean>} work  whether it is to be done once more
 * @param {(error?: unknown) => boolean} tried  told of each attempt; of one that failed, whether to try again
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

/** Wait so long, or until the network is back. @param {number} milliseconds */
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
