/** The rows that a reader can walk through: those whose line can be seen. */

export function visibleRows(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>("section summary")].filter((summary) => isSeen(summary, box));
}

/** The parts with which the steps of a run begin. */
export function stepsOf(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>("section > .rv-status + *, section > .rv-first")];
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
