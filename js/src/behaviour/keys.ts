/** The keys of a view, while the focus is in it. Only keys that do something here are kept from the notebook. */

import { make } from "../make";
import type { Words } from "../words";
import { focusIn, focusPart, outer, partOf, rowOf, stepsOf, visibleRows } from "./rows";

/** What keys do beyond moving through rows. */
export interface Acts {
  every(open: boolean): void;
  find(): void;
  copy(part: HTMLElement | undefined): void;
  /** The following only where there is a kernel, or a notebook. */
  stop?(): void;
  chunks?(part: HTMLElement | undefined): void;
  leave?(): void;
}

/** Key and meaning, as `?` shows them. */
export const KEYS: readonly (readonly [key: string, meaning: string, needs?: "stop" | "chunks" | "leave"])[] = [
  ["↑ ↓", "previous, next row"],
  ["→ or Enter", "open"],
  ["←", "close, or go to the row above"],
  ["Home End", "first, last row"],
  ["[ ]", "previous, next step"],
  ["e c", "expand all, collapse all"],
  ["/", "find; Enter next, Shift Enter previous, Esc leave"],
  ["y", "copy this part"],
  ["r", "chunks of this part", "chunks"],
  ["?", "this table"],
  [`${isMac() ? "⌘" : "Ctrl"} .`, "stop the run", "stop"],
  ["Esc", "back to the cell", "leave"],
];

export class Keys {
  readonly help = make("dl", "rv-keys");

  constructor(
    private readonly box: HTMLElement,
    private readonly acts: Acts,
    words: Words,
  ) {
    this.help.hidden = true;
    for (const [key, meaning, needs] of KEYS) {
      if (needs && !acts[needs]) continue;
      const term = make("dt");
      const detail = make("dd");
      term.textContent = words(key);
      detail.textContent = words(meaning);
      this.help.append(term, detail);
    }
    box.addEventListener("keydown", (event) => this.hear(event));
  }

  /** Does what a key means, and keeps it from everybody else if it means something here. */
  hear(event: KeyboardEvent): void {
    if (isTyping(event) || !this.press(event)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Whether the key did something. */
  private press(event: KeyboardEvent): boolean {
    const { key } = event;
    if ((event.ctrlKey || event.metaKey) && key === ".") {
      this.acts.stop?.();
      return this.acts.stop !== undefined;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    switch (key) {
      case "ArrowDown":
        return this.go((at) => at + 1);
      case "ArrowUp":
        return this.go((at, rows) => (at < 0 ? rows.length - 1 : at - 1));
      case "Home":
        return this.go(() => 0);
      case "End":
        return this.go((_at, rows) => rows.length - 1);
      case "ArrowRight":
        return this.turn(true);
      case "ArrowLeft":
        return this.turn(false);
      case "e":
      case "c":
        this.acts.every(key === "e");
        return true;
      case "[":
        return this.step((steps, at) => steps.filter((step) => follows(step, at)).at(-1));
      case "]":
        return this.step((steps, at) => steps.find((step) => follows(at, step)));
      case "/":
        this.acts.find();
        return true;
      case "y":
        this.acts.copy(partOf(this.focused));
        return true;
      case "r":
        this.acts.chunks?.(partOf(this.focused));
        return this.acts.chunks !== undefined;
      case "?":
        this.toggleHelp();
        return true;
      case "Escape":
        this.help.hidden = true;
        this.acts.leave?.();
        return true;
      default:
        return false;
    }
  }

  toggleHelp(): void {
    this.help.hidden = !this.help.hidden;
    if (!this.help.hidden) this.help.scrollIntoView({ block: "nearest" });
  }

  private get focused(): Element | null {
    return focusIn(this.box);
  }

  private step(choose: (steps: HTMLElement[], at: Element) => HTMLElement | undefined): boolean {
    const steps = stepsOf(this.box);
    if (!steps.length) return false;
    focusPart(choose(steps, partOf(this.focused) ?? this.box));
    return true;
  }

  private go(to: (at: number, rows: HTMLElement[]) => number): boolean {
    const rows = visibleRows(this.box);
    const at = rows.indexOf(this.focused as HTMLElement);
    const next = rows[Math.max(0, Math.min(rows.length - 1, to(at, rows)))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
    return next !== undefined;
  }

  private turn(open: boolean): boolean {
    const row = rowOf(this.focused);
    if (!row) return false;
    if (row.open !== open) row.querySelector("summary")?.click();
    else if (!open) outer(row)?.focus();
    return true;
  }
}

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
}

/** Whether `b` begins after `a` does; of a box and what is in it, what is in it begins later. */
function follows(a: Element, b: Element): boolean {
  return (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
}

function isMac(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform);
}
