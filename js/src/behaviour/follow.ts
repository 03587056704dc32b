/**
 * A view in a box of its own: it follows the end of the run until the reader scrolls up, and again once the reader is back at the
 * end. The page itself is never scrolled.
 */

import { make } from "../make";
import type { Words } from "../words";

/** Within this many pixels of the end the reader is at the end. */
const NEAR = 8;

export class Follow {
  /** Told how many new things lie below what the reader sees; 0 takes the hint away. */
  readonly button = make("button", "rv-new");
  private pinned = true;
  private unseen = 0;
  private top = 0;
  private height = 0;

  constructor(
    private readonly box: HTMLElement,
    private readonly words: Words,
  ) {
    this.button.hidden = true;
    this.button.addEventListener("click", () => this.toEnd());
    box.addEventListener("scroll", () => this.look());
  }

  /** Before something is added: where the reader has scrolled to counts, though the event for it may still be to come. */
  before(): void {
    this.look();
  }

  /** The reader has changed what is open, and looks at that: the end is followed only if it is still in sight. */
  stay(): void {
    this.pinned = this.isNearEnd;
    this.top = this.box.scrollTop;
    this.height = this.box.scrollHeight;
  }

  /** After `count` things have been added. */
  after(count: number): void {
    if (this.pinned) this.toEnd();
    else if (count) this.tell(this.unseen + count);
    this.height = this.box.scrollHeight;
  }

  private get isNearEnd(): boolean {
    return this.box.scrollHeight - this.box.scrollTop - this.box.clientHeight <= NEAR;
  }

  private toEnd(): void {
    this.pinned = true;
    this.box.scrollTop = this.box.scrollHeight;
    this.top = this.box.scrollTop;
    this.tell(0);
  }

  private look(): void {
    const { scrollTop, scrollHeight } = this.box;
    // Only the reader scrolls up while nothing has changed: a box that shrank under the view has moved by itself.
    if (scrollTop < this.top && scrollHeight === this.height) this.pinned = false;
    if (this.isNearEnd) {
      this.pinned = true;
      this.tell(0);
    }
    this.top = scrollTop;
    this.height = scrollHeight;
  }

  private tell(unseen: number): void {
    this.unseen = unseen;
    this.button.hidden = unseen === 0;
    this.button.textContent = `${unseen} ${this.words("new")} ↓`;
  }
}
