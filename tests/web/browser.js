// A minimal browser for scripts with logic: storage, network, elements. Time is node's mocked clock.

import { mock } from "node:test";

/** A browser with empty storage, online, with a visible page; the test answers its requests. */
export class Browser {
  constructor() {
    this.window = new EventTarget();
    this.document = Object.assign(new EventTarget(), {
      visibilityState: "visible",
      createElement: (name) => new FakeElement(name),
    });
    this.navigator = { onLine: true };
    this.localStorage = new FakeStorage();
    this.service = new Service();
    const names = ["window", "document", "navigator", "localStorage"];
    for (const name of names) Object.defineProperty(globalThis, name, { value: this[name], configurable: true });
    globalThis.location = { href: "http://table.test/" };
    globalThis.fetch = (url, options) => this.service.ask(url, options);
    mock.timers.reset();
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
  }

  /** Turn the network off or on. */
  set isOnline(isOnline) {
    this.navigator.onLine = isOnline;
    this.window.dispatchEvent(new Event(isOnline ? "online" : "offline"));
  }

  /** Make the page visible again. */
  wake() {
    this.document.dispatchEvent(new Event("visibilitychange"));
  }
}

/** A storage with a limited size. */
class FakeStorage {
  items = new Map();
  isFull = false;

  getItem(name) {
    return this.items.get(name) ?? null;
  }

  setItem(name, value) {
    if (this.isFull) throw new DOMException("full", "QuotaExceededError");
    this.items.set(name, value);
  }

  removeItem(name) {
    this.items.delete(name);
  }
}

/** Holds every request until the test answers it. */
export class Service {
  requests = [];

  ask(url, { method = "GET", headers = {}, body, signal }) {
    const request = { url: String(url), method, headers, body: body && JSON.parse(body), signal };
    const answered = new Promise((resolve, reject) => Object.assign(request, { answer: resolve, lose: reject }));
    signal?.addEventListener("abort", () => request.lose(signal.reason));
    this.requests.push(request);
    return answered;
  }

  /** Wait for the request with this number, from 1. */
  async request(number) {
    await until(() => this.requests.length >= number, `request ${number}`);
    return this.requests[number - 1];
  }
}

export function json(document, { status = 200, headers = {} } = {}) {
  return new Response(JSON.stringify(document), { status, headers });
}

/** A stream of Server-Sent Events that breaks if its request is aborted. */
export class Stream {
  constructor({ signal }) {
    const encoder = new TextEncoder();
    const body = new ReadableStream({
      start: (controller) => {
        this.say = (text) => controller.enqueue(encoder.encode(text));
        this.end = () => controller.close();
        signal.addEventListener("abort", () => controller.error(signal.reason));
      },
    });
    this.response = new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }

  /** An event of a log. */
  event(seq) {
    this.say(`id: ${seq}\ndata: {"seq": ${seq}}\n\n`);
  }
}

class FakeElement extends EventTarget {
  attributes = new Map();
  children = [];
  style = {};
  value = "";

  constructor(name) {
    super();
    this.name = name;
  }

  setAttribute(name, value) {
    this.attributes.set(name, value);
  }

  append(...children) {
    this.children.push(...children);
  }

  replaceChildren(...children) {
    this.children = children;
  }
}

const PATIENCE = 60_000; // ms until a test gives up, on the real clock; the machine may be busy

/** Wait for a condition, turn by turn of the event loop. */
export async function until(isSo, what) {
  const deadline = performance.now() + PATIENCE;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`This never came: ${what}`);
    await new Promise(setImmediate);
  }
}

/** Run everything that does not wait for time or for an answer. */
export async function settled() {
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
}

export function pass(milliseconds) {
  mock.timers.tick(milliseconds);
}
