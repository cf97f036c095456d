// Made of the API's description by go test ./show/workbench -update.

export interface About {
  boards: string[];
  commands: string[];
  examples: Example[];
  file: string;
  folder: string;
  topologies: string[];
  version: string;
}

export interface Approve {
  ids?: string[];
  job: number;
}

export interface Arrived {
  at: string;
  end: boolean;
  mote: number;
  place: Spot;
  says: string;
}

export interface Asked {
  command: string;
  request: Record<string, unknown>;
}

export interface Call {
  how: string;
  place: Spot;
}

export interface CallSlice {
  at: string;
  depth: number;
  from_s: number;
  inlined: boolean;
  name: number;
  to_s: number;
}

export interface Calls {
  from: string;
  names: string[];
  slices: CallSlice[];
  to: string;
}

export interface Campaign {
  campaign: string;
  done: number;
  failed: FailedItem[];
  findings: number;
  found: string[];
  items: number;
  rate: number;
  state: string;
  title: string;
  waiting: number;
  working: number;
}

export interface CampaignWorker {
  done: number;
  item?: string;
  name: string;
  version: string;
}

export interface Campaigns {
  campaigns: Campaign[];
  workers: CampaignWorker[];
}

export interface Check {
  all?: boolean;
  any_order?: boolean;
  benign?: string[];
  board?: string;
  budget_ns: number;
  bundle?: boolean;
  buttons?: string[];
  chip?: string;
  depth: number;
  drift?: number;
  events?: number;
  failed_posts?: boolean;
  failures?: string[];
  file: string;
  first_id: number;
  frames?: string[];
  from?: Moment;
  fuses?: string;
  gain: number;
  heal?: boolean;
  hz?: number;
  id_symbols?: string[];
  kernels?: string[];
  loss: number;
  mode: string;
  no_memory?: boolean;
  no_repair?: boolean;
  nodes: number;
  out?: string;
  params?: string[];
  preempt: number;
  prefix: number;
  reduce: string;
  resume?: boolean;
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  shorten: number;
  skew_ns?: number;
  stagger_ns: number;
  stateless?: boolean;
  steady?: number;
  threads: number;
  threshold: number;
  time_ns?: number;
  topology: string;
  total?: number;
  unguided?: boolean;
  unwritten?: boolean;
  walks: number;
}

export interface Checked {
  errors: ScenarioError[];
}

export interface Choice {
  fault?: boolean;
  inside?: boolean;
  kind: string;
  mote: number;
  natural?: boolean;
  path: string;
  title: string;
}

export interface Choices {
  at: string;
  choices: Choice[];
  goals: GoalState[];
  more: number;
  path: string;
}

export interface Covered {
  file: string;
  hits: Hits[];
  lines: string[];
  note?: string;
  until: string;
}

export interface Debug {
  board?: string;
  buttons?: string[];
  chip?: string;
  drift?: number;
  explore?: boolean;
  file: string;
  first_id: number;
  frames?: string[];
  fuses?: string;
  gain: number;
  hz?: number;
  id_symbols?: string[];
  loss: number;
  nodes: number;
  params?: string[];
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  stagger_ns: number;
  time_ns?: number;
  topology: string;
}

export interface Decoded {
  files: Record<string, string[]>;
  left: number;
  lines: TraceLine[];
  sources: Source[];
  stats: TraceStats;
}

export interface Event {
  at: string;
  broken: string[];
  from: number;
  lost?: boolean;
  mote: number;
  notes: string[];
  title: string;
}

export interface Example {
  about: string;
  name: string;
}

export interface FailedItem {
  item: string;
  why: string;
}

export interface FaultState {
  max: number;
  title: string;
  used: number;
}

export interface FieldTrace {
  base: number;
  baud: number;
  board?: string;
  buttons?: string[];
  bytes?: number;
  chip?: string;
  device?: string;
  drift?: number;
  file?: string;
  first_id: number;
  flash?: boolean;
  frames?: string[];
  fuses?: string;
  gain: number;
  hz?: number;
  id_symbols?: string[];
  layout: string;
  loss: number;
  node?: string[];
  nodes: number;
  output: string;
  params?: string[];
  proc?: string;
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  since?: string;
  stagger_ns: number;
  tcp?: string;
  time_ns?: number;
  topology: string;
  trace_map?: string;
  wait_ns: number;
}

export interface File {
  kind: string;
  name: string;
  path: string;
  size: number;
}

export interface Files {
  files: File[];
  folder: string;
  more: number;
}

export interface Finding {
  bundle?: string;
  confidence: string;
  detail?: string;
  engines: string[];
  file?: string;
  first: Sight;
  function?: string;
  gone?: Sight;
  grade: string;
  key: string;
  kind: string;
  last: Sight;
  line?: number;
  look?: string;
  mote: number;
  property: string;
  reason?: string;
  recipe?: string;
  scenario?: string;
  severity: string;
  state: string;
  subject: string;
  title: string;
  variable?: string;
  why: string;
}

export interface Flight {
  bytes: number;
  from: number;
  heard: number[];
  sent: number;
}

export interface Found {
  says: string;
  stop?: Halt;
}

export interface Fuzz {
  all?: boolean;
  any_order?: boolean;
  benign?: string[];
  board?: string;
  budget_ns: number;
  bundle?: boolean;
  buttons?: string[];
  chip?: string;
  corpus?: string;
  depth: number;
  drift?: number;
  events?: number;
  failed_posts?: boolean;
  failures?: string[];
  file: string;
  first_id: number;
  frames?: string[];
  from?: Moment;
  fuses?: string;
  gain: number;
  heal?: boolean;
  hz?: number;
  id_symbols?: string[];
  kernels?: string[];
  loss: number;
  mode: string;
  no_memory?: boolean;
  no_repair?: boolean;
  nodes: number;
  out?: string;
  params?: string[];
  preempt: number;
  prefix: number;
  reduce: string;
  replay_corpus?: boolean;
  resume?: boolean;
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  shorten: number;
  skew_ns?: number;
  stagger_ns: number;
  stateless?: boolean;
  steady?: number;
  threads: number;
  threshold: number;
  time_ns?: number;
  topology: string;
  total?: number;
  unguided?: boolean;
  unwritten?: boolean;
  walks: number;
}

export interface GoalState {
  holds: boolean;
  mote: number;
  name: string;
}

export interface Halt {
  at: string;
  mote: number;
  place: Spot;
  says: string;
}

export interface Hits {
  hits: number;
  line: number;
}

export interface Job {
  begun: string;
  command: string;
  error?: string;
  findings: number;
  folder: string;
  id: number;
  now?: Progress;
  page: boolean;
  request: Record<string, unknown>;
  said: string[];
  state: string;
  took_s?: number;
  verdict: string;
}

export interface Jobs {
  jobs: Job[];
}

export interface JourneyLink {
  from: number;
  loss?: number;
  to: number;
}

export interface JourneyMote {
  board: string;
  files: string[];
  firmware: string;
  id: number;
  leds: string[];
}

export interface Judged {
  reason: string;
  undo?: boolean;
}

export interface Judgement {
  key: string;
  says: string;
}

export interface Judgements {
  judged: Record<string, string>;
}

export interface Listed {
  findings: Finding[];
}

export interface Mine {
  board?: string;
  buttons?: string[];
  chip?: string;
  detector: string;
  drift?: number;
  files: string[];
  first_id: number;
  frames?: string[];
  fuses?: string;
  gain: number;
  hz?: number;
  id_symbols?: string[];
  layout: string;
  loss: number;
  node: string[];
  nodes: number;
  page?: boolean;
  params?: string[];
  pool: string;
  runs: number;
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  skip_ns: number;
  stagger_ns: number;
  sweeps?: string[];
  tasks?: string[];
  time_ns?: number;
  top: number;
  topology: string;
  trace?: string;
  trace_map?: string;
  vectors?: string[];
}

export interface ModelFile {
  firmware: string;
  path: string;
}

export interface ModelMine {
  background?: string[];
  board?: string;
  buttons?: string[];
  chip?: string;
  components?: string[];
  depth?: string[];
  draw?: boolean;
  drift?: number;
  drop?: string[];
  exclude?: string[];
  file: string;
  files?: string[];
  first_id: number;
  force?: boolean;
  frames?: string[];
  functions?: string[];
  fuses?: string;
  gain: number;
  helpers?: boolean;
  hz?: number;
  id_symbols?: string[];
  kernel_functions?: boolean;
  layout: string;
  loss: number;
  models?: string;
  node: string[];
  nodes: number;
  params?: string[];
  runs?: number;
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  stagger_ns: number;
  time_ns?: number;
  topology: string;
  trace?: string;
  trace_map?: string;
  until_stable?: number;
  vectors?: string[];
  wiring?: boolean;
}

export interface ModelVerify {
  board?: string;
  buttons?: string[];
  chip?: string;
  draw?: boolean;
  drift?: number;
  file: string;
  first_id: number;
  frames?: string[];
  fuses?: string;
  gain: number;
  hz?: number;
  id_symbols?: string[];
  layout: string;
  loss: number;
  models?: string;
  node: string[];
  nodes: number;
  out?: string;
  params?: string[];
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  stagger_ns: number;
  strict?: boolean;
  time_ns?: number;
  topology: string;
  trace?: string;
  trace_map?: string;
}

export interface Models {
  files: ModelFile[];
}

export interface Moment {
  cycle: number;
  mote: number;
}

export interface MoteDetail {
  calls: Call[];
  cycles: number;
  id: number;
  locals: Value[];
  masked: boolean;
  next: string;
  pending: string[];
  pins: Pin[];
  registers: Registers;
  stack_bytes: number;
  variables: Value[];
}

export interface MoteState {
  energy_mj?: number;
  frames_received: number;
  frames_sent: number;
  id: number;
  leds: number;
  place: Spot;
  radio?: string;
  state: string;
}

export interface Opened {
  events?: Event[];
  explored: boolean;
  first: string;
  found?: string;
  id: string;
  last: string;
  links: JourneyLink[];
  motes: JourneyMote[];
  request: Debug;
}

export interface Pin {
  high: boolean;
  name: string;
  output: boolean;
}

export interface Progress {
  blocks?: number;
  depth?: number;
  events?: number;
  findings?: number;
  inputs?: number;
  instructions?: number;
  kind: string;
  now_ps?: number;
  outcomes?: number;
  since_s?: number;
  states?: number;
  text?: string;
  until_ps?: number;
  walks?: number;
}

export interface Recorded {
  until: string;
  whole: boolean;
}

export interface Refused {
  error: string;
}

export interface Registers {
  pc: number;
  r: number[];
  sp: number;
  sreg: number;
}

export interface Request {
  benign?: string[];
  board?: string;
  budget_ns: number;
  buttons?: string[];
  chip?: string;
  drift?: number;
  engines?: string[];
  file: string;
  first_id: number;
  frames?: string[];
  fuses?: string;
  gain: number;
  hz?: number;
  id_symbols?: string[];
  loss: number;
  nodes: number;
  out?: string;
  params?: string[];
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  stagger_ns: number;
  store?: string;
  threads: number;
  time_ns?: number;
  topology: string;
  total?: number;
  version?: string;
}

export interface Run {
  blocks?: boolean;
  board?: string;
  bundle?: boolean;
  buttons?: string[];
  chip?: string;
  drift?: number;
  dump?: string[];
  energy?: boolean;
  file: string;
  first_id: number;
  frames?: string[];
  full_checks?: boolean;
  fuses?: string;
  gain: number;
  hz?: number;
  id_symbols?: string[];
  kernels?: string[];
  leds?: boolean;
  lifecycle?: string;
  loss: number;
  no_checks?: boolean;
  nodes: number;
  out?: string;
  params?: string[];
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  stagger_ns: number;
  time_ns?: number;
  topology: string;
  trace_pins?: boolean;
  vars?: string[];
  watchdog?: boolean;
}

export interface Scenario {
  path: string;
  text: string;
  version: string;
}

export interface ScenarioError {
  column: number;
  line: number;
  text: string;
}

export interface Sight {
  firmware: string;
  hunt: number;
  spent: number;
  time?: string;
  version: string;
}

export interface Slice {
  at: string;
  from_s: number;
  name: number;
  to_s: number;
}

export interface Source {
  file: string;
  found: string;
  lines: string[];
  note: string;
}

export interface Spot {
  file?: string;
  function: string;
  line?: number;
  text: string;
}

export interface State {
  at: string;
  faults: FaultState[];
  flying: Flight[];
  mote?: MoteDetail;
  motes: MoteState[];
  says: string;
}

export interface Store {
  address?: string;
  new: number;
  old: number;
  says?: string;
  stop?: Halt;
}

export interface Symbolic {
  board?: string;
  budget_ns: number;
  bundle?: boolean;
  buttons?: string[];
  chip?: string;
  cover?: boolean;
  delay_ns?: number;
  drift?: number;
  failures?: string[];
  file: string;
  first_id: number;
  frames?: string[];
  fuses?: string;
  gain: number;
  hz?: number;
  id_symbols?: string[];
  loss: number;
  map: string;
  max_paths?: number;
  memory: string;
  no_memory?: boolean;
  nodes: number;
  orders?: number;
  out?: string;
  outcomes: number;
  params?: string[];
  queries?: string;
  reorder?: boolean;
  resume?: boolean;
  searcher?: string;
  seed?: number;
  sensors?: string[];
  serial_at_ns?: number;
  serial_baud?: number;
  serial_in?: string[];
  serial_pause?: string;
  serial_to?: string;
  solver: string;
  stagger_ns: number;
  time_ns?: number;
  topology: string;
}

export interface Timeline {
  from: string;
  motes: TimelineMote[];
  to: string;
}

export interface TimelineLane {
  counts?: number[];
  kind: string;
  names: string[];
  slices: Slice[];
  total: number;
}

export interface TimelineMote {
  id: number;
  lanes: TimelineLane[];
}

export interface TraceLine {
  arg?: number;
  boot: number;
  count: number;
  depth: number;
  kind: string;
  lines?: string;
  name?: string;
  path?: number;
  proc?: number;
  time_s: number;
}

export interface TraceStats {
  boots: number;
  bytes: number;
  events: number;
  faults: number;
  gaps: number;
  lost: number;
  pages: number;
  procedures: TracedProcedure[];
  savings_percent: number;
  time_s: number;
  uncompressed_bytes: number;
}

export interface TracedProcedure {
  calls: number;
  lines?: string;
  most: number;
  name: string;
  paths: number;
  proc: number;
  rounds: number;
}

export interface Value {
  known: boolean;
  name: string;
  path: string;
  value: string;
}

export interface View {
  address: string;
  name: string;
}

export interface Views {
  views: View[];
}
