// The proof page: the sources of a record, and since when this browser knows that it is unchanged.

import { api } from "./api.js";
import { fetchProof, moment, sources } from "./audit/sources.js";
import { $, messageOf } from "./ui.js";
import { say } from "./words.js";

const { api: url, observed } = $("proof").dataset;
const kept = `driftlog-head ${url}`;

/** Return the first head that this browser saw. @returns {{version: number, head: string, signed_at: string} | null} */
function first() {
  try {
    return JSON.parse(localStorage.getItem(kept) ?? "null");
  } catch {
    return null;
  }
}

async function check() {
  const again = $("again", HTMLButtonElement);
  again.disabled = true;
  try {
    const proof = await fetchProof(String(url));
    $("sources").replaceChildren(sources(proof, observed === "true"));
    const { version, head, signed_at } = proof.head;
    const earlier = first();
    if (earlier && earlier.version <= version) {
      const query = new URLSearchParams({ from: String(earlier.version), head: earlier.head });
      await api(`${url}/proof/consistency?${query}`);
      tell(
        say("Unchanged since {time}.", { time: moment(earlier.signed_at) }),
        say("Checked just now: the part of the log that this browser saw is unchanged."),
      );
    } else {
      localStorage.setItem(kept, JSON.stringify({ version, head, signed_at }));
      tell(
        say("Signed just now."),
        say("This browser remembers the log. Open this page again later to see whether it was changed."),
      );
    }
  } catch (error) {
    tell(say("The log differs from the one that this browser saw before."), messageOf(error));
  } finally {
    again.disabled = false;
  }
}

/** @param {string} title @param {string} text */
function tell(title, text) {
  $("verdict-title").textContent = title;
  $("verdict-text").textContent = text;
}

$("again").addEventListener("click", check);
$("print").addEventListener("click", () => print());
check();
