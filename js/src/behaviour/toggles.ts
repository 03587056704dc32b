/**
 * Which rows are open. `open(row) = reader[row] ?? auto(row)`: once the reader has touched a row, nothing but the reader changes it.
 */

import type { Element } from "../tree";

export class Toggles {
  /** The state that we gave a row last; a toggle to anything else is the reader's. */
  private readonly ours = new WeakMap<HTMLDetailsElement, boolean>();
  private readonly touched = new WeakSet<HTMLDetailsElement>();
  /** What the reader asked of all rows, those to come among them, until the next toggle of one. */
  private all: boolean | undefined;

  /** A row has been built, or its `auto` hint has changed. */
  settle(element: Element): void {
    const row = element.dom;
    if (!(row instanceof HTMLDetailsElement) || this.touched.has(row)) return;
    if (!this.ours.has(row)) row.addEventListener("toggle", () => this.heard(row));
    this.give(row, this.all ?? element.attributes.auto === "open");
  }

  /** The reader has acted in a row: it stays as it is. */
  keep(row: HTMLDetailsElement): void {
    this.touched.add(row);
  }

  /** Opens or closes every row of a view, as the reader's own wish. */
  every(box: HTMLElement, open: boolean): void {
    this.all = open;
    for (const row of box.querySelectorAll("details")) {
      this.touched.add(row);
      this.give(row, open);
    }
  }

  private give(row: HTMLDetailsElement, open: boolean): void {
    this.ours.set(row, open);
    row.open = open;
  }

  private heard(row: HTMLDetailsElement): void {
    if (row.open === this.ours.get(row)) return;
    this.ours.set(row, row.open);
    this.touched.add(row);
    this.all = undefined;
  }
}
