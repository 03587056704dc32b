/** One drawing of a run in one place: the nodes, and what belongs to the reader (open rows, scroll, selection). */

import { Announcer } from "./behaviour/announcer";
import { Citations } from "./behaviour/citations";
import { startClock, stopClock, type Time } from "./behaviour/clock";
import { addCopy, answerOf, copyPart, write } from "./behaviour/copy";
import { Drill } from "./behaviour/drill";
import { Find } from "./behaviour/find";
import { Follow } from "./behaviour/follow";
import { freeze } from "./behaviour/freeze";
import { guardKeys } from "./behaviour/hostkeys";
import { Keys } from "./behaviour/keys";
import { placeOnLane } from "./behaviour/lane";
import { Menu } from "./behaviour/menu";
import { elementAt, pathTo } from "./behaviour/parts";
import { Place } from "./behaviour/place";
import { type Answering, Questions } from "./behaviour/questions";
import { Raw } from "./behaviour/raw";
import { focusPart, jump, visibleRows } from "./behaviour/rows";
import { fileLink } from "./behaviour/save";
import { Scrollers } from "./behaviour/scrollers";
import { Tail } from "./behaviour/tail";
import { Toggles } from "./behaviour/toggles";
import type { Op, Reply, Request, WireElement, WireNode } from "./contract";
import { make } from "./make";
import { apply, build, type Element, isText, type Node, reconcile, type Watcher } from "./tree";

/** What a view asks of its run. */
export interface Owner extends Time, Answering {
  say(request: Request): void;
  /** Whether there is a kernel that hears it. */
  readonly canAsk: boolean;
  readonly isOver: boolean;
  /** The answer's Markdown, once it is known whole. */
  readonly source: string | undefined;
  /** The reader asked for a stop. */
  stop(): void;
}

export class LiveView implements Watcher {
  readonly box = make("div", "rv-live");
  private readonly root: Element;
  private readonly note = make("p", "rv-note");
  private readonly place = new Place(this.box);
  private readonly clocks = new Set<Element>();
  private readonly stops = new Set<HTMLButtonElement>();
  private readonly announcer = new Announcer();
  private readonly toggles = new Toggles(() => this.follow?.stay());
  private readonly citations = new Citations(this.box);
  private readonly tail = new Tail(this.box);
  private readonly scrollers = new Scrollers();
  private readonly questions: Questions;
  /** The buttons for more that have been pressed. */
  private readonly extended = new Set<string>();
  private readonly drill: Drill;
  private readonly find: Find;
  private readonly menu: Menu;
  private readonly raw: Raw;
  private cameFrom: HTMLElement | undefined;
  private lit: globalThis.Element | undefined;
  private isCopying = false;
  private readonly follow: Follow | undefined;
  private wasAway = false;

  constructor(
    tree: WireElement,
    private readonly owner: Owner,
    private readonly sheet: CSSStyleSheet,
  ) {
    this.questions = new Questions(owner, (row) => this.toggles.keep(row));
    this.drill = new Drill(this.box, owner.words);
    const root = build(tree, this);
    if (isText(root)) throw new TypeError("a run is an element");
    this.root = root;
    const section = root.dom as HTMLElement;
    const { words } = owner;
    this.find = new Find(section, words, () => visibleRows(this.box)[0]?.focus());
    this.raw = new Raw(
      {
        say: (request) => this.owner.say(request),
        canAsk: () => this.owner.canAsk,
        isOver: () => this.owner.isOver,
        build: (wire) => build(wire, this).dom,
        light: (part) => this.light(part),
        name: (part) => elementAt(root, part)?.querySelector(".rv-t, .rv-q")?.textContent ?? words("this part"),
        left: () => (this.cameFrom ? focusPart(this.cameFrom) : this.menu.button.focus()),
      },
      words,
    );
    const keys = new Keys(
      this.box,
      {
        every: (open) => this.toggles.every(section, open),
        find: () => this.find.open(),
        stop: () => this.owner.stop(),
        copy: (part) => (part ? copyPart(part) : this.copyAnswer()),
        chunks: (part) => this.chunks(part),
        leave: () => this.leave(),
      },
      words,
    );
    this.menu = new Menu(
      [
        ["Chunks", "r", () => this.chunks(undefined)],
        ["Expand all", "e", () => this.toggles.every(section, true)],
        ["Collapse all", "c", () => this.toggles.every(section, false)],
        ["Copy answer", "", () => this.copyAnswer()],
        ["Find", "/", () => this.find.open()],
        ["Keys", "?", () => keys.toggleHelp()],
      ],
      words,
    );
    section.querySelector(".rv-status")?.append(this.menu.button);
    section.addEventListener("focusin", (event) => this.raw.visit(pathTo(root, event.target as globalThis.Node)));
    this.box.append(this.find.element, section, this.menu.list, this.raw.element, keys.help, this.note, this.announcer.element);
    const { height } = root.attributes;
    if (height !== undefined) {
      section.style.setProperty("--rv-max", `${Number(height)}px`);
      this.follow = new Follow(section, owner.words);
      section.after(this.follow.button);
    }
  }

  /** Whether the run waits for somebody, so that nothing is at work. */
  get isResting(): boolean {
    return !("aria-busy" in this.root.attributes);
  }

  get isConnected(): boolean {
    return this.box.isConnected;
  }

  /** Whether this view is drawn in `host` just now. */
  isIn(host: globalThis.Element): boolean {
    return host.shadowRoot !== null && this.box.getRootNode() === host.shadowRoot;
  }

  /** Draws in `host` from now on, over what the host holds. Throws when the host can't have a shadow root. */
  moveTo(host: globalThis.Element): void {
    const shadow = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    shadow.adoptedStyleSheets = [this.sheet];
    host.classList.add("rv-host");
    guardKeys(host);
    shadow.replaceChildren(this.box);
    this.place.restore();
    this.follow?.after(0);
  }

  /** Looks whether the host has left the page or come back, as cells of windowed notebooks do. */
  look(): void {
    const { isConnected } = this.box;
    if (isConnected && this.wasAway) this.place.scrollBack();
    this.wasAway = !isConnected;
  }

  /** Applies operations; false when they do not fit, which means that something was missed. */
  apply(ops: Op[]): boolean {
    this.follow?.before();
    try {
      for (const op of ops) apply(this.root, op, this);
      this.follow?.after(added(ops));
      this.tail.follow();
      return true;
    } catch (error) {
      if (error instanceof RangeError || error instanceof DOMException) return false;
      throw error;
    } finally {
      this.sweep();
    }
  }

  /** Takes over a whole tree, keeping what can be kept. */
  load(tree: WireElement): void {
    this.follow?.before();
    reconcile(this.root, tree, this);
    this.follow?.after(0);
    this.sweep();
  }

  /** The tree as it stands, for another view of the same run. */
  wire(): WireElement {
    return wireOf(this.root) as WireElement;
  }

  /** What this view, or another of the run, has asked the kernel for. */
  hear(reply: Reply): void {
    if (reply.kind !== "markdown") this.raw.hear(reply);
    else if (this.isCopying) {
      this.isCopying = false;
      void write(reply.text);
    }
  }

  /** There is no kernel that can be asked any more. */
  unheard(): void {
    this.raw.unheard();
  }

  /** One line under the run, from the page itself; "" takes it away. */
  say(text: string): void {
    if (this.note.textContent === text) return;
    this.note.textContent = text;
    if (text) this.announcer.say(text);
  }

  /** Shows at once that a stop is under way; the kernel's own word follows. */
  stopping(on: boolean): void {
    this.box.classList.toggle("is-stopping", on);
    for (const button of this.stops) button.disabled = on;
  }

  /** What can be answered has changed. */
  asked(): void {
    this.questions.refresh(this.box);
  }

  /** Nobody will tell how it ended: nothing here may look as if it were at work any more. */
  freeze(): void {
    this.stopClocks();
    freeze(this.root, this, this.owner.words);
  }

  close(): void {
    this.stopClocks();
    this.place.forget();
    this.scrollers.close();
    this.announcer.close();
    this.raw.stop();
  }

  built(element: Element): void {
    this.toggles.settle(element);
    this.scrollers.built(element);
    if ("since" in element.attributes) this.clock(element);
    this.citations.built(element);
    if (element.attributes.deep) this.changed(element, "deep");
    if ("at" in element.attributes) placeOnLane(element);
    if ("copy" in element.attributes) addCopy(element, this.owner.words);
    if (element.attributes.act === "save") fileLink(element);
    else if (element.tag === "button") this.button(element);
  }

  changed(element: Element, hint: string): void {
    if (hint === "auto" || hint === "lone") this.toggles.settle(element);
    if (hint === "deep") this.drill.watch(element.dom as HTMLDetailsElement);
    if (hint === "since") this.clock(element);
    if (hint === "disabled") this.questions.changed(element);
    if (hint === "at" || hint === "long") placeOnLane(element);
    if (hint === "say" && element.attributes.say !== undefined) this.announcer.say(element.attributes.say);
  }

  private chunks(part: HTMLElement | undefined): void {
    this.cameFrom = part;
    this.raw.open(part ? pathTo(this.root, part) : "");
  }

  private light(part: string): void {
    this.lit?.classList.remove("rv-lit");
    this.lit = part ? elementAt(this.root, part) : undefined;
    this.lit?.classList.add("rv-lit");
  }

  /** The Markdown that the answer came as; without the kernel, what is seen of it. */
  private copyAnswer(): void {
    const { source, canAsk } = this.owner;
    if (source === undefined && canAsk) {
      this.isCopying = true;
      this.owner.say({ kind: "markdown" });
    } else void write(source || answerOf(this.root.dom as HTMLElement));
  }

  /** Gives the focus back to the notebook. */
  private leave(): void {
    const root = this.box.getRootNode();
    const cell = root instanceof ShadowRoot ? root.host.closest<HTMLElement>("[tabindex]") : null;
    cell?.focus();
  }

  private clock(element: Element): void {
    if ("since" in element.attributes) {
      this.clocks.add(element);
      startClock(element, this.owner);
    } else if (this.clocks.delete(element)) {
      stopClock(element);
      // The clock's own text goes; the kernel's is among the kids, or comes with the next operation.
      element.dom.replaceChildren(...element.kids.map((kid) => kid.dom));
    }
  }

  /** The clocks stop, and show what they showed last. */
  private stopClocks(): void {
    for (const element of this.clocks) stopClock(element);
    this.clocks.clear();
  }

  /** Clocks whose elements have left the tree stop. */
  private sweep(): void {
    for (const element of this.clocks) {
      if (!this.box.contains(element.dom)) {
        this.clocks.delete(element);
        stopClock(element);
      }
    }
  }

  /** Each button asks once: what comes gives it another name, until there is nothing more to ask for. */
  private more(element: Element): void {
    const { ref = "" } = element.attributes;
    if (this.extended.has(ref)) return;
    this.extended.add(ref);
    this.owner.say({ kind: "more", id: ref });
  }

  private button(element: Element): void {
    const button = element.dom as HTMLButtonElement;
    button.type = "button";
    switch (element.attributes.act) {
      case "allow":
      case "deny":
        this.questions.add(element);
        return;
      case "more":
        button.addEventListener("click", () => this.more(element));
        return;
      case "stop":
        this.stops.add(button);
        button.onclick = () => this.owner.stop();
        return;
      case "jump":
        button.onclick = () => jump(this.box);
        return;
    }
  }
}

/** How many rows and blocks operations bring, as a reader counts them. The blocks of a long text are in sections. */
function added(ops: Op[]): number {
  return ops.flatMap((op) => (op[0] === "insert" ? op[3].filter((node) => op[1].length <= 1 || isBlock(node)) : [])).length;
}

function isBlock(node: WireNode): boolean {
  return typeof node !== "string" && /^b\d+$/.test(node[1].key ?? "");
}

function wireOf(node: Node): WireNode {
  return isText(node) ? node.text : [node.tag, { ...node.attributes }, node.kids.map(wireOf)];
}
