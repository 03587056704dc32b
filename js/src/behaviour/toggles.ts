/**
 * Which rows are open. `open(row) = reader[row] ?? auto(row)`: once the reader has touched a row, nothing but the reader changes it.
 *
 * A group of calls that is `lone` looks like its one call: its own line is hidden, and it is open. When a second call comes, the
 * group's line takes the place of the call's, which costs no height; but not while the reader is at the call. Then the group goes on
 * looking like its calls, until the reader has all rows collapsed.
 */

import type { Element } from "../tree";
import { isHeld, startsAbove } from "./held";

/** Marks a group that looks like its calls. */
export const PLAIN = "rv-plain";

export class Toggles {
  /** The state that we gave a row last; a toggle to anything else is the reader's. */
  private readonly ours = new WeakMap<HTMLDetailsElement, boolean>();
  private readonly touched = new WeakSet<HTMLDetailsElement>();
  /** Groups of several calls that stay plain, since the reader was at the first when the second came. */
  private readonly loose = new WeakSet<HTMLDetailsElement>();
  /** What the reader asked of all rows, those to come among them, until the next toggle of one. */
  private all: boolean | undefined;

  /** `moved`: the reader has opened or closed a row. */
  constructor(private readonly moved: () => void = () => {}) {}

  /** A row has been built, or one of its hints has changed. */
  settle(element: Element): void {
    const row = element.dom;
    if (!(row instanceof HTMLDetailsElement)) return;
    const { lone, auto } = element.attributes;
    if (!this.ours.has(row)) row.addEventListener("toggle", () => this.heard(row));
    if (lone) {
      row.setAttribute(PLAIN, "");
      this.give(row, true);
      return;
    }
    if (row.hasAttribute(PLAIN) && !this.gather(row, auto === "open")) return;
    if (this.touched.has(row)) return;
    const open = this.all ?? auto === "open";
    if (!open && row.open && (isHeld(row) || startsAbove(row))) return;
    this.give(row, open);
  }

  /** The reader has acted in a row: it stays as it is. */
  keep(row: HTMLDetailsElement): void {
    this.touched.add(row);
  }

  /** Opens or closes every row of a view, as the reader's own wish. */
  every(box: HTMLElement, open: boolean): void {
    this.all = open;
    for (const row of box.querySelectorAll("details")) {
      if (this.loose.has(row) && !open) this.show(row);
      if (row.hasAttribute(PLAIN)) continue;
      this.touched.add(row);
      this.give(row, open);
    }
    this.moved();
  }

  /** Gives a group its own line, if nothing is taken from the reader by that; says whether it has one. */
  private gather(row: HTMLDetailsElement, opens: boolean): boolean {
    if (this.loose.has(row) || opens) return false; // the line of an open group would push its calls down
    const shrinks = (row.lastElementChild?.childElementCount ?? 0) > 1;
    if (isHeld(row) || this.isOpened(row) || (shrinks && startsAbove(row))) {
      this.loose.add(row);
      return false;
    }
    this.show(row);
    this.give(row, false);
    return true;
  }

  private show(row: HTMLDetailsElement): void {
    this.loose.delete(row);
    row.removeAttribute(PLAIN);
  }

  /** Whether the reader has opened a row in it. */
  private isOpened(row: HTMLDetailsElement): boolean {
    return [...row.querySelectorAll("details")].some((inner) => inner.open && this.touched.has(inner));
  }

  private give(row: HTMLDetailsElement, open: boolean): void {
    this.ours.set(row, open);
    row.open = open;
  }

  private heard(row: HTMLDetailsElement): void {
    if (row.open === this.ours.get(row) || row.hasAttribute(PLAIN)) return;
    this.ours.set(row, row.open);
    this.touched.add(row);
    this.all = undefined;
    this.moved();
  }
}
