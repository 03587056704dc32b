/** A list of any length of which only the rows in sight are in the document. One row of it is the chosen one. */

import { make } from "../make";

const ROW = 24;
/** Rows beyond the edges that are there too, so that scrolling shows no gap. */
const MORE = 8;
/** Browsers do not go on beyond some such height; a longer list scrolls by more than a row a row. */
const HIGHEST = 8_000_000;

export interface Filler {
  /** Writes what is known of a row; false when that is nothing yet. */
  fill(row: HTMLElement, index: number): void;
  /** These rows are in sight. */
  seen(first: number, last: number): void;
  chosen(index: number): void;
}

export class Roll {
  readonly element = make("div");
  private readonly inner = make("div");
  private readonly rows = new Map<number, HTMLElement>();
  private count = 0;
  private at = -1;

  constructor(private readonly filler: Filler) {
    const { element, inner } = this;
    element.tabIndex = 0;
    element.setAttribute("role", "listbox");
    Object.assign(element.style, { height: `${8 * ROW}px`, overflowY: "auto", overflowAnchor: "none" });
    inner.style.position = "relative";
    element.append(inner);
    element.addEventListener("scroll", () => this.show());
    element.addEventListener("keydown", (event) => this.press(event));
    inner.addEventListener("click", (event) => {
      const row = (event.target as Element).closest<HTMLElement>("[role=option]");
      if (row) this.choose(Number(row.id));
    });
  }

  get isAtEnd(): boolean {
    return this.element.scrollTop + this.element.clientHeight >= this.element.scrollHeight - ROW / 2;
  }

  /** How many rows there are by now. */
  resize(count: number): void {
    if (count === this.count) return;
    this.count = count;
    this.inner.style.height = `${Math.min(count * ROW, HIGHEST)}px`;
  }

  /** Draws the rows in sight anew. */
  refill(): void {
    for (const row of this.rows.values()) row.remove();
    this.rows.clear();
    this.show();
  }

  toEnd(): void {
    this.element.scrollTop = this.element.scrollHeight;
    this.show();
  }

  choose(index: number): void {
    if (!this.count) return;
    this.at = Math.max(0, Math.min(this.count - 1, index));
    this.reach(this.at);
    this.show();
    this.filler.chosen(this.at);
  }

  /** Nothing is chosen any more, and the list stands at its beginning. */
  reset(): void {
    this.at = -1;
    this.element.scrollTop = 0;
    this.refill();
  }

  /** Pixels of the list that one pixel of scrolling stands for. */
  private get scale(): number {
    const { clientHeight } = this.element;
    const whole = this.count * ROW;
    return whole <= HIGHEST ? 1 : (whole - clientHeight) / (HIGHEST - clientHeight);
  }

  private reach(index: number): void {
    const { element, scale } = this;
    const top = index * ROW;
    const seen = element.scrollTop * scale;
    if (top < seen) element.scrollTop = top / scale;
    else if (top + ROW > seen + element.clientHeight) element.scrollTop = (top + ROW - element.clientHeight) / scale;
  }

  /** Draws the rows in sight that are not there yet, and tells which they are. */
  show(): void {
    const { element, scale, rows } = this;
    const { scrollTop, clientHeight } = element;
    const top = scrollTop * scale;
    const first = Math.max(0, Math.floor(top / ROW) - MORE);
    const last = Math.min(this.count - 1, Math.ceil((top + clientHeight) / ROW) + MORE);
    for (const [index, row] of rows) {
      if (index >= first && index <= last) continue;
      row.remove();
      rows.delete(index);
    }
    for (let index = first; index <= last; index++) {
      const row = rows.get(index) ?? this.row(index);
      row.style.top = `${scrollTop + index * ROW - top}px`;
      row.setAttribute("aria-selected", String(index === this.at));
    }
    const chosen = rows.get(this.at);
    if (chosen) element.setAttribute("aria-activedescendant", chosen.id);
    else element.removeAttribute("aria-activedescendant");
    if (last >= first) this.filler.seen(first, last);
  }

  private row(index: number): HTMLElement {
    const row = make("div");
    row.id = String(index);
    row.setAttribute("role", "option");
    row.setAttribute("aria-posinset", String(index + 1));
    row.setAttribute("aria-setsize", String(this.count));
    Object.assign(row.style, { position: "absolute", insetInline: "0", height: `${ROW}px` });
    this.filler.fill(row, index);
    this.rows.set(index, row);
    this.inner.append(row);
    return row;
  }

  private press(event: KeyboardEvent): void {
    const page = Math.floor(this.element.clientHeight / ROW);
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
    const step = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (step !== undefined) this.choose(this.at < 0 ? 0 : this.at + step);
    else if (event.key === "Home") this.choose(0);
    else if (event.key === "End") this.choose(this.count - 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
