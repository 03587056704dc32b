/**
 * The one voice of a view, for readers who hear it: at most a message every five seconds, the newest wins. What can't wait (the run
 * needs its reader, failed, or has ended) is said at once. Which words, the kernel decides: the hint `say` of the run's root.
 */

import { make } from "../make";

const PAUSE = 5000;
/** Leads a message that is said at once. */
const URGENT = "!";

export class Announcer {
  readonly element = make("p", "rv-silent");
  private next: string | undefined;
  private quietUntil = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.element.setAttribute("role", "status");
  }

  /** Has a message said, now or later. */
  say(message: string): void {
    if (message.startsWith(URGENT)) {
      this.speak(message.slice(URGENT.length));
      return;
    }
    this.next = message;
    const wait = this.quietUntil - Date.now();
    if (wait <= 0) this.speak(message);
    else this.timer ??= setTimeout(() => this.next !== undefined && this.speak(this.next), wait);
  }

  close(): void {
    clearTimeout(this.timer);
  }

  private speak(message: string): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.next = undefined;
    this.quietUntil = Date.now() + PAUSE;
    this.element.textContent = message;
  }
}
