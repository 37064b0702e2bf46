// Made from openapi.yaml by `make openapi`.

export interface ActionType {
  type: string;
  title: string;
  rule: string;
  summary: string;
  asks_chance: boolean;
  any_time: boolean;
  symbol: string | null;
  params: JsonSchema;
}

export interface Adjustment {
  seq: number;
  turn: number;
  reason: string;
  agreed: string[];
  facts: Record<string, unknown>[];
  patch: Operation[];
  stands: boolean;
  message: string;
}

export interface Alias {
  name: string;
  is: string;
  said_at: string;
  said_by: string | null;
}

export interface AliasList {
  aliases: Alias[];
}

export interface Appended {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  outcome: GameOutcome | null;
  events?: Event[];
  head?: string;
  impact?: Impact[];
  stopped?: Stopped;
  actions?: LegalActions | null;
  story?: Story | null;
  board?: string | null;
  state?: State | null;
}

export type ArchiveState = "usable" | "unavailable";

export interface Audit {
  id: string;
  game: string;
  status: JobStatus;
  progress: number;
  verdict: AuditVerdict | null;
  findings: Finding[];
  head: string | null;
  events: number;
  message: string | null;
  notes: string[];
  events_by_verdict: Verdicts | null;
  rules_applied: RuleVerdicts[];
  corrections: Correction[];
  adjustments: Adjustment[];
  determinism: Determinism | null;
  luck: Luck | null;
  rules: RulesComparison | null;
  error: string | null;
}

export type AuditVerdict = "clean" | "findings" | "broken";

export interface AuditedPlace {
  seq: number;
  turn: number;
}

export interface BeginSession {
  token: string;
}

export type Chance = "seeded" | "observed";

export interface ChancePoint {
  name: string;
  position?: number;
  outcomes: PossibleOutcome[];
}

export interface CloudEvent {
  specversion: "1.0";
  id: string;
  source: string;
  type: string;
  subject: string;
  time: string;
  recordedtime: string;
  sequence: string;
  partitionkey: string;
  datacontenttype: string;
  data: Event;
}

export interface CommonPrefix {
  events: number;
  at: number;
  other_at: number;
}

export interface ComparedGame {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  outcome: GameOutcome | null;
  state: StateDocument | null;
  state_hash: string | null;
  id: string;
  events: ToldEvent[];
  has_more: boolean;
}

export interface Comparison {
  common: CommonPrefix;
  game: ComparedGame;
  other: ComparedGame;
  difference: Operation[];
}

export type Components = Record<string, unknown>;

export interface Consistency {
  format: "driftlog-consistency";
  format_version: number;
  game: string;
  from: OlderHead;
  events: Event[];
  proof: Envelope;
}

export interface Correction {
  seq: number;
  turn: number;
  type: CorrectionType;
  took_off: number[];
  brought_back: number[];
  impact: Record<string, number>;
  message: string;
}

export type CorrectionType = "undo" | "amend" | "reveal";

export type Corrections = "anyone" | "recorder" | "arbiter";

export interface Deal {
  game: string;
  ruleset: string;
  options: Options;
  seats: number;
  set_up: DealtPlace[];
  decks: DealtDeck[];
  chances: Chance[];
  games: string[];
}

export interface DealtDeck {
  name: string;
  cards: string[];
  below: number;
}

export interface DealtPlace {
  group: string;
  label: string;
  value: string | number;
  said: string;
}

export interface Deed {
  type: string;
  label: string;
  symbol: string | null;
  count: number;
}

export interface Deletion {
  format: "driftlog-deletion";
  format_version: number;
  game: string;
  version: number;
  head: string;
  deleted_at: string;
  signed_at: string;
}

export interface Delivery {
  id: string;
  game: string;
  seq: number;
  type: string;
  status: DeliveryStatus;
  attempts: number;
  tried_at: string;
  next_at: string | null;
  answered: number | null;
  answer: string | null;
  error: string | null;
}

export interface DeliveryList {
  deliveries: Delivery[];
}

export type DeliveryStatus = "delivered" | "waiting" | "failed";

export interface Determinism {
  recorded: number;
  equal: number;
  differences: AuditedPlace[];
  message: string;
}

export interface Draw {
  seq: number;
  position: number;
  name: string;
  options: (string | number)[];
  outcome: string | number;
}

export interface Draws {
  format: "driftlog-draws";
  format_version: number;
  game: string;
  ruleset: string;
  ruleset_version: string;
  chance: Chance;
  seed_commitment: string | null;
  seeded_after: number;
  draws: Draw[];
  seed: string | null;
  head: string;
  version: number;
}

export interface DueStep {
  id: string;
  name: string;
  rule: string;
}

export type Durability = "fsync" | "everysec" | "memory";

export type Effect = "unchanged" | "state_differs" | "now_illegal" | "outcome_impossible";

export interface Embedded {
  version: "1.0";
  type: "photo";
  title: string;
  author_name: string;
  provider_name: string;
  provider_url: string;
  cache_age: number;
  url: string;
  width: number;
  height: number;
}

export interface Envelope {
  payload: string;
  payloadType: string;
  signatures: Signature[];
}

export interface Event {
  seq: number;
  type: string;
  actor: SeatId | null;
  params: Params;
  outcomes: (string | number | null)[];
  turn: number;
  recorded_at: string;
  occurred_at: string | null;
  recorded_by: string | null;
  note: string | null;
  prev: string;
  hash: string;
  verdict?: Verdict;
  rule?: string;
  reason?: string;
  state_hash?: string;
  keeps_turn?: boolean;
}

export interface EventList {
  events: Event[];
  superseded: Superseded[];
  version: number;
}

export interface EventsGame {
  id: string;
  ruleset: string;
  link: string;
}

export type ExportColumns = "game" | "all";

export type ExportFormat =
  | "json"
  | "ndjson"
  | "csv"
  | "markdown"
  | "html"
  | "pdf"
  | "sheet"
  | "draws"
  | "cloudevents"
  | "cloudevents_ndjson"
  | "bgstats"
  | "svg"
  | "png"
  | "gif"
  | "sqlite"
  | "parquet"
  | "notation"
  | "playthrough";

export interface Face {
  value: string | number;
  symbol: string;
  tint: string;
  text: string;
  column: number;
  row: number;
  width: number;
}

export interface FaceLayout {
  columns: number;
  faces: Face[];
}

export type Fact = Record<string, unknown>;

export interface FactList {
  facts: Fact[];
  sentences: string[];
  overview: OverviewRow[];
  version: number;
}

export interface FactType {
  fact: string;
  summary: string;
  about: string[];
  is_derived: boolean;
  schema: JsonSchema;
}

export interface FigureShare {
  value: string;
  games: number;
  won: number;
  lost: number;
}

export interface Finding {
  seq: number;
  turn: number;
  kind: string;
  rule: string;
  message: string;
}

export interface ForkGame {
  at: number;
  chance?: Chance;
  seed?: string;
  tags?: string[];
}

export interface ForkedFrom {
  game: string;
  at: number;
  hash: string;
  chance?: Chance;
  fork?: ForkedFrom;
}

export interface FormatList {
  formats: ListedFormat[];
}

export type FrameEach = "turn" | "event";

export interface Game {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  outcome: GameOutcome | null;
  id: string;
  ruleset: string;
  ruleset_version: string;
  seats: Seat[];
  options: Options;
  chance: Chance;
  mode: Mode;
  corrections: Corrections;
  tags: string[];
  seed_commitment: string | null;
  fork: ForkedFrom | null;
  parent_deleted_at?: string;
  status: GameStatus;
  is_installed: boolean;
  head: string;
  opened_at: string;
  links: Links;
}

export interface GameList {
  games: ListedGame[];
  next_cursor: string | null;
}

export type GameOrder = "newest" | "oldest" | "longest" | "shortest" | "outcome" | "title";

export interface GameOutcome {
  result: GameResult;
  winners: SeatId[];
  reason: string;
  rule: string;
  superior?: SeatId[];
}

export type GameResult = "won" | "lost" | "draw" | "abandoned";

export type GameStatus = "setup" | "in_progress" | "finished" | "abandoned";

export interface GivenToken {
  id: string;
  role: Role;
  game: string | null;
  seat: SeatId | null;
  note: string | null;
  created_at: string;
  expires_at: string | null;
  given_by: string | null;
  is_link: boolean;
  token: string;
}

export interface Head {
  format: "driftlog-head";
  format_version: number;
  game: string;
  version: number;
  head: string;
  signed_at: string;
  ruleset: string;
  ruleset_version: string;
  hashes: string[];
}

export interface Health {
  status: string;
}

export interface HiddenName {
  name: string;
  hidden_at: string;
  hidden_by: string | null;
}

export interface HiddenNameList {
  hidden_names: HiddenName[];
}

export interface Impact {
  seq: number;
  effect: Effect;
  rule?: string;
  reason?: string;
  differences?: Operation[];
}

export interface ImportedGame {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  outcome: GameOutcome | null;
  id: string;
  ruleset: string;
  ruleset_version: string;
  seats: Seat[];
  options: Options;
  chance: Chance;
  mode: Mode;
  corrections: Corrections;
  tags: string[];
  seed_commitment: string | null;
  fork: ForkedFrom | null;
  parent_deleted_at?: string;
  status: GameStatus;
  is_installed: boolean;
  head: string;
  opened_at: string;
  links: Links;
  items?: ReadItem[];
}

export type Included = "actions" | "story" | "board" | "state";

export type Instead = Fact[] | InsteadEvent;

export interface InsteadEvent {
  message: string;
  event: NewEvent;
}

export interface Job {
  id: string;
  kind: string;
  status: JobStatus;
  progress: number;
  result: JobResult | null;
  error: string | null;
  created_at: string;
}

export type JobResult = Record<string, unknown>;

export type JobStatus = "queued" | "running" | "done" | "failed";

export type JsonSchema = Record<string, unknown>;

export interface KeySet {
  keys: SigningKey[];
}

export type KeyStatus = "active" | "retired";

export interface KindLuck {
  name: string;
  draws: number;
  method: LuckMethod;
  message: string;
  values: ValueLuck[];
}

export type Layout = "wide" | "tall" | "board" | "panels";

export interface LeftOutStep {
  seat: SeatId;
  step: string;
  rule: string;
  label: string;
  message: string;
}

export interface LegalAction {
  type: string;
  actor: SeatId | null;
  params: Params;
  label: string;
  warning: string | null;
  rule: string;
  chance: ChancePoint[];
}

export interface LegalActions {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  ranges: LegalRange[];
  actions: LegalAction[];
  possible: PossibleAction[];
  timer: Timer | null;
}

export interface LegalRange {
  type: string;
  actor: SeatId;
  rule: string;
  params: JsonSchema;
}

export interface LibraryEvent {
  type: "game.event";
  timestamp: string;
  data: LibraryEventData;
}

export interface LibraryEventData {
  game: EventsGame;
  event: Event;
}

export interface Links {
  self: string;
  actions: string;
  events: string;
  stream: string;
  state: string;
  turns: string;
  story: string;
  notes: string;
  audits: string;
  export: string;
  proof: string;
  forks: string;
  parent?: string;
  ruleset: string;
}

export interface ListedFormat {
  format: ExportFormat;
  media_type: string;
  extension: string;
  comes_back: boolean;
  many: boolean;
  loses: string;
}

export interface ListedGame {
  id: string;
  ruleset: string;
  ruleset_version: string;
  seats: Seat[];
  status: GameStatus;
  version: number;
  turn: number;
  outcome: GameOutcome | null;
  chance: Chance;
  mode: Mode;
  tags: string[];
  fork: ForkedFrom | null;
  opened_at: string;
  updated_at: string;
  seconds: number;
  head: string;
  is_installed: boolean;
  link: string;
}

export interface ListedRuleset {
  id: string;
  version: string;
  name: string;
  players: Players;
  link: string;
}

export interface Log {
  format: "driftlog";
  format_version: number;
  game: string;
  ruleset: string;
  ruleset_version: string;
  seats: Seat[];
  options: Options;
  events: Event[];
  head: string;
  version: number;
  proof?: Envelope;
}

export interface Luck {
  message: string;
  tested: number;
  kinds: KindLuck[];
}

export type LuckMethod = "binomial" | "poisson_binomial" | "hypergeometric";

export interface MadeWebhook {
  id: string;
  url: string;
  events: string[];
  game: string | null;
  ruleset: string | null;
  format: WebhookFormat;
  status: WebhookStatus;
  failing_since: string | null;
  reached_at: string | null;
  created_at: string;
  made_by: string | null;
  secret: string;
}

export type Mark = "!" | "?" | "!!" | "??" | "!?" | "?!";

export type Mode = "strict" | "as_played";

export interface NewAlias {
  is: string;
}

export interface NewEvent {
  type: string;
  actor?: string | null;
  params?: Record<string, unknown>;
  outcomes?: (string | number | null)[];
  occurred_at?: string | null;
  note?: string | null;
}

export interface NewSitter {
  person: string;
}

export interface NewToken {
  role: Role;
  game?: string;
  seat?: SeatId;
  expires_at?: string;
  note?: string;
}

export interface NewWebhook {
  url: string;
  events: string[];
  game?: string;
  ruleset?: string;
  format?: WebhookFormat;
}

export interface Note {
  seq: number;
  about: number;
  turn: number;
  sentence: string;
  text: string | null;
  mark: Mark | null;
  bookmark: string | null;
  recorded_at: string;
  occurred_at: string | null;
  recorded_by: string | null;
  superseded_by: number | null;
}

export interface NoteList {
  notes: Note[];
  version: number;
}

export interface OlderHead {
  version: number;
  head: string;
}

export interface OpenGame {
  ruleset: string;
  seats: Seat[];
  options?: Record<string, unknown>;
  chance: Chance;
  seed?: string;
  mode?: Mode;
  corrections?: Corrections;
  position?: Record<string, unknown>;
  deal?: string;
  tags?: string[];
}

export interface Operation {
  op: PatchOp;
  path: string;
  from?: string;
  value?: unknown;
}

export type Options = Record<string, unknown>;

export interface OrderAudit {
  rules?: string;
}

export interface OrderExport {
  ruleset?: string;
  status?: GameStatus;
  result?: GameResult;
  player?: string;
  tag?: string;
  from?: string;
  to?: string;
  q?: string;
  parent?: string;
  format?: ExportFormat;
}

export interface OverviewRow {
  label: string;
  text: string;
}

export type Params = Record<string, unknown>;

export interface PastPlay {
  id: string;
  ruleset: string;
  result: GameResult;
  parts: PlayPart[];
  played_at: string;
  minutes: number | null;
  place: string;
  variant: string;
  comments: string;
}

export interface PastPlayList {
  plays: PastPlay[];
  next_cursor: string | null;
}

export type PatchOp = "add" | "remove" | "replace" | "move" | "copy" | "test";

export interface Pile {
  returns: boolean;
  is_open: boolean;
  outcomes: PossibleOutcome[];
}

export interface Place {
  group: string;
  label: string;
  at: number[] | null;
  pile: number | null;
}

export interface PlayPart {
  name: string;
  role: string;
  has_won: boolean;
  has_begun: boolean;
}

export type PlayTakenIn =
  | "imported"
  | "changed"
  | "there"
  | "taken_out"
  | "recorded"
  | "other_game"
  | "ignored"
  | "broken";

export interface PlayerFigures {
  name: string;
  games: number;
  won: number;
  lost: number;
  minutes: number;
  longest: number;
  streak: Streak | null;
  rulesets: FigureShare[];
  months: FigureShare[];
  hours: FigureShare[];
  partners: FigureShare[];
}

export interface Players {
  min: number;
  max: number;
}

export interface Plays {
  about: string;
  games: Record<string, unknown>[];
  locations: Record<string, unknown>[];
  players: Record<string, unknown>[];
  plays: Record<string, unknown>[];
  userInfo: Record<string, unknown>;
}

export interface PlaysTakenIn {
  counts: Record<string, number>;
  plays: TakenIn[];
}

export interface PossibleAction {
  type: string;
  actor: SeatId | null;
  params: Params;
  label: string;
  warning: string | null;
  rule: string;
  chance: ChancePoint[];
  p: number;
  p_exact: string;
}

export interface PossibleOutcome {
  value: string | number;
  label: string;
  count?: number;
  p: number;
  p_exact: string;
  more?: number;
  at?: number[] | null;
}

export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  errors?: ProblemError[];
  rule?: string;
  message?: string;
  left_out?: LeftOutStep[];
  violations?: Violation[];
  needs?: Role;
  limit?: number;
  quota?: string;
  used?: number;
  seconds?: number;
  replicas?: number;
  reached?: number;
  index?: number;
  impact?: Impact[] | null;
  instead?: Instead;
  look?: string[];
  chance?: ChancePoint;
  places?: Place[];
  piles?: Pile[];
  given?: string | number;
  version?: number;
  head?: string;
  deleted_at?: string;
  proof?: Envelope;
  outcome?: GameOutcome;
  ruleset?: string;
  ruleset_version?: string;
  seq?: number;
  reason?: string;
  items?: ReadItem[];
}

export interface ProblemError {
  pointer: string;
  message: string;
}

export interface ReadItem {
  line: number;
  column: number;
  text: string;
  status: ReadStatus;
  said: string | null;
  problem: string | null;
  events: number[];
}

export type ReadStatus = "understood" | "incomplete" | "irregular" | "wrong" | "unread";

export interface Readiness {
  status: string;
  durability: Durability;
  replicas: number;
  workers: number;
  archive: ArchiveState;
}

export interface Reading {
  items: ReadItem[];
  is_whole: boolean;
  events: number;
  ruleset: string | null;
  status: string | null;
  turn: number;
}

export interface Recap {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  outcome: GameOutcome | null;
  standing: string;
  ending: string | null;
  turns: number;
  seconds: number;
  curve: RecapCurve | null;
  players: RecapPlayer[];
  luck: string | null;
}

export interface RecapCurve {
  title: string;
  points: RecapPoint[];
}

export interface RecapPlayer {
  seat: SeatId;
  name: string;
  part: Record<string, string>;
  deeds: Deed[];
}

export interface RecapPoint {
  turn: number;
  seq: number;
  level: number;
}

export interface Retried {
  id: string;
  status: DeliveryStatus;
}

export type Role = "viewer" | "recorder" | "arbiter" | "admin";

export interface RuleVerdicts {
  legal: number;
  illegal: number;
  unknowable: number;
  rule: string;
}

export interface RulesComparison {
  recorded: string;
  replayed: string;
  message: string;
  first: RulesDifference | null;
  verdicts: number;
  states: number;
  differences: RulesDifference[];
}

export interface RulesDifference {
  seq: number;
  turn: number;
  was: Ruling;
  is: Ruling;
  patch: Operation[];
  message: string;
}

export interface Ruleset {
  id: string;
  version: string;
  name: string;
  players: Players;
  link: string;
  versions: string[];
  options: JsonSchema;
  actions: ActionType[];
  record_actions: ActionType[];
  steps: DueStep[];
  facts: FactType[];
  words: Record<string, string>;
  phases: Record<string, string>;
  faces: Record<string, FaceLayout>;
  sections: string[];
  curve: string | null;
  endings: Record<string, string>;
  components: Components;
}

export interface RulesetList {
  rulesets: ListedRuleset[];
}

export interface Ruling {
  verdict: RulingVerdict;
  rule?: string;
  reason?: string;
}

export type RulingVerdict = "legal" | "illegal" | "unknowable" | "impossible";

export interface Seat {
  name: string;
}

export type SeatId = "p1" | "p2" | "p3" | "p4" | "p5" | "p6" | "p7" | "p8";

export interface Session {
  role: Role;
  token: string | null;
  name: string | null;
  game: string | null;
  seat: SeatId | null;
  expires_at: string | null;
  leads_to: string;
}

export interface Share {
  token: string;
  url: string;
  created_at: string;
  expires_at: string | null;
}

export interface ShareList {
  shares: Share[];
}

export interface Signature {
  keyid: string;
  sig: string;
}

export interface SigningKey {
  kty: "OKP";
  crv: "Ed25519";
  x: string;
  kid: string;
  use: "sig";
  alg: "EdDSA";
  created_at: string;
  retired_at: string | null;
  status: KeyStatus;
  pem: string;
}

export interface Sitter {
  game: string;
  seat: SeatId;
  written: string;
  person: string;
  said_at: string;
  said_by: string | null;
}

export interface State {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  outcome: GameOutcome | null;
  state: StateDocument | null;
  state_hash: string | null;
}

export type StateDocument = Record<string, unknown>;

export interface Stopped {
  index: number;
  problem: Problem;
}

export interface Story {
  version: number;
  turn: number;
  phase: string;
  awaiting: SeatId[];
  outcome: GameOutcome | null;
  story: StoryLine[];
}

export interface StoryLine {
  seq: number;
  turn: number;
  seat: SeatId | null;
  type: string;
  actor: SeatId | null;
  sentence: string;
  is_undone: boolean;
  recorded_at: string;
  occurred_at: string | null;
  recorded_by?: string;
  note?: string;
  to?: number;
  about?: number;
  text?: string;
  mark?: Mark;
  bookmark?: string;
  superseded_by?: number;
  draws_again?: number;
  verdict?: Verdict;
  rule?: string;
  reason?: string;
}

export interface Streak {
  result: string;
  games: number;
}

export interface Superseded {
  first: number;
  last: number;
  by: number;
}

export interface TakenIn {
  number: number;
  title: string;
  status: PlayTakenIn;
  why: string;
  id: string | null;
}

export interface Timer {
  title: string;
  seconds: number;
  type: string;
  actor: SeatId;
}

export interface Token {
  id: string;
  role: Role;
  game: string | null;
  seat: SeatId | null;
  note: string | null;
  created_at: string;
  expires_at: string | null;
  given_by: string | null;
  is_link: boolean;
}

export interface TokenList {
  tokens: Token[];
  next_cursor: string | null;
}

export interface ToldEvent {
  seq: number;
  type: string;
  actor: SeatId | null;
  params: Params;
  outcomes: (string | number | null)[];
  turn: number;
  recorded_at: string;
  occurred_at: string | null;
  recorded_by: string | null;
  note: string | null;
  prev: string;
  hash: string;
  verdict?: Verdict;
  rule?: string;
  reason?: string;
  state_hash?: string;
  keeps_turn?: boolean;
  sentence: string;
}

export interface Turn {
  turn: number;
  seat: SeatId | null;
  first: number;
  last: number;
  account: string;
  level: number | null;
  deeds: Record<string, Record<string, number>>;
}

export interface TurnList {
  turns: Turn[];
  version: number;
}

export interface Unknown {
  name: string;
  position?: number;
  outcomes: PossibleOutcome[];
  seq: number;
}

export interface UnknownList {
  unknowns: Unknown[];
  version: number;
}

export interface Use {
  id: string;
  at: string;
  by: string | null;
  token: string | null;
  action: string;
  game: string | null;
  about: Record<string, string>;
}

export interface UseList {
  access_log: Use[];
  next_cursor: string | null;
}

export interface ValueLuck {
  value: string | number;
  label: string;
  count: number;
  expected: number;
  p: number | null;
  p_exact: string | null;
  adjusted: number | null;
  message: string;
}

export type Verdict = "legal" | "illegal" | "unknowable";

export interface Verdicts {
  legal: number;
  illegal: number;
  unknowable: number;
}

export type Viewer = "p1" | "p2" | "p3" | "p4" | "p5" | "p6" | "p7" | "p8" | "public";

export interface Violation {
  message: string;
  rule?: string;
}

export interface Webhook {
  id: string;
  url: string;
  events: string[];
  game: string | null;
  ruleset: string | null;
  format: WebhookFormat;
  status: WebhookStatus;
  failing_since: string | null;
  reached_at: string | null;
  created_at: string;
  made_by: string | null;
}

export type WebhookFormat = "game_event" | "cloudevents";

export interface WebhookList {
  webhooks: Webhook[];
  next_cursor: string | null;
}

export type WebhookStatus = "active" | "failing";
