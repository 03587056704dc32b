/**
 * What the reader would lose when nodes move to another element: inner scroll positions, the selection and the focus. Kept as it
 * changes, because at the moment of the move it is gone already.
 */

export class Place {
  private readonly scrolled = new Map<Element, number>();
  private selected: StaticRange | null = null;
  private focused: HTMLElement | null = null;

  constructor(private readonly box: HTMLElement) {
    box.addEventListener("scroll", (event) => this.scroll(event), true);
    box.addEventListener("focusin", (event) => {
      this.focused = event.target instanceof HTMLElement ? event.target : null;
    });
    box.addEventListener("focusout", () => {
      // A move takes the focus away, too; only a box that is still in the page has really lost it.
      setTimeout(() => {
        if (box.isConnected) this.focused = activeIn(box);
      });
    });
    document.addEventListener("selectionchange", this.select);
  }

  /** Puts back what leaving the page took and a return does not bring: only scroll positions, the rest may be elsewhere by now. */
  scrollBack(): void {
    for (const [element, top] of this.scrolled) element.scrollTop = top;
  }

  /** Puts back what the move took. */
  restore(): void {
    this.scrollBack();
    const range = this.selected;
    if (range) {
      getSelection()?.setBaseAndExtent(range.startContainer, range.startOffset, range.endContainer, range.endOffset);
    }
    this.focused?.focus({ preventScroll: true });
  }

  forget(): void {
    document.removeEventListener("selectionchange", this.select);
  }

  private scroll(event: Event): void {
    const { target } = event;
    if (!(target instanceof Element) || !this.box.isConnected) return;
    if (target.scrollTop) this.scrolled.set(target, target.scrollTop);
    else this.scrolled.delete(target);
  }

  private readonly select = (): void => {
    const root = this.box.getRootNode();
    if (!(root instanceof ShadowRoot) || !this.box.isConnected) return;
    const range = getSelection()?.getComposedRanges?.({ shadowRoots: [root] })[0];
    this.selected = range && !range.collapsed && this.box.contains(range.startContainer) ? range : null;
  };
}

function activeIn(box: HTMLElement): HTMLElement | null {
  const root = box.getRootNode();
  const active = root instanceof ShadowRoot ? root.activeElement : document.activeElement;
  return active instanceof HTMLElement && box.contains(active) ? active : null;
}
