/** The rows that a reader can walk through: those whose line can be seen. */

export function visibleRows(box: HTMLElement): HTMLElement[] {
  return [...box.querySelectorAll<HTMLElement>("summary")].filter((summary) => isSeen(summary, box));
}

/** The row around a node, or undefined in the answer, which is no row. */
export function rowOf(node: Element | null): HTMLDetailsElement | undefined {
  const row = node?.closest("details");
  return row instanceof HTMLDetailsElement ? row : undefined;
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
