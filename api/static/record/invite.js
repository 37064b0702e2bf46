// Invitations to record, play a seat or watch, each with a link and a QR code that is shown once.

import { api } from "../api.js";
import { copy, h, messageOf, toast } from "../ui.js";
import { say, sayWith } from "../words.js";
import { field, sheet } from "./sheets.js";

const TOKENS = "/v1/tokens";
const PAGE = 200;
const KINDS = {
  viewer: say("watches"),
  recorder: say("records"),
  arbiter: say("records and corrects"),
  admin: say("has full access"),
};

/** @typedef {{label: string, hint: string, role: Role, seat?: string, note?: string}} Kind */

/**
 * The invitations that the caller may create: never with more permissions than the caller has.
 * @param {Game} game
 * @param {{role: string, seat: string}} own  the seat is empty if the token is not limited to one
 * @returns {Kind[]}
 */
function kindsOf(game, own) {
  const isArbiter = own.role === "arbiter" || own.role === "admin";
  const seats = game.seats.map(({ name }, index) => ({ name, seat: `p${index + 1}` }));
  const mine = seats.filter(({ seat }) => (isArbiter && !own.seat) || seat === own.seat);
  /** @type {Kind[]} */
  const kinds = mine.map(({ name, seat }) => ({
    label: say("Play as {name}", { name }),
    hint: say("Can record for this seat only, and can see its hidden cards."),
    role: "recorder",
    seat,
    note: name,
  }));
  if (!own.seat)
    kinds.push({
      label: say("Record for all"),
      hint: say("Can record events from a second phone at the table."),
      role: "recorder",
    });
  kinds.push({
    label: say("Watch"),
    hint: say("Can watch the game live or later, but cannot change it."),
    role: "viewer",
  });
  return kinds;
}

/**
 * @param {Game} game
 * @param {DOMStringMap} place  the page's data: `public` is the service's address for others, `role` and `seat` the caller's
 */
export function inviteSheet(game, place) {
  const home = place.public ?? "";
  const kinds = kindsOf(game, { role: place.role ?? "", seat: place.seat ?? "" });
  const problem = h("p", { class: "error", role: "alert" });
  const shown = h("div", { class: "stack invitation", role: "status" });
  const list = h("ul", { class: "plain stack" });
  const heading = h("h3", { hidden: true }, say("Invitations"));
  const note = h("input", { type: "text", maxlength: 80, autocomplete: "off", autocapitalize: "words" });
  const choices = kinds.map((kind, index) => choice(kind, index, index === 0));
  const form = h(
    "form",
    { class: "stack", novalidate: true },
    h("fieldset", {}, h("legend", {}, say("Permission")), h("div", { class: "choices invitable" }, choices)),
    field(
      say("Whose phone is it?"),
      note,
      say("This name is shown as the recorder of the events from this phone (optional)."),
    ),
    h("button", { class: "button large block primary" }, say("Create invitation")),
  );
  const isLocal = /^(localhost|127\.|\[::1\])/.test(new URL(home).host);
  const opened = sheet(
    say("Invite"),
    isLocal
      ? h(
          "p",
          { class: "notice sand" },
          sayWith("Links work only on this machine. To share them, start Driftlog with {option}.", {
            option: h("code", {}, "--lan"),
          }),
        )
      : null,
    shown,
    form,
    problem,
    heading,
    list,
  );

  /** Do the work, or show the error. @param {() => Promise<void>} work */
  async function guard(work) {
    problem.textContent = "";
    try {
      await work();
    } catch (error) {
      problem.textContent = messageOf(error);
    }
  }

  async function refresh() {
    const given = await invitations(game.id);
    heading.hidden = given.length === 0;
    list.replaceChildren(...given.map((token) => row(token)));
  }

  /** @param {Token} token */
  function row(token) {
    return h(
      "li",
      { class: "invited" },
      h("span", {}, describeToken(token, game)),
      h(
        "button",
        {
          type: "button",
          class: "button danger",
          "aria-label": say("Revoke: {what}", { what: describeToken(token, game) }),
          onclick: () => guard(() => withdraw(token)),
        },
        say("Revoke"),
      ),
    );
  }

  /** @param {Token} token */
  async function withdraw(token) {
    await api(`${TOKENS}/${token.id}`, { method: "DELETE" });
    if (shown.dataset.token === token.id) shown.replaceChildren();
    await refresh();
    note.focus();
    toast(say("Revoked. Everyone who used it is signed out."), { kind: "good" });
  }

  async function invite() {
    const chosen = Number(new FormData(form).get("kind"));
    const { role, seat, note: usual } = kinds[chosen];
    const body = { role, game: game.id, seat, note: note.value.trim() || usual };
    const given = await api(TOKENS, { body });
    await show(given);
    note.value = "";
    await refresh();
  }

  /** @param {CreatedToken} given */
  async function show(given) {
    const address = `${home}/enter#${given.token}`;
    const code = URL.createObjectURL(await picture(given.token));
    const image = h("img", { class: "qr", alt: say("QR code of the invitation"), width: 240, height: 240 });
    image.addEventListener("load", () => URL.revokeObjectURL(code));
    image.src = code;
    shown.dataset.token = given.id;
    shown.replaceChildren(
      h("h3", { tabindex: -1 }, say("Invitation: {does}", { does: describeToken(given, game) })),
      image,
      h(
        "p",
        { class: "hint" },
        say("Scan this code with the other phone. It is shown only once: if you lose it, create another."),
      ),
      h(
        "div",
        { class: "row" },
        h("button", { type: "button", class: "button", onclick: () => take(address) }, say("Copy the link")),
        "share" in navigator && sender(address),
      ),
    );
    const title = shown.querySelector("h3");
    title?.focus();
    opened.dialog.scrollTo({ top: 0 });
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { submitter } = event;
    // A second tap does not create a second invitation.
    submitter?.toggleAttribute("disabled", true);
    await guard(invite);
    submitter?.toggleAttribute("disabled", false);
  });
  guard(refresh);
}

/** @param {Kind} kind @param {number} index @param {boolean} checked */
function choice(kind, index, checked) {
  return h(
    "label",
    { class: "choice" },
    h("input", { type: "radio", name: "kind", value: index, checked }),
    h("span", {}, kind.label, h("span", { class: "hint" }, kind.hint)),
  );
}

/** @param {string} address */
function sender(address) {
  const send = () => navigator.share({ url: address }).catch(() => {});
  return h("button", { type: "button", class: "button", onclick: send }, say("Send…"));
}

/** @param {string} address */
async function take(address) {
  await copy(address);
  toast(say("Link copied."), { kind: "good" });
}

/** The permissions of a token, in words. @param {Token} token @param {Game} game */
function describeToken(token, game) {
  const seat = token.seat ? game.seats[Number(token.seat.slice(1)) - 1].name : null;
  const does = seat ? say("plays as {name}", { name: seat }) : KINDS[token.role];
  return token.note && token.note !== seat ? `${does} (${token.note})` : does;
}

/** The invitations to a game that the caller may revoke, newest first. @param {string} game */
async function invitations(game) {
  /** @type {Token[]} */
  const found = [];
  for (let cursor = undefined; cursor !== null; ) {
    /** @type {TokenList} */
    const page = await api(TOKENS, { query: { limit: PAGE, cursor } });
    found.push(...page.tokens.filter((token) => token.game === game && !token.is_link));
    cursor = page.next_cursor;
  }
  return found;
}

/** The QR code of a token's link. The token is sent in the body, never in a URL. @param {string} token */
async function picture(token) {
  const response = await fetch("/enter/qr.svg", {
    method: "POST",
    headers: { "Content-Type": "application/json", "Driftlog-Page": "1" },
    body: JSON.stringify({ token }),
  });
  if (!response.ok) throw new Error(say("The QR code could not be created. Use the link."));
  return response.blob();
}
