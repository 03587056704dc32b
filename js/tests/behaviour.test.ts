import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Announcer } from "../src/behaviour/announcer";
import { Follow } from "../src/behaviour/follow";
import { wordsOf } from "../src/words";

describe("the announcer", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("says one thing in five seconds, and then the newest", () => {
    const voice = new Announcer();
    const said: (string | null)[] = [];
    const hear = () => said.at(-1) !== voice.element.textContent && said.push(voice.element.textContent);
    for (let delta = 0; delta < 300; delta++) {
      voice.say(`Running tool ${delta}`);
      hear();
      vi.advanceTimersByTime(33);
      hear();
    }
    expect(said.length).toBeLessThanOrEqual(3);
    vi.advanceTimersByTime(5000);
    expect(voice.element.textContent).toBe("Running tool 299");
  });

  it("says at once what can't wait", () => {
    const voice = new Announcer();
    voice.say("Thinking");
    voice.say("Running search_web");
    voice.say("!Finished in 12 seconds");
    expect(voice.element.textContent).toBe("Finished in 12 seconds");
    vi.advanceTimersByTime(10_000);
    expect(voice.element.textContent).toBe("Finished in 12 seconds");
  });
});

describe("a view in a box of its own", () => {
  /** A box whose sizes the test sets, since there is no layout here. */
  function boxed(): { box: HTMLElement; follow: Follow; grow(to: number): void; scroll(to: number): void } {
    const box = document.createElement("div");
    let height = 300;
    let top = 0;
    Object.defineProperties(box, {
      clientHeight: { get: () => 300 },
      scrollHeight: { get: () => height },
      scrollTop: {
        get: () => top,
        set: (to: number) => {
          top = Math.max(0, Math.min(to, height - 300));
          box.dispatchEvent(new Event("scroll"));
        },
      },
    });
    const follow = new Follow(box, wordsOf());
    return {
      box,
      follow,
      grow(to) {
        follow.before();
        height = to;
        follow.after(1);
      },
      scroll(to) {
        box.scrollTop = to;
      },
    };
  }

  it("follows the end", () => {
    const { box, grow } = boxed();
    grow(500);
    grow(900);
    expect(box.scrollTop).toBe(600);
  });

  it("stays where the reader scrolled to, and counts what is new", () => {
    const { box, follow, grow, scroll } = boxed();
    grow(900);
    scroll(560);
    grow(1000);
    grow(1100);
    expect(box.scrollTop).toBe(560);
    expect(follow.button.hidden).toBe(false);
    expect(follow.button.textContent).toBe("2 new ↓");
  });

  it("follows again once the reader is back at the end, also when something lands in the same frame", () => {
    const { box, follow, grow, scroll } = boxed();
    grow(900);
    scroll(400);
    grow(1000);
    scroll(695);
    grow(1200);
    expect(box.scrollTop).toBe(900);
    expect(follow.button.hidden).toBe(true);
  });

  it("stays where the reader scrolled to, also when something lands before the event of it", () => {
    const { box, grow } = boxed();
    grow(900);
    const heard = vi.spyOn(box, "dispatchEvent").mockReturnValue(true);
    box.scrollTop = 400;
    heard.mockRestore();
    grow(1000);
    expect(box.scrollTop).toBe(400);
  });

  it("goes to the end by its button", () => {
    const { box, follow, grow, scroll } = boxed();
    grow(900);
    scroll(100);
    grow(1000);
    follow.button.click();
    expect(box.scrollTop).toBe(700);
    grow(1300);
    expect(box.scrollTop).toBe(1000);
  });
});
