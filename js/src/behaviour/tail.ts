/** A thought that is open while it is written shows its newest lines, until the reader scrolls up in it. */

const THOUGHT = ".rv-thinking > .rv-body";
/** Within this many pixels of the end the reader is at the end. */
const NEAR = 8;

export class Tail {
  /** Thoughts in which the reader has scrolled up. */
  private readonly left = new WeakSet<Element>();

  constructor(private readonly box: HTMLElement) {
    box.addEventListener("scroll", ({ target }) => this.scrolled(target), true);
    box.addEventListener("toggle", () => this.follow(), true);
  }

  /** After something has been written. */
  follow(): void {
    for (const thought of this.box.querySelectorAll(`details[open]${THOUGHT}`)) {
      if (!this.left.has(thought)) thought.scrollTop = thought.scrollHeight;
    }
  }

  private scrolled(target: EventTarget | null): void {
    if (!(target instanceof Element) || !target.matches(THOUGHT)) return;
    if (target.scrollHeight - target.scrollTop - target.clientHeight > NEAR) this.left.add(target);
    else this.left.delete(target);
  }
}
