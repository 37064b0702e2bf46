// Wait for a file that a worker makes, then open it.

import { waitForJob } from "./api.js";
import { $ } from "./ui.js";
import { say } from "./words.js";

waitForJob(String($("making").dataset.job)).then(
  () => {
    // If the browser downloads the file, this page stays open.
    $("making-title").textContent = say("Created.");
    $("making-text").textContent = say("If saving fails, reload this page.");
    $("making-progress").hidden = true;
    location.reload();
  },
  (error) => {
    $("making-title").textContent = say("The link could not be created.");
    $("making-text").textContent = error.message;
    $("making-progress").hidden = true;
    $("making-again").hidden = false;
  },
);
