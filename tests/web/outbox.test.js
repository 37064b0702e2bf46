// Taps on their way: none is lost, none is recorded twice, and a person decides about those that were refused.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Outbox } from "../../api/static/record/outbox.js";
import { Browser, json, pass, settled, until } from "./browser.js";

const URL = "/v1/games/g/events";
const MOVE = { type: "move", actor: "p1", params: { to: "coral_palace" } };
const DRAW = { type: "draw", actor: "p1", params: {} };
const ILLEGAL = { type: "/problems/illegal-action", title: "Illegal", status: 409, message: "It is not next to it." };

let browser;
let service;
let heard;

beforeEach(() => {
  browser = new Browser();
  service = browser.service;
});

function open() {
  heard = { done: [], refused: [], changes: 0 };
  return new Outbox(URL, {
    onChange: () => {
      heard.changes += 1;
    },
    onDone: (tap) => heard.done.push(tap.label),
    onRefused: (tap) => heard.refused.push(tap.label),
  });
}

const kept = () => JSON.parse(browser.localStorage.getItem(`driftlog.outbox.${URL}`));
const recorded = (version) => json({ events: [], version });
const problem = (document, headers = {}) => json(document, { status: document.status, headers });

test("a tap is sent with the version that was seen, and is forgotten when it is recorded", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  const request = await service.request(1);
  assert.equal(request.method, "POST");
  assert.deepEqual(request.body, MOVE);
  assert.equal(request.headers["If-Match"], '"7"');
  assert.equal(kept()[0].key, request.headers["Idempotency-Key"]);
  request.answer(recorded(8));
  await until(() => heard.done.length === 1, "the answer");
  assert.equal(kept(), null);
  assert.equal(outbox.waiting, 0);
});

test("taps go one after the other, each on the version that the one before it made", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  outbox.add(DRAW, "Draw", 7);
  const first = await service.request(1);
  await settled();
  assert.equal(service.requests.length, 1);
  first.answer(recorded(9));
  const second = await service.request(2);
  assert.deepEqual(second.body, DRAW);
  assert.equal(second.headers["If-Match"], '"9"');
  assert.notEqual(second.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
});

test("a tap that nobody answers for eight seconds counts as lost, and is sent again", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  const first = await service.request(1);
  pass(7999);
  await settled();
  assert.equal(outbox.wake, null);
  pass(1);
  await until(() => outbox.wake, "the pause");
  pass(1000);
  const again = await service.request(2);
  assert.equal(again.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
  again.answer(recorded(8));
  await until(() => heard.done.length === 1, "the answer");
});

test("a tap whose answer was lost is sent again with the same key", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  const first = await service.request(1);
  first.lose(new TypeError("network"));
  await until(() => outbox.isOffline, "the loss");
  await until(() => outbox.wake, "the pause");
  pass(999);
  await settled();
  assert.equal(service.requests.length, 1);
  pass(1);
  const again = await service.request(2);
  assert.equal(again.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
  assert.deepEqual(again.body, first.body);
  again.answer(recorded(8));
  await until(() => heard.done.length === 1, "the answer");
  assert.equal(outbox.isOffline, false);
});

test("the pauses grow while nothing is answered", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  for (const [index, pause] of [1000, 2000, 4000, 8000, 15_000, 30_000, 30_000].entries()) {
    (await service.request(index + 1)).lose(new TypeError("network"));
    await until(() => outbox.wake, "the pause");
    pass(pause - 1);
    await settled();
    assert.equal(service.requests.length, index + 1);
    pass(1);
    await service.request(index + 2);
  }
});

test("what a proxy says is no answer", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  (await service.request(1)).answer(new Response("<h1>Bad gateway</h1>", { status: 502 }));
  await until(() => outbox.wake, "the pause");
  assert.equal(outbox.refusedTap, null);
  assert.equal(outbox.waiting, 1);
});

for (const status of [429, 503]) {
  test(`after a ${status} the service is not asked before it wants to be, whoever is in haste`, async () => {
    const outbox = open();
    outbox.add(MOVE, "Move", 7);
    const first = await service.request(1);
    first.answer(problem({ type: "/problems/overloaded", status }, { "Retry-After": "5" }));
    await until(() => outbox.wake, "the pause");
    pass(4999);
    browser.isOnline = true;
    browser.wake();
    await settled();
    assert.equal(service.requests.length, 1);
    pass(1);
    const again = await service.request(2);
    assert.equal(again.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
  });
}

test("back in the network nobody waits for the next attempt", async () => {
  const outbox = open();
  browser.isOnline = false;
  outbox.add(MOVE, "Move", 7);
  assert.equal(outbox.isOffline, true);
  (await service.request(1)).lose(new TypeError("network"));
  await until(() => outbox.wake, "the pause");
  const changes = heard.changes;
  browser.isOnline = false;
  assert.equal(heard.changes, changes + 1);
  browser.isOnline = true;
  (await service.request(2)).answer(recorded(8));
  await until(() => heard.done.length === 1, "the answer");
  assert.equal(outbox.isOffline, false);
});

test("a page that is looked at again sends at once; one that is not seen does not", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  (await service.request(1)).lose(new TypeError("network"));
  await until(() => outbox.wake, "the pause");
  browser.document.visibilityState = "hidden";
  browser.wake();
  await settled();
  assert.equal(service.requests.length, 1);
  browser.document.visibilityState = "visible";
  browser.wake();
  await service.request(2);
});

test("nobody at the table waits long for an answer, which still counts when it comes", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  const request = await service.request(1);
  pass(1499);
  assert.equal(outbox.isOffline, false);
  pass(1);
  assert.equal(outbox.isOffline, true);
  request.answer(recorded(8));
  await until(() => heard.done.length === 1, "the answer");
  assert.equal(outbox.isOffline, false);
});

test("a refused tap stays with the reason, and holds back those behind it", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  outbox.add(DRAW, "Draw", 7);
  (await service.request(1)).answer(problem(ILLEGAL));
  await until(() => heard.refused.length === 1, "the refusal");
  await settled();
  assert.equal(service.requests.length, 1);
  assert.equal(outbox.refusedTap.problem.slug, "illegal-action");
  assert.equal(outbox.refusedTap.problem.message, ILLEGAL.message);
  assert.equal(outbox.waiting, 1);
  assert.equal(outbox.isOffline, false);
  browser.isOnline = true;
  await settled();
  assert.equal(service.requests.length, 1);
});

test("a refused tap is sent again as it was with its key, or changed with a new one", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  const first = await service.request(1);
  first.answer(problem({ ...ILLEGAL, type: "/problems/version-conflict" }));
  await until(() => heard.refused.length === 1, "the refusal");
  outbox.repeat(9);
  const second = await service.request(2);
  assert.equal(second.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
  assert.equal(second.headers["If-Match"], '"9"');
  second.answer(problem({ ...ILLEGAL, type: "/problems/outcome-required" }));
  await until(() => heard.refused.length === 2, "the second refusal");
  outbox.repeat(9, { ...MOVE, outcomes: ["b"] }, "Move: b");
  const third = await service.request(3);
  assert.notEqual(third.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
  assert.deepEqual(third.body, { ...MOVE, outcomes: ["b"] });
  third.answer(recorded(10));
  await until(() => heard.done.length === 1, "the answer");
  assert.deepEqual(heard.done, ["Move: b"]);
});

test("a refused tap is sent again as the events that explain it, or as it is", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  const first = await service.request(1);
  assert.doesNotMatch(first.url, /if_illegal|accept_/);
  first.answer(problem(ILLEGAL));
  await until(() => heard.refused.length === 1, "the refusal");
  const events = [{ type: "left_out", params: { seat: "p1", step: "flood_cards" } }, MOVE];
  outbox.explain(9, /** @type {any} */ (events));
  const explained = await service.request(2);
  assert.deepEqual(explained.body, events);
  assert.equal(explained.headers["If-Match"], '"9"');
  assert.notEqual(explained.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
  explained.answer(problem(ILLEGAL));
  await until(() => heard.refused.length === 2, "the refusal");
  outbox.insist(9, "in a hurry");
  const insisted = await service.request(3);
  assert.match(insisted.url, /accept_illegal=true&accept_left_out=false$/);
  assert.deepEqual(insisted.body, { ...MOVE, note: "in a hurry" });
  insisted.answer(problem(ILLEGAL));
  // Else it would be kept in the middle of the next test.
  await until(() => heard.refused.length === 3, "the refusal");
});

test("a refused tap is dropped alone, and the next one goes on from what is seen", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  outbox.add(DRAW, "Draw", 7);
  (await service.request(1)).answer(problem(ILLEGAL));
  await until(() => heard.refused.length === 1, "the refusal");
  outbox.drop(9);
  const second = await service.request(2);
  assert.deepEqual(second.body, DRAW);
  assert.equal(second.headers["If-Match"], '"9"');
});

test("a refused tap is dropped with all behind it", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  outbox.add(DRAW, "Draw", 7);
  (await service.request(1)).answer(problem(ILLEGAL));
  await until(() => heard.refused.length === 1, "the refusal");
  outbox.drop(9, { all: true });
  await settled();
  assert.equal(service.requests.length, 1);
  assert.equal(outbox.taps.length, 0);
  assert.equal(kept(), null);
});

test("a list that was stopped is a refusal; asked again, it has a new key", async () => {
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  const first = await service.request(1);
  first.answer(json({ events: [], version: 7, stopped: { index: 0, problem: ILLEGAL } }));
  await until(() => heard.refused.length === 1, "the refusal");
  assert.deepEqual(heard.done, []);
  assert.equal(outbox.refusedTap.problem.slug, "illegal-action");
  outbox.repeat(9);
  const second = await service.request(2);
  assert.notEqual(second.headers["Idempotency-Key"], first.headers["Idempotency-Key"]);
});

test("what waited when the page was closed is sent by the next one, with the same key", async () => {
  open().add(MOVE, "Move", 7);
  const before = await service.request(1);
  const outbox = open();
  assert.equal(outbox.waiting, 1);
  outbox.hurry();
  const after = await service.request(2);
  assert.equal(after.headers["Idempotency-Key"], before.headers["Idempotency-Key"]);
  assert.equal(after.headers["If-Match"], '"7"');
});

test("a refusal outlives the page, too", async () => {
  open().add(MOVE, "Move", 7);
  (await service.request(1)).answer(problem(ILLEGAL));
  await until(() => heard.refused.length === 1, "the refusal");
  const outbox = open();
  outbox.hurry();
  await settled();
  assert.equal(outbox.refusedTap.problem.slug, "illegal-action");
  assert.equal(service.requests.length, 1);
});

test("a browser whose storage is full sends all the same, and knows that it keeps nothing", async () => {
  browser.localStorage.isFull = true;
  const outbox = open();
  outbox.add(MOVE, "Move", 7);
  assert.equal(outbox.isKept, false);
  (await service.request(1)).answer(recorded(8));
  await until(() => heard.done.length === 1, "the answer");
  assert.equal(outbox.isKept, true);
});

test("a tap that waited and no longer fits is not sent before a person has decided", async () => {
  const problem = { type: "", title: "It does not fit", status: 0, slug: "no-longer-fits" };
  const refused = [];
  const outbox = new Outbox(URL, {
    onChange: () => {},
    onDone: () => {},
    onRefused: (tap) => refused.push(tap.label),
    misfit: (tap) => (tap.label === "Draw" ? problem : null),
  });
  outbox.add(MOVE, "Move", 7);
  outbox.add(DRAW, "Draw", 7);
  (await service.request(1)).answer(recorded(8));
  await until(() => refused.length === 1, "the refusal");
  await settled();
  assert.equal(service.requests.length, 1);
  assert.equal(outbox.refusedTap.problem.slug, "no-longer-fits");
  outbox.repeat(8);
  const second = await service.request(2);
  assert.equal(second.headers["If-Match"], '"8"');
});

test("what is wanted of the answer is asked with the tap", async () => {
  const outbox = new Outbox(URL, {
    onChange: () => {},
    onDone: () => {},
    onRefused: () => {},
    wanted: () => ({ include: "actions" }),
  });
  outbox.add(MOVE, "Move", 7, { offered: "Move", foreseen: 8 });
  const request = await service.request(1);
  assert.match(request.url, /\?include=actions$/);
  assert.deepEqual(request.body, MOVE);
  assert.deepEqual([kept()[0].offered, kept()[0].foreseen], ["Move", 8]);
});

test("a tap that waited long is sent with its time, unless the service already has it", async () => {
  const outbox = open();
  const at = new Date().toISOString();
  outbox.add(MOVE, "Move", 7);
  outbox.add({ type: "undo", actor: null, params: { to: 6 } }, "Undo", 7);
  const first = await service.request(1);
  assert.equal(first.body.occurred_at, undefined);
  pass(8000);
  await until(() => outbox.wake, "the pause");
  pass(10_000);
  const late = await service.request(2);
  assert.deepEqual(late.body, { ...MOVE, occurred_at: at });
  late.answer(problem({ type: "/problems/idempotency-key-reused", title: "Key already used", status: 422 }));
  const again = await service.request(3);
  assert.deepEqual([again.body, again.headers["Idempotency-Key"]], [MOVE, first.headers["Idempotency-Key"]]);
  again.answer(recorded(8));
  const undo = await service.request(4);
  assert.equal(undo.body.occurred_at, undefined);
});

test("a result that was tapped meanwhile completes the rejected tap before it", async () => {
  const outbox = open();
  const roll = (...outcomes) => ({ type: "roll", actor: "p1", params: {}, outcomes });
  const needs = {
    type: "/problems/outcome-required",
    title: "Needed",
    status: 409,
    chance: { name: "d6", position: 1 },
  };
  outbox.listeners.onRefused = () => outbox.joinNext(7) || heard.refused.push("asked");
  outbox.listeners.onDone = (tap, { version }) => heard.done.push([tap.body.outcomes, outbox.dropNext(tap, version)]);
  outbox.add(roll(1), "1", 7);
  outbox.add(roll(2), "2", 7, { isNext: true });
  outbox.add(roll(5), "5", 7, { isNext: true });
  outbox.add(MOVE, "Move", 7);
  (await service.request(1)).answer(problem(needs));
  const second = await service.request(2);
  assert.deepEqual(second.body, roll(1, 2));
  second.answer(recorded(8));
  const third = await service.request(3);
  assert.deepEqual(heard.done, [[[1, 2], true]]);
  assert.deepEqual(third.body, MOVE);
  assert.equal(third.headers["If-Match"], '"8"');
  assert.deepEqual(heard.refused, []);
});
