/**
 * The page's store of one run. It outlives the model that feeds it (a tab closed and opened again, a kernel that is gone), hears
 * the kernel's news in order, and draws itself in every place where the run's static output stands.
 */

import { Asks } from "./asks";
import { duration, tick } from "./behaviour/clock";
import type { News, PackedElement, PackedOp, Reply, Request, Snapshot } from "./contract";
import { unpackElement, unpackOps } from "./packed";
import { LiveView, type Owner } from "./view";
import { type Words, wordsOf } from "./words";

const SILENCE = 20_000;
/** Milliseconds that the file's last HTML has after the end, before the reader is told that it can't come. */
const GRACE = 2000;
const FILE_BEHIND = "The saved file holds an earlier state of this run; show the view again in a cell to keep this one.";
/** Milliseconds after which a stop or an answer that nothing has come of is told to be waiting. */
const BUSY = 1500;
const STOP_WAITS = "Stopping when the running cell lets it.";
const ANSWER_WAITS = "Your answer waits for the running cell.";
const KERNEL_GONE = "The kernel is gone: the run ended early.";
const NOBODY_HEARS = "The kernel is gone: nobody can answer this run any more.";

export class LiveRun implements Owner {
  /** All drawings; there is always at least one, in the page or not yet. */
  private readonly views: LiveView[];
  private markers: ArrayLike<globalThis.Element> & Iterable<globalThis.Element>;
  readonly words: Words;
  private readonly sheet = new CSSStyleSheet();
  private seq: number;
  private ended: boolean;
  private send: ((request: Request) => void) | undefined;
  private clockOffset: number;
  private asked = 0;
  private mounted = false;
  private told = "";
  private lastNews = Date.now();
  private silence: ReturnType<typeof setInterval> | undefined;
  private goneSince: number | undefined;
  private readonly asks = new Asks(() => {
    for (const view of this.views) view.asked();
  });
  private isStopping = false;
  /** What the reader has asked of a kernel that has not heard it. */
  private waiting = "";
  private unheard: ReturnType<typeof setTimeout> | undefined;
  /** The page has told the kernel that the file holds the end everywhere. */
  private reported = false;
  /** The answer's Markdown, once the run is over. */
  private answer: string | undefined;
  /** By now the file should hold the end. */
  private isLate = false;

  constructor(
    readonly id: string,
    css: string,
    snapshot: Snapshot,
  ) {
    this.words = wordsOf(snapshot.labels);
    this.sheet.replaceSync(css);
    this.markers = document.getElementsByClassName(`rv-run-${id}`);
    this.seq = snapshot.seq;
    this.ended = snapshot.ended;
    this.clockOffset = Date.now() / 1000 - snapshot.now;
    this.views = [new LiveView(unpackElement(snapshot.tree), this, this.sheet)];
    if (this.ended) this.expectFile();
    else this.silence = setInterval(() => this.listen(), 1000);
  }

  get isOver(): boolean {
    return this.ended;
  }

  /** Whether a run that is over has had no drawing in the page for `milliseconds`. */
  isForgotten(milliseconds: number): boolean {
    if (!this.ended || this.views.some((view) => view.isConnected)) {
      this.goneSince = undefined;
      return false;
    }
    this.goneSince ??= Date.now();
    return Date.now() - this.goneSince > milliseconds;
  }

  /** From now on requests go through this model, the newest. */
  connect(send: (request: Request) => void): void {
    this.send = send;
    if (this.mounted) send({ kind: "mounted" });
  }

  disconnect(send: (request: Request) => void): void {
    if (this.send !== send) return;
    this.send = undefined;
    for (const view of this.views) view.unheard();
  }

  say(request: Request): void {
    this.send?.(request);
  }

  get canAsk(): boolean {
    return this.send !== undefined;
  }

  get source(): string | undefined {
    return this.answer;
  }

  offset(): number {
    return this.clockOffset;
  }

  stop(): void {
    if (this.ended) return;
    this.isStopping = true;
    for (const view of this.views) view.stopping(true);
    this.say({ kind: "stop" });
    this.expect(STOP_WAITS);
  }

  isOpen(id: string): boolean {
    return !this.isStopping && this.asks.isOpen(id);
  }

  given(id: string): boolean | undefined {
    return this.asks.answer(id);
  }

  give(id: string, approved: boolean): boolean {
    const request = this.isStopping ? undefined : this.asks.give(id, approved);
    if (!request) return false;
    this.say(request);
    this.expect(ANSWER_WAITS);
    return true;
  }

  /** Tells the reader what the kernel has to hear first, if it does not soon. */
  private expect(words: string): void {
    clearTimeout(this.unheard);
    this.unheard = setTimeout(() => this.wait(this.words(words)), BUSY);
  }

  private wait(text: string): void {
    clearTimeout(this.unheard);
    this.waiting = text;
    this.showNote();
  }

  load({ seq, now, tree, ended }: Snapshot): void {
    this.heardAt(now);
    if (seq < this.seq) return;
    this.seq = seq;
    this.loadTree(tree);
    if (ended) this.end();
  }

  hear(news: News): void {
    if (!("now" in news)) {
      this.pass(news);
      return;
    }
    this.heardAt(news.now);
    switch (news.kind) {
      case "beat":
        this.asks.load(news.asks ?? {});
        if (!this.isStopping && !this.asks.isUnheard) this.wait("");
        if (news.seq > this.seq) this.resync();
        return;
      case "ops":
        if (news.seq <= this.seq) return;
        if (news.seq > this.seq + 1 || !this.apply(news.ops)) {
          this.resync();
          return;
        }
        this.seq = news.seq;
        return;
      case "end":
        if (news.tree && news.seq >= this.seq) this.loadTree(news.tree);
        else if (news.ops && news.seq === this.seq + 1) this.apply(news.ops);
        else if (news.seq > this.seq) {
          this.resync();
          return;
        }
        this.seq = Math.max(this.seq, news.seq);
        this.answer = news.answer ?? this.answer;
        this.end();
        this.report(true);
        return;
    }
  }

  /** What was asked for goes to whoever asked: the others take no notice. */
  private pass(reply: Reply): void {
    for (const view of this.views) view.hear(reply);
  }

  /** Draws in every place where the run's static output stands and is not drawn over yet. */
  mount(markers = this.markers): void {
    this.markers = markers;
    for (const marker of markers) {
      const host = marker.parentElement;
      // Only an element that holds nothing but this run: whatever else it held would vanish under the shadow root.
      if (host?.childElementCount !== 1 || this.views.some((view) => view.isIn(host))) continue;
      if (host.shadowRoot && !host.classList.contains("rv-host")) continue;
      this.draw(host);
    }
    for (const view of this.views) view.look();
    if (this.ended) this.report(false);
  }

  /** Draws in an element that is given to it, such as a widget's own. */
  draw(host: globalThis.Element): void {
    let view = this.views.find((candidate) => !candidate.isConnected);
    if (!view) {
      const [first] = this.views;
      if (!first) return;
      view = new LiveView(first.wire(), this, this.sheet);
      this.views.push(view);
    }
    try {
      view.moveTo(host);
    } catch {
      this.say({ kind: "no place" });
      return;
    }
    view.say(this.told || this.waiting);
    if (!this.mounted) {
      this.mounted = true;
      this.say({ kind: "mounted" });
    }
  }

  /** The comm has closed, or the kernel died or was started anew. */
  lost(): void {
    this.send = undefined;
    for (const view of this.views) view.unheard();
    if (!this.ended) {
      const isResting = this.views[0]?.isResting;
      this.settle();
      for (const view of this.views) view.freeze();
      this.tell(this.words(isResting ? NOBODY_HEARS : KERNEL_GONE));
    }
  }

  close(): void {
    this.settle();
    for (const view of this.views) view.close();
  }

  /** Whether the operations fitted in every view. */
  private apply(packed: PackedOp[]): boolean {
    const ops = unpackOps(packed);
    return this.views.every((view) => view.apply(ops));
  }

  private loadTree(packed: PackedElement): void {
    const tree = unpackElement(packed);
    for (const view of this.views) view.load(tree);
  }

  private end(): void {
    if (this.ended) return;
    this.settle();
    this.tell("");
    this.expectFile();
  }

  /** The last HTML of the file follows the end by itself; where it can't come, the reader must know. */
  private expectFile(): void {
    setTimeout(() => {
      this.isLate = true;
      this.report(false);
    }, GRACE);
  }

  private settle(): void {
    this.ended = true;
    clearInterval(this.silence);
    this.wait("");
    this.asks.load({});
    for (const view of this.views) view.stopping(false);
  }

  private get outputs(): boolean[] {
    return [...this.markers].map((marker) => marker.classList.contains("rv-done"));
  }

  /** Whether the file holds the end somewhere: in the run's own output, or in a cell that has shown it again. */
  private get isKept(): boolean {
    return this.markers.length === 0 || this.outputs.includes(true);
  }

  private report(again: boolean): void {
    const fileDone = this.markers.length > 0 && !this.outputs.includes(false);
    if (this.isLate) this.tell(this.isKept ? "" : this.words(FILE_BEHIND));
    if (again || (fileDone && !this.reported)) this.say({ kind: "ended", seq: this.seq, fileDone });
    this.reported = fileDone;
  }

  private tell(text: string): void {
    this.told = text;
    this.showNote();
  }

  private showNote(): void {
    for (const view of this.views) view.say(this.told || this.waiting);
  }

  private heardAt(now: number): void {
    this.lastNews = Date.now();
    // The smallest difference is the truest: what comes on top is the message's way, or the time that this script took to load.
    const offset = Date.now() / 1000 - now;
    if (offset < this.clockOffset) {
      const noticed = this.clockOffset - offset > 0.2;
      this.clockOffset = offset;
      if (noticed) tick();
    }
    if (!this.ended && this.told !== "") this.tell("");
  }

  /** At most once a second, since an answer to the first question may be under way. */
  private resync(): void {
    if (Date.now() - this.asked < 1000) return;
    this.asked = Date.now();
    this.say({ kind: "resync", have: this.seq });
  }

  private listen(): void {
    const silent = Date.now() - this.lastNews;
    if (silent < SILENCE) return;
    // Told as seldom as it is asked for: whoever hears the page instead of seeing it hears every change of this line.
    const told = duration((Math.floor(silent / SILENCE) * SILENCE) / 1000, this.words);
    this.tell(`${this.words("No news for")} ${told}.`);
    if (silent % SILENCE < 1000) this.resync();
  }
}
