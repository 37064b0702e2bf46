// What the scripts of the pages speak of, besides the contract: told here, so that no page has to load it.

import type * as contract from "./contract.d.ts";

declare global {
  /** What the service worker's file begins with: the files of the pages that come up without a network, and their digest. */
  const SHELL: string[];
  const MAKE: string;
  /** What is said instead of the English: a text, or each form of what so many of a thing are called; and which form. */
  var catalogue: { words: Record<string, string | string[]>; form: (count: number) => number } | undefined;

  type Game = contract.Game;
  type Ruleset = contract.Ruleset;
  type LegalActions = contract.LegalActions;
  type Share = contract.Share;
  type Role = contract.Role;
  type Token = contract.Token;
  type GivenToken = contract.GivenToken;
  type TokenList = contract.TokenList;
  type Story = contract.Story;
  type StoryLine = contract.StoryLine;
  type Recap = contract.Recap;
  type RecapPoint = contract.RecapPoint;
  type ComparedGame = contract.ComparedGame;
  type Audit = contract.Audit;
  type ActionType = contract.ActionType;
  type LegalAction = contract.LegalAction;
  type ChancePoint = contract.ChancePoint;
  type Place = contract.Place;
  type Pile = contract.Pile;
  type PossibleOutcome = contract.PossibleOutcome;
  type Impact = contract.Impact;
  /** An event of a log; `Event` is the browser's. */
  type LogEvent = contract.Event;
  type Fact = contract.Fact;
  type FactType = contract.FactType;
  type FactList = contract.FactList;
  type Appended = contract.Appended & Required<Pick<contract.Appended, "events">>;
  type Unknown = contract.Unknown;
  type ReadItem = contract.ReadItem;
  type PlaysTakenIn = contract.PlaysTakenIn;
  type PlayTakenIn = contract.PlayTakenIn;

  /** A problem document, with what only some kinds of problems say. */
  type Problem = contract.Problem & {
    impact?: contract.Impact[] | null;
    look?: string[];
    instead?: { message: string; event: { params: { reason: string } } };
  };

  /** What the service is asked; `key` is the idempotency key, `version` the one that is wanted (If-Match). */
  type Asked = {
    method?: string;
    query?: object;
    body?: unknown;
    /** The media type of a body that is sent as it is; without it the body is sent as JSON. */
    type?: string;
    key?: string;
    version?: number;
    signal?: AbortSignal;
  };

  /** What `setTimeout` gives, if it was called. */
  type Timer = number | undefined;

  /** How a stream stands. */
  type Connection = "live" | "waiting" | "ended" | "refused";

  /** A turn, with its first and its last event. */
  type Turn = { turn: number; first: number; last: number };

  /** What an element may hold. */
  type Child = string | Node | false | null | undefined;

  /**
   * A sign of an event; where they are known: `by`, the event that took it back; `first`, the event whose draw was taken
   * back and drawn again in this one.
   */
  type Sign = { kind: string; text: string; tone: string; by?: number; rule?: string; reason?: string; first?: number };

  /** What was noted about an event. */
  type Said = { text?: string; mark?: string; bookmark?: string };

  /** A form, and what was entered in it; `read` throws an Error that says what is missing. */
  // biome-ignore lint/suspicious/noExplicitAny: what is read, the schema of the form says.
  type Form = { element: Element; read: () => any };

  /** What is sent to be appended. */
  type NewEvent = {
    type: string;
    actor: string | null;
    params: Record<string, unknown>;
    outcomes?: (string | number | null)[];
    note?: string;
  };

  /** Why a tap was refused. */
  type Refusal = Problem & { slug: string };

  /**
   * A tap. `base` is the version that was on the screen; null where it follows another tap that is on its way.
   * `problem` is the document with which it was refused. `events`: what is sent in its place, since it explains it. `offered`: what the button said, where it was one of those
   * that the service offers; `foreseen`: the version after which it was thought to be recorded; `isMeant`: whether a
   * person decided about it since; `isAnyway`: it happened, whatever the rules say, and `isUnexplained`: none of the explanations fits.
   */
  type Tap = {
    key: string;
    body: NewEvent;
    label: string;
    base: number | null;
    problem?: Refusal;
    events?: NewEvent[];
    offered?: string;
    foreseen?: number;
    isMeant?: boolean;
    isAnyway?: boolean;
    isUnexplained?: boolean;
  };
  type RefusedTap = Tap & { problem: Refusal };

  /** What may be appended; without `chance` and `rule` where it was refused. */
  type Entry = Partial<Omit<contract.PossibleAction, "actor">> &
    Pick<contract.LegalAction, "type" | "params" | "label"> & { actor: string | null; isPossible?: boolean };
  type LegalRange = contract.LegalRange;

  /**
   * Sends an event, with what to call it while it is on its way; `offered`: what the service offered it as, `isAnyway`: it
   * happened, whatever the rules say.
   */
  type Recorder = (body: NewEvent, label: string, how?: { offered?: string; isAnyway?: boolean }) => void;
  type Kind = { type: string; entries: Entry[]; range: LegalRange | null };
  type Group = { rule: string; actor: string | null; kinds: Map<string, Kind> };

  type Point = contract.ChancePoint & { may_be_unknown?: boolean };
  type Outcome = { value: string | number | null; label: string };

  /** What chance is asked; `isBound`: by the tap that was refused; `isSent`: the answer is on its way. */
  type Question = {
    entry: Entry;
    point: Point;
    outcomes: Outcome["value"][];
    isBound?: boolean;
    isOnly?: boolean;
    isSent?: boolean;
  };

  /** The one thing that is asked, in words; `isForced`: something happened to somebody, who has to answer it first; `isRefused`: why a tap is against the rules. */
  type Sentence = { text: string; isForced?: boolean; isRefused?: boolean };

  /** What the picture of a board tells in its metadata (drawing.layout). */
  type Summary = {
    players: Player[];
    meters: Meter[];
    vital: { title: string; gauges: Gauge[] }[];
    piles: [string, number][];
  };
  type Player = {
    seat: string;
    name: string;
    initials: string;
    colour: string;
    form: string;
    role: string;
    is_out: boolean;
    cards: Card[];
    gauges: Gauge[];
    actions: [number, number] | null;
  };
  type Card = {
    label: string;
    count: number;
    symbol: string | null;
    tint: string | null;
    is_any_time: boolean;
    /** What params call it. */
    place: string | null;
  };
  type Gauge = { label: string; value: number; of: number | null; symbol: string | null; is_grave: boolean };
  type Meter = {
    title: string;
    reading: string;
    at: number;
    symbol: string | null;
    levels: { label: string; symbol: string | null }[];
  };

  type Face = contract.Face;
  type FaceLayout = contract.FaceLayout;

  /** JSON Schema (2020-12), as far as rulesets use it. */
  type Schema = {
    $ref?: string;
    title?: string;
    description?: string;
    $defs?: Record<string, Schema>;
    const?: unknown;
    enum?: unknown[];
    type?: string;
    oneOf?: Schema[];
    anyOf?: Schema[];
    properties?: Record<string, Schema>;
    required?: string[];
    items?: Schema;
    // biome-ignore lint/suspicious/noExplicitAny: what a default is, its own schema says.
    default?: any;
    minimum?: number;
    exclusiveMinimum?: number;
    maximum?: number;
    pattern?: string;
    minLength?: number;
    maxLength?: number;
    uniqueItems?: boolean;
    minItems?: number;
    maxItems?: number;
  };
}
