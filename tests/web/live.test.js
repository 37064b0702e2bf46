// A game's stream: each event once and in order, however often the network breaks.

import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { follow } from "../../api/static/live.js";
import { Browser, pass, Stream, settled, until } from "./browser.js";

let browser;
let service;
let heard;
let following;

beforeEach(() => {
  browser = new Browser();
  service = browser.service;
  heard = { events: [], messages: [], states: [] };
});

afterEach(() => following.close());

function start(after) {
  following = follow("/v1/games/g/stream", {
    after,
    onEvent: (event) => heard.events.push(event.seq),
    onMessage: (name, data) => heard.messages.push([name, data]),
    onState: (state) => heard.states.push(state),
  });
}

async function connected(number) {
  const request = await service.request(number);
  const stream = new Stream(request);
  request.answer(stream.response);
  await until(() => heard.states.at(-1) === "live", "the connection");
  return { request, stream };
}

async function waiting() {
  await until(() => heard.states.at(-1) === "waiting", "the break");
  await settled();
}

test("it is read from where the page stands", async () => {
  start(7);
  const { request, stream } = await connected(1);
  assert.equal(request.headers["Last-Event-ID"], "7");
  stream.event(8);
  stream.event(9);
  await until(() => heard.events.length === 2, "the events");
  assert.deepEqual(heard.events, [8, 9]);
  assert.equal(following.after, 9);
});

test("a broken stream is taken up after the last event, and nothing is told twice", async () => {
  start(0);
  const { stream } = await connected(1);
  stream.event(1);
  stream.event(2);
  await until(() => heard.events.length === 2, "the events");
  stream.end();
  await waiting();
  pass(500);
  const again = await connected(2);
  assert.equal(again.request.headers["Last-Event-ID"], "2");
  again.stream.event(2);
  again.stream.event(3);
  await until(() => heard.events.length === 3, "the next event");
  assert.deepEqual(heard.events, [1, 2, 3]);
  assert.deepEqual(heard.states, ["live", "waiting", "live"]);
});

test("an event that comes in pieces is one event", async () => {
  start(0);
  const { stream } = await connected(1);
  stream.say("id: 1\nda");
  stream.say('ta: {"seq":\ndata: 1}\n');
  await settled();
  assert.deepEqual(heard.events, []);
  stream.say("\n");
  await until(() => heard.events.length === 1, "the event");
});

test("what has a name is a message of its own, and a sign of life is none", async () => {
  start(5);
  const { stream } = await connected(1);
  stream.say(': still here\n\nevent: rewritten\ndata: {"from": 3}\n\n');
  await until(() => heard.messages.length === 1, "the message");
  assert.deepEqual(heard.messages, [["rewritten", { from: 3 }]]);
  assert.deepEqual(heard.events, []);
  assert.equal(following.after, 5);
});

test("a stream that is silent for too long is given up; a sign of life keeps it", async () => {
  start(0);
  const { request, stream } = await connected(1);
  pass(39_000);
  stream.say(": still here\n\n");
  await settled();
  pass(39_000);
  await settled();
  assert.equal(request.signal.aborted, false);
  pass(1000);
  assert.equal(request.signal.aborted, true);
  await waiting();
  pass(500);
  await service.request(2);
});

test("a service that does not answer at all is given up, too", async () => {
  start(0);
  const request = await service.request(1);
  pass(40_000);
  assert.equal(request.signal.aborted, true);
  await waiting();
});

test("where the game has ended nothing is asked any more", async () => {
  start(9);
  (await service.request(1)).answer(new Response(null, { status: 204 }));
  await until(() => heard.states.at(-1) === "ended", "the end");
  pass(60_000);
  browser.isOnline = true;
  await settled();
  assert.equal(service.requests.length, 1);
});

test("the pauses grow, and begin anew with a connection", async () => {
  start(0);
  for (const [index, pause] of [500, 1000, 2000, 4000, 8000, 8000].entries()) {
    (await service.request(index + 1)).lose(new TypeError("network"));
    await until(() => heard.states.length === index + 1, "the break");
    await settled();
    pass(pause - 1);
    await settled();
    assert.equal(service.requests.length, index + 1);
    pass(1);
  }
  const { stream } = await connected(7);
  stream.end();
  await waiting();
  pass(500);
  await service.request(8);
});

for (const status of [401, 403, 404, 410]) {
  test(`after a ${status} nobody is asked again: whoever listened is let in no more`, async () => {
    start(0);
    (await service.request(1)).answer(new Response("", { status }));
    await until(() => heard.states.at(-1) === "refused", "the refusal");
    browser.wake();
    pass(60_000);
    await settled();
    assert.equal(service.requests.length, 1);
  });
}

for (const status of [429, 503]) {
  test(`after a ${status} the service is not asked before it wants to be, whoever is in haste`, async () => {
    start(0);
    (await service.request(1)).answer(new Response("", { status, headers: { "Retry-After": "7" } }));
    await waiting();
    pass(6999);
    browser.isOnline = true;
    browser.wake();
    await settled();
    assert.equal(service.requests.length, 1);
    pass(1);
    await service.request(2);
  });
}

test("back in the network, or from sleep, nobody waits for the next attempt", async () => {
  start(0);
  (await service.request(1)).lose(new TypeError("network"));
  await waiting();
  browser.isOnline = true;
  (await service.request(2)).lose(new TypeError("network"));
  await until(() => heard.states.length === 2, "the second break");
  await settled();
  browser.wake();
  await service.request(3);
});

test("who does not want to hear any more hears nothing", async () => {
  start(0);
  const { request, stream } = await connected(1);
  stream.event(1);
  await until(() => heard.events.length === 1, "the event");
  following.close();
  assert.equal(request.signal.aborted, true);
  await settled();
  pass(60_000);
  await settled();
  assert.equal(service.requests.length, 1);
  assert.deepEqual(heard.states, ["live"]);
});
