/**
 * The chunks behind a run: a list that is fetched from the kernel where the reader looks, and the JSON of one. A chunk and its part of
 * the run light up together. Nothing of it is in the file.
 */

import type { ChunkRow, ChunksReply, Reply, Request, WireElement } from "../contract";
import { make } from "../make";
import type { Words } from "../words";
import { Roll } from "./roll";

const PAGE = 200;
/** Pages that are remembered. */
const MOST = 100;
/** Milliseconds after which a question that was not answered is asked again, and the list of a run that goes on as well. */
const AGAIN = 1000;
const IN_PYTHON = "The chunks are in Python now: view.to_jsonl(), or here again by view.explore().";
const WIDTHS = ["7ch", "8ch", "26ch", "auto", "9ch"];

/** What the list needs of the view around it. */
export interface Surroundings {
  say(request: Request): void;
  /** Whether there is a kernel that can be asked. */
  canAsk(): boolean;
  isOver(): boolean;
  /** The nodes of one chunk. */
  build(tree: WireElement): Node;
  /** Lights up a part of the run, "" none. */
  light(part: string): void;
  /** What a part is called. */
  name(part: string): string;
  /** The list has been closed. */
  left(): void;
}

export class Raw {
  readonly element = make("div", "rv-raw");
  private readonly types = make("select");
  private readonly only = make("button", "rv-act");
  private readonly note = make("p");
  private readonly detail = make("div");
  private readonly roll: Roll;
  private readonly pages = new Map<number, ChunkRow[]>();
  private readonly asked = new Map<number, number>();
  private type = "";
  /** Only the chunks of this part are listed; "" lists all. */
  private part = "";
  /** Part whose chunks are lit. */
  private lit = "";
  private from = "";
  private total = 0;
  private shown: number | undefined;
  /** A row that was chosen before it was known. */
  private wanted: number | undefined;
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly around: Surroundings,
    private readonly words: Words,
  ) {
    this.roll = new Roll({
      fill: (row, index) => this.fill(row, index),
      seen: (first, last) => this.need(first, last),
      chosen: (index) => this.choose(index),
    });
    const { element, types, only, note, detail } = this;
    element.hidden = true;
    element.setAttribute("role", "region");
    element.setAttribute("aria-label", words("Chunks"));
    this.roll.element.setAttribute("aria-label", words("Chunks"));
    types.setAttribute("aria-label", words("Type"));
    types.addEventListener("change", () => this.filter(types.value, this.part));
    only.addEventListener("click", () => this.filter(this.type, this.part ? "" : this.from));
    const close = make("button", "rv-act");
    close.textContent = words("Close");
    close.addEventListener("click", () => this.close());
    const bar = make("div");
    Object.assign(bar.style, { display: "flex", gap: "8px" });
    bar.append(types, only, close);
    Object.assign(detail.style, { maxHeight: "320px", overflow: "auto" });
    element.append(bar, note, this.roll.element, detail);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      this.close();
    });
  }

  /** Shows the chunks of a part, or all ("" for no part). */
  open(part: string): void {
    const { element } = this;
    this.from = part;
    this.lit = part;
    element.hidden = false;
    this.filter("", part);
    this.around.light(part);
    this.timer ??= setInterval(() => this.tick(), AGAIN);
    this.roll.element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }

  close(): void {
    if (this.element.hidden) return;
    this.element.hidden = true;
    this.stop();
    this.around.light("");
    this.around.say({ kind: "chunks closed" });
    this.around.left();
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  /** The reader has gone to a part of the run: its chunks are lit. */
  visit(part: string): void {
    if (this.element.hidden || !part || part === this.lit) return;
    this.lit = part;
    this.from = part;
    this.around.light(part);
    this.tell();
    this.roll.refill();
  }

  /** The kernel can't be asked any more. */
  unheard(): void {
    if (!this.element.hidden) this.tell();
  }

  hear(reply: Reply): void {
    if (this.element.hidden) return;
    if (reply.kind === "chunks") this.list(reply);
    else if (reply.kind === "chunk" && reply.at === this.shown) {
      const box = make("div", "rv");
      box.append(this.around.build(reply.tree));
      this.detail.replaceChildren(box);
      this.lit = reply.part;
      this.around.light(reply.part);
      this.roll.refill();
    }
  }

  private filter(type: string, part: string): void {
    this.type = type;
    this.part = part;
    this.pages.clear();
    this.asked.clear();
    this.shown = this.wanted = undefined;
    this.total = 0;
    this.detail.replaceChildren();
    this.roll.resize(0);
    this.roll.reset();
    this.tell();
    this.ask(0);
  }

  private list(reply: ChunksReply): void {
    if (reply.type !== this.type || reply.part !== this.part) return;
    const page = reply.from / PAGE;
    this.asked.delete(page);
    this.pages.delete(page);
    this.pages.set(page, reply.rows);
    for (const old of this.pages.keys()) {
      if (this.pages.size <= MOST) break;
      this.pages.delete(old);
    }
    const follows = this.total > 0 && !this.around.isOver() && this.shown === undefined && this.roll.isAtEnd;
    this.total = reply.count;
    this.offer(reply);
    this.roll.resize(reply.count);
    this.roll.refill();
    if (follows) this.roll.toEnd();
    if (this.wanted !== undefined) this.choose(this.wanted);
    this.tell();
  }

  /** Every type that there is by now, with its number. */
  private offer({ total, types }: ChunksReply): void {
    const wanted: [string, string][] = [
      ["", `${this.words("All")} · ${total}`],
      ...types.map(([type, many]): [string, string] => [type, `${type} · ${many}`]),
    ];
    for (const [at, [value, words]] of wanted.entries()) {
      const option = this.types.options[at] ?? make("option");
      option.value = value;
      if (option.text !== words) option.text = words;
      if (!option.parentNode) this.types.append(option);
    }
    this.types.value = this.type;
  }

  private tell(): void {
    this.note.textContent = this.around.canAsk() ? "" : this.words(IN_PYTHON);
    this.note.hidden = this.around.canAsk();
    this.only.hidden = !this.from;
    this.only.textContent = this.part
      ? `${this.words("of")} ${this.around.name(this.part)} · ${this.words("show all")}`
      : `${this.words("only of")} ${this.around.name(this.from)}`;
  }

  private fill(row: HTMLElement, index: number): void {
    const known = this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
    if (!known) {
      row.textContent = this.around.canAsk() ? "…" : this.words("in Python");
      return;
    }
    const [number, seconds, type, run, bytes, part] = known;
    const cells = [
      `${number}`,
      `${seconds.toFixed(2)}\u202f${this.words("s")}`,
      type,
      run,
      `${bytes < 0 ? "≥\u202f" : ""}${size(Math.abs(bytes))}`,
    ];
    for (const [at, text] of cells.entries()) {
      const cell = make("span");
      cell.textContent = text;
      const width = WIDTHS[at] ?? "auto";
      Object.assign(cell.style, {
        flex: width === "auto" ? "1" : `0 0 ${width}`,
        textAlign: at === 2 || at === 3 ? "start" : "end",
      });
      row.append(cell);
    }
    row.classList.toggle("rv-lit", this.lit !== "" && (part === this.lit || part.startsWith(`${this.lit}/`)));
  }

  private need(first: number, last: number): void {
    for (let page = Math.floor(first / PAGE); page <= Math.floor(last / PAGE); page++) {
      const rows = this.pages.get(page);
      const wanted = Math.min(PAGE, this.total - page * PAGE);
      if (!rows || rows.length < wanted) this.ask(page);
    }
  }

  private ask(page: number): void {
    const before = this.asked.get(page);
    if (before !== undefined && Date.now() - before < AGAIN) return;
    this.asked.set(page, Date.now());
    this.around.say({ kind: "chunks", type: this.type, part: this.part, from: page * PAGE });
  }

  /** While the run goes on there are always more; and what was lost on the way is asked for again. */
  private tick(): void {
    if (!this.around.canAsk()) return;
    this.roll.show();
    if (!this.around.isOver() || !this.total) this.ask(Math.floor(Math.max(0, this.total - 1) / PAGE));
    if (this.shown !== undefined && !this.detail.firstChild) this.around.say({ kind: "chunk", at: this.shown });
  }

  private choose(index: number): void {
    const known = this.pages.get(Math.floor(index / PAGE))?.[index % PAGE];
    this.wanted = known ? undefined : index;
    if (!known || known[0] === this.shown) return;
    this.shown = known[0];
    this.detail.replaceChildren();
    this.around.say({ kind: "chunk", at: known[0] });
  }
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes}\u202fB`;
  return bytes < 999_500 ? `${(bytes / 1000).toPrecision(3)}\u202fkB` : `${(bytes / 1e6).toPrecision(3)}\u202fMB`;
}
