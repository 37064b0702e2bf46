// Open the same service over TLS once this browser trusts its certificate.

import { secureOrigin } from "./origin.js";
import { $ } from "./ui.js";
import { say } from "./words.js";

const SECONDS = 3;
const link = $("go-on", HTMLAnchorElement);

async function look() {
  if (location.protocol === "https:") {
    $("state").textContent = say("This connection is secure.");
    return;
  }
  const origin = await secureOrigin();
  if (origin) {
    link.href = `${origin}/`;
    link.hidden = false;
    $("install").classList.remove("primary");
  } else {
    setTimeout(look, SECONDS * 1000);
  }
}

look();
