// A file that a worker makes: wait for it, and open it.

import { finished } from "./api.js";
import { $ } from "./ui.js";
import { say } from "./words.js";

finished(String($("making").dataset.job)).then(
  () => {
    // What is saved leaves this page as it is.
    $("making-title").textContent = say("Created.");
    $("making-text").textContent = say("If it is not saved, reload this page.");
    $("making-progress").hidden = true;
    location.reload();
  },
  (error) => {
    $("making-title").textContent = say("It could not be created.");
    $("making-text").textContent = error.message;
    $("making-progress").hidden = true;
    $("making-again").hidden = false;
  },
);
