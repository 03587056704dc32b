/**
 * Which rows are open. `open(row) = reader[row] ?? auto(row)`: once the reader has touched a row, nothing but the reader changes it.
 */

import type { Element } from "../tree";

/** The state that we gave a row last; a toggle to anything else is the reader's. */
const ours = new WeakMap<HTMLDetailsElement, boolean>();
const touched = new WeakSet<HTMLDetailsElement>();

/** A row has been built, or its `auto` hint has changed. */
export function settleRow(element: Element): void {
  const row = element.dom;
  if (!(row instanceof HTMLDetailsElement) || touched.has(row)) return;
  if (!ours.has(row)) row.addEventListener("toggle", () => heard(row));
  const open = element.attributes.auto === "open";
  ours.set(row, open);
  row.open = open;
}

function heard(row: HTMLDetailsElement): void {
  if (row.open !== ours.get(row)) touched.add(row);
}
