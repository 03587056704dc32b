/** The rows that a reader can walk through: those whose line can be seen. */

import { PLAIN } from "./toggles";

export function visibleRows(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>(`section details:not([${PLAIN}]) > summary`)].filter((summary) =>
    isSeen(summary, box),
  );
}

const PART = ".rv-row, .rv-text, .rv-sources";

/** The parts with which the steps of a run begin. */
export function stepsOf(box: HTMLElement): HTMLElement[] {
  return [...new Set([...box.querySelectorAll<HTMLElement>("section > .rv-status + *, section .rv-first")].map(goal))];
}

/** Where one goes to be at a part: to the closed group that it is in, or into what only stands around it. */
function goal(part: HTMLElement): HTMLElement {
  const closed = part.closest<HTMLElement>(".rv-group:not([open])");
  return closed ?? (part.matches(PART) ? part : (part.querySelector<HTMLElement>(PART) ?? part));
}

/** The row around a node, or undefined in the answer, which is no row. */
export function rowOf(node: Element | null): HTMLDetailsElement | undefined {
  const row = node?.closest("details");
  return row instanceof HTMLDetailsElement ? row : undefined;
}

/** The part around a node: its row, or the text that it stands in. */
export function partOf(node: Element | null): HTMLElement | undefined {
  return node?.closest<HTMLElement>("section :is(.rv-row, .rv-text, .rv-sources)") ?? undefined;
}

/** Gives a part the focus: its line, if it has one. */
export function focusPart(part: HTMLElement | undefined): void {
  if (!part) return;
  const line = part.querySelector<HTMLElement>(":scope > summary") ?? part;
  if (line === part) part.tabIndex = -1;
  line.focus({ preventScroll: true });
  line.scrollIntoView({ block: "nearest" });
}

/** What has the focus in the document or shadow root that a node is in. */
export function focusIn(node: Node): Element | null {
  const root = node.getRootNode();
  return root instanceof ShadowRoot ? root.activeElement : document.activeElement;
}

/** The row around a row that can be walked to. */
export function outer(row: Element): HTMLElement | null {
  return row.parentElement?.closest(`details:not([${PLAIN}])`)?.querySelector("summary") ?? null;
}

/** Opens the row that tells the run's warnings, and goes there. */
export function jump(box: HTMLElement): void {
  const row = box.querySelector<HTMLDetailsElement>("details.rv-warned");
  if (!row) return;
  reveal(row, box);
  focusPart(row);
}

/** Opens every row around a node, so that it can be seen. */
export function reveal(node: Node, box: HTMLElement): void {
  for (let at: Node | null = node; at && at !== box; at = at.parentNode) {
    if (at instanceof HTMLDetailsElement && !(node.parentElement?.closest("summary")?.parentElement === at)) at.open = true;
  }
}

function isSeen(summary: HTMLElement, box: HTMLElement): boolean {
  let row = summary.parentElement?.parentElement?.closest("details");
  while (row && box.contains(row)) {
    if (!row.open) return false;
    row = row.parentElement?.closest("details");
  }
  return true;
}
