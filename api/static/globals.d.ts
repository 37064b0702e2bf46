// Types of the pages' scripts, besides the contract. They are global, so that no page has to load them.

import type * as contract from "./contract.d.ts";

declare global {
  /** The values at the start of the service worker's file: the files of offline pages, and their digest. */
  const SHELL: string[];
  const MAKE: string;
  /** The translations: a text, or each plural form of a noun; and the function that chooses the form. */
  var catalogue: { words: Record<string, string | string[]>; form: (count: number) => number } | undefined;

  type Game = contract.Game;
  type Ruleset = contract.Ruleset;
  type LegalActions = contract.LegalActions;
  type Share = contract.Share;
  type Seed = contract.Seed;
  type Role = contract.Role;
  type Token = contract.Token;
  type CreatedToken = contract.CreatedToken;
  type TokenList = contract.TokenList;
  type Story = contract.Story;
  type StoryLine = contract.StoryLine;
  type Recap = contract.Recap;
  type RecapPoint = contract.RecapPoint;
  type Analysis = contract.Analysis;
  type SwingMark = contract.SwingMark;
  type Skill = contract.Skill;
  type Chance = contract.WinChance;
  type ComparedGame = contract.ComparedGame;
  type Audit = contract.Audit;
  type Finding = Audit["findings"][number];
  type Adjustment = Audit["adjustments"][number];
  type Quote = contract.Quote;
  type ShownFact = contract.ShownFact;
  type EventRange = contract.Range;
  /** An item that an audit shows as a card. */
  type Mark = {
    seq: number;
    turn: number;
    period: string;
    kind: "slip" | "byhand" | "log";
    finding?: Finding;
    adjustment?: Adjustment;
  };
  /** The data of the audit page. */
  type AuditedGame = {
    names: string[];
    result: string;
    isOver: boolean;
    byHand: boolean;
    isObserved: boolean;
  };
  /** A signed head, decoded. */
  type Signed = { key: string; head: contract.Head };
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
  type ReadQuestion = contract.Question;
  type PlayImportReport = contract.PlayImportReport;
  type PlayImportStatus = contract.PlayImportStatus;

  /** A problem document, with the members of some problem types. */
  type Problem = contract.Problem & {
    impact?: contract.Impact[] | null;
    look?: string[];
    instead?: { message: string; event: { params: { reason: string } } };
  };

  /** A request to the service; `key` is the idempotency key, `version` the expected one (If-Match). */
  type Asked = {
    method?: string;
    query?: object;
    body?: unknown;
    /** The media type of a raw body; without it the body is sent as JSON. */
    type?: string;
    key?: string;
    version?: number;
    signal?: AbortSignal;
  };

  /** The result of `setTimeout`, if it was called. */
  type Timer = number | undefined;

  /** The state of a stream. */
  type Connection = "live" | "waiting" | "ended" | "refused";

  /** A turn, with its first and its last event. */
  type Turn = { turn: number; first: number; last: number };

  /** A child of an element. */
  type Child = string | Node | false | null | undefined;

  /**
   * A sign of an event. If known: `by`, the event that undid it; `first`, the event whose undone draw this one
   * repeats.
   */
  type Sign = { kind: string; text: string; tone: string; by?: number; rule?: string; reason?: string; first?: number };

  /** A note about an event. */
  type Said = { text?: string; mark?: string; bookmark?: string };

  /** A form; `read` returns its value, or throws an Error that names what is missing. */
  // biome-ignore lint/suspicious/noExplicitAny: the schema of the form determines the type.
  type Form = { element: Element; read: () => any };

  /** An event to append. */
  type NewEvent = {
    type: string;
    actor: string | null;
    params: Record<string, unknown>;
    outcomes?: (string | number | null)[];
    note?: string;
  };

  /** The reason for a rejected tap. */
  type Refusal = Problem & { slug: string };

  /**
   * A tap. `base` is the version on the screen; null if the tap follows another queued tap.
   * `problem` is the document of its rejection. `events`: the events sent instead, which explain it. `offered`: the label
   * of its button, if the service offered the action; `foreseen`: the version after which it should be recorded;
   * `isMeant`: the user has decided about it since; `isAnyway`: it is illegal but happened anyway; `isUnexplained`: no
   * explanation fits; `isNext`: the next result of the tap before it, if that one needs more; `at`: its time (ms);
   * `isTimeless`: it is sent without its time.
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
    isNext?: boolean;
    at?: number;
    isTimeless?: boolean;
  };
  type RefusedTap = Tap & { problem: Refusal };

  /** A legal action; a rejected one has no `chance` and `rule`. */
  type Entry = Partial<Omit<contract.PossibleAction, "actor">> &
    Pick<contract.LegalAction, "type" | "params" | "label"> & { actor: string | null; isPossible?: boolean };
  type LegalRange = contract.LegalRange;

  /**
   * Queue an event with its label; `offered`: the service's label for it, `isAnyway`: it is illegal but happened
   * anyway.
   */
  type Recorder = (
    body: NewEvent,
    label: string,
    how?: { offered?: string; isAnyway?: boolean; isNext?: boolean },
  ) => void;
  type Kind = { type: string; entries: Entry[]; range: LegalRange | null };
  type Group = { rule: string; actor: string | null; kinds: Map<string, Kind> };

  type Point = contract.ChancePoint & { may_be_unknown?: boolean };
  type Outcome = { value: string | number | null; label: string };

  /** A question for a result; `isBound`: asked by a rejected tap; `isSent`: the answer is being sent. */
  type Question = {
    entry: Entry;
    point: Point;
    outcomes: Outcome["value"][];
    isBound?: boolean;
    isOnly?: boolean;
    isSent?: boolean;
  };

  /**
   * The current question in words; `isForced`: a player must react to an event first; `isRefused`: the reason why a
   * tap is illegal.
   */
  type Sentence = { text: string; isForced?: boolean; isRefused?: boolean };

  /** The metadata of a board picture (drawing.layout). */
  type Summary = {
    players: Player[];
    meters: Meter[];
    vital: { title: string; gauges: Gauge[] }[];
    piles: [string, number][];
    passage: { id: string; title: string; text: string } | null;
    /** The places and meters of a game in which any thing can be moved anywhere. */
    spots?: Spot[];
    dials?: Dial[];
    /** Whether the picture has a board. */
    has_board?: boolean;
  };
  type Spot = { id: string; title: string; seat: string | null; is_drawn: boolean; cards: Card[] };
  type Dial = { id: string; title: string; value: number | string; seat: string | null };
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
    /** The id of the card in params. */
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
    // biome-ignore lint/suspicious/noExplicitAny: the schema determines the type of its default.
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
    allOf?: Schema[];
    contains?: Schema;
    maxContains?: number;
  };
}
