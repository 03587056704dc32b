/**
 * The buttons that allow or refuse a call. They can be pressed while the kernel waits for this very answer and has told the page so;
 * what is pressed is said at once, and the kernel's own word follows.
 */

import type { Element } from "../tree";
import type { Words } from "../words";

/** What the buttons need to know of their run. */
export interface Answering {
  readonly words: Words;
  isOpen(id: string): boolean;
  /** What has been answered, while the answer is under way. */
  given(id: string): boolean | undefined;
  /** Answers; whether there was anything to answer. */
  give(id: string, approved: boolean): boolean;
}

export class Questions {
  private readonly buttons = new Set<Element>();

  /** `answered`: the reader has acted in this row. */
  constructor(
    private readonly run: Answering,
    private readonly answered: (row: HTMLDetailsElement) => void,
  ) {}

  add(element: Element): void {
    this.buttons.add(element);
    const button = element.dom as HTMLButtonElement;
    // A key that is held down from elsewhere must not answer.
    button.addEventListener("keydown", (event) => event.repeat && event.preventDefault());
    button.addEventListener("click", () => this.press(element, button));
    this.show(element);
  }

  /** Shows which buttons can be pressed by now. */
  refresh(box: HTMLElement): void {
    for (const element of this.buttons) {
      if (box.contains(element.dom)) this.show(element);
      else this.buttons.delete(element);
    }
  }

  /** The kernel has changed something about a button. */
  changed(element: Element): void {
    if (this.buttons.has(element)) this.show(element);
  }

  private press(element: Element, button: HTMLButtonElement): void {
    const { ref = "", act } = element.attributes;
    const root = button.getRootNode();
    const isFocused = root instanceof ShadowRoot && root.activeElement === button;
    if (!this.run.give(ref, act === "allow")) return;
    const row = button.closest("details");
    for (let around = row; around; around = around.parentElement?.closest("details") ?? null) this.answered(around);
    // A button that is disabled would lose the focus to nowhere.
    if (isFocused) row?.querySelector("summary")?.focus({ preventScroll: true });
  }

  private show(element: Element): void {
    const { ref = "", act, disabled } = element.attributes;
    const button = element.dom as HTMLButtonElement;
    const isAllow = act === "allow";
    button.disabled = disabled !== undefined || !this.run.isOpen(ref);
    const isUnderWay = disabled === undefined && this.run.given(ref) === isAllow;
    if (isUnderWay) button.textContent = this.run.words(isAllow ? "Allowing…" : "Denying…");
    else button.replaceChildren(...element.kids.map((kid) => kid.dom));
  }
}
