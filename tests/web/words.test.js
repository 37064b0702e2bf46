import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.catalogue = {
  words: {
    "{name} is ready.": "Bereit: {name}.",
    "The rule: {rule}": "Die Regel: {rule}",
    "{first} and {last}": "{first} und {last}",
    card: ["Karte", "Karten"],
  },
  form: (count) => Number(count !== 1),
};
const { capitalize, counted, lowerCase, plural, say, sayWith, sentence, together } = await import(
  "../../api/static/words.js"
);

test("a text is said as the catalogue has it, with its values", () => {
  assert.equal(say("{name} is ready.", { name: "Mia {name}" }), "Bereit: Mia {name}.");
});

test("what the catalogue does not know is said in English", () => {
  assert.equal(say("{name} waits for {what}.", { name: "Mia" }), "Mia waits for {what}.");
  assert.equal(say("card"), "card");
});

test("elements stand where the sentence has them", () => {
  assert.deepEqual(sayWith("The rule: {rule}", { rule: "Move" }), ["Die Regel: ", "Move", ""]);
});

test("so many of a thing have the form that the language asks for", () => {
  assert.deepEqual(
    [0, 1, 2].map((count) => counted(count, "card")),
    ["0 Karten", "1 Karte", "2 Karten"],
  );
  assert.deepEqual(
    [0, 1, 2].map((count) => plural(count, "box", "boxes")),
    ["boxes", "box", "boxes"],
  );
});

test("names stand together as the language has it", () => {
  assert.deepEqual([[], ["Ann"], ["Ann", "Bob"], ["Ann", "Bob", "Cleo"]].map(together), [
    "",
    "Ann",
    "Ann und Bob",
    "Ann, Bob und Cleo",
  ]);
});

test("a title begins a line, or stands within a sentence", () => {
  assert.equal(capitalize("flood card"), "Flood card");
  assert.equal(lowerCase("Draw"), "draw");
});

test("a sentence has one full stop, whatever its values end with", () => {
  assert.equal(say("Not recorded: {what}.", { what: "Shore up Watchtower." }), "Not recorded: Shore up Watchtower.");
  assert.equal(say("Not recorded: {what}.", { what: "Watchtower" }), "Not recorded: Watchtower.");
  assert.equal(sentence("Ready?"), "Ready?");
});
