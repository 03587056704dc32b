/**
 * What the kernel and the page say to each other. The lists are the page's own copy of `runview/draw/tree.py`; a test of the
 * Python side reads this file and compares.
 */

export const TAGS = [
  "section",
  "div",
  "p",
  "span",
  "strong",
  "em",
  "del",
  "sup",
  "sub",
  "b",
  "i",
  "bdi",
  "br",
  "hr",
  "h4",
  "h5",
  "h6",
  "ul",
  "ol",
  "li",
  "dl",
  "dt",
  "dd",
  "blockquote",
  "pre",
  "code",
  "a",
  "img",
  "table",
  "thead",
  "tbody",
  "tr",
  "th",
  "td",
  "details",
  "summary",
  "button",
  "input",
  "progress",
] as const;

export const MATH_TAGS = [
  "math",
  "mrow",
  "mi",
  "mn",
  "mo",
  "ms",
  "mtext",
  "mspace",
  "mfrac",
  "msqrt",
  "mroot",
  "mstyle",
  "merror",
  "mpadded",
  "mphantom",
  "msub",
  "msup",
  "msubsup",
  "munder",
  "mover",
  "munderover",
  "mmultiscripts",
  "mprescripts",
  "mtable",
  "mtr",
  "mtd",
] as const;

export const ATTRIBUTES = [
  "class",
  "href",
  "alt",
  "src",
  "start",
  "value",
  "max",
  "role",
  "dir",
  "lang",
  "type",
  "checked",
  "disabled",
  "colspan",
  "rowspan",
  "display",
  "aria-label",
  "aria-hidden",
  "aria-busy",
  "aria-live",
  "aria-current",
] as const;

/** Attributes of MathML's elements alone. */
export const MATH_ATTRIBUTES = [
  "stretchy",
  "form",
  "minsize",
  "maxsize",
  "largeop",
  "movablelimits",
  "linethickness",
  "accent",
  "accentunder",
  "width",
  "displaystyle",
  "scriptlevel",
  "mathvariant",
] as const;

/** Attributes that speak to this script and never reach an element. */
export const HINTS = [
  "key",
  "auto",
  "live",
  "since",
  "act",
  "ref",
  "copy",
  "tex",
  "height",
  "say",
  "lone",
  "at",
  "long",
  "save",
  "name",
  "deep",
] as const;

export const OPERATIONS = ["append", "splice", "insert", "remove", "replace", "set"] as const;

export type Value = string | number | boolean;
export interface Attributes {
  key?: string;
  auto?: string;
  class?: string;
  lone?: boolean;
  live?: boolean;
  since?: number;
  act?: string;
  ref?: string;
  copy?: string | true;
  height?: number;
  say?: string;
  at?: number;
  long?: number;
  save?: string;
  name?: string;
  deep?: boolean;
  [name: string]: Value | undefined;
}
export type WireElement = [tag: string, given: Attributes, children: WireNode[]];
export type WireNode = string | WireElement;
/** On the way, `[name, given, …children]`: see `packed.ts`. */
export type PackedElement = [name: string, ...rest: (Attributes | PackedNode)[]];
export type PackedNode = string | 0 | PackedElement;
/** Child indexes from the root. */
export type Path = number[];

type OpOf<N> =
  | ["append", Path, string]
  | ["splice", Path, number, number, string]
  | ["insert", Path, number, N[]]
  | ["remove", Path, number, number]
  | ["replace", Path, N]
  | ["set", Path, string, Value | null];
export type Op = OpOf<WireNode>;
export type PackedOp = OpOf<PackedNode>;

/** Kinds of messages from the kernel. */
export const NEWS = ["ops", "beat", "end", "markdown", "chunks", "chunk"] as const;
/** Kinds of messages from the page. */
export const REQUESTS = [
  "mounted",
  "no place",
  "resync",
  "stop",
  "answer",
  "more",
  "ended",
  "markdown",
  "chunks",
  "chunk",
  "chunks closed",
] as const;

/** The whole tree as of message `seq`; `now` is the kernel's clock in seconds since the epoch. */
export interface Snapshot {
  seq: number;
  now: number;
  tree: PackedElement;
  ended: boolean;
  /** What the page itself says, in another language, by its English form. */
  labels?: Record<string, string>;
}

export type News =
  | { kind: "ops"; seq: number; now: number; ops: PackedOp[] }
  /** Nothing new; the last number sent, and for each question that can be answered, by its `ref`, what the answer must carry. */
  | { kind: "beat"; seq: number; now: number; asks?: Record<string, string> }
  /** The last message of a run. Repeats carry the tree, since what came before may have been lost. */
  | { kind: "end"; seq: number; now: number; ops?: PackedOp[]; tree?: PackedElement; answer?: string }
  | Reply;

/** What a page has asked for; it has no number, since it changes nothing. */
export type Reply =
  /** The Markdown of the answer. */
  | { kind: "markdown"; text: string }
  | ChunksReply
  /** One chunk as a tree. */
  | { kind: "chunk"; at: number; part: string; tree: WireElement };

/** Rows of the list of chunks: those of one type, of one part, or all (""), from the one at `from` on. */
export interface ChunksReply {
  kind: "chunks";
  type: string;
  part: string;
  from: number;
  /** Chunks of the run by now. */
  total: number;
  /** Those that are asked for. */
  count: number;
  types: [type: string, count: number][];
  rows: ChunkRow[];
}

/** `bytes` below 0: at least so many. `part` is the way to the innermost part that the chunk belongs to, as keys. */
export type ChunkRow = [number: number, seconds: number, type: string, run: string, bytes: number, part: string];

export type Request =
  | { kind: "mounted" }
  | { kind: "no place" }
  | { kind: "resync"; have: number }
  | { kind: "stop" }
  /** Allows or refuses the call that a question is about. */
  | { kind: "answer"; id: string; approved: boolean; nonce: string }
  /** Shows more of what the kernel has cut, of the piece that its button names. */
  | { kind: "more"; id: string }
  /** The end has been drawn; `fileDone` when the static output under the view has its last form, too. */
  | { kind: "ended"; seq: number; fileDone: boolean }
  | { kind: "markdown" }
  | { kind: "chunks"; type: string; part: string; from: number }
  | { kind: "chunk"; at: number }
  /** Nobody looks at the chunks any more: after the end, the kernel may close the comm. */
  | { kind: "chunks closed" };
