import { describe, expect, it, vi } from "vitest";
import { duration, startClock, stopClock, tick } from "../src/behaviour/clock";
import { build, type Element } from "../src/tree";
import { wordsOf } from "../src/words";

describe("duration", () => {
  it.each([
    [0.2, "0 s"],
    [7.9, "7 s"],
    [64, "1 m 04 s"],
    [3725, "1 h 02 m"],
  ])("%s seconds are %s", (seconds, text) => {
    expect(duration(seconds).replaceAll("\u202f", " ")).toBe(text);
  });
});

describe("a running clock", () => {
  it("counts once a second by the kernel's time, and stops", () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const silent = { built: () => {}, changed: () => {} };
    const element = build(["span", { since: 990 }, []], silent) as Element;
    let offset = 0;
    startClock(element, { offset: () => offset, words: wordsOf() });
    expect(element.dom.textContent).toBe("10\u202fs");
    vi.advanceTimersByTime(2000);
    expect(element.dom.textContent).toBe("12\u202fs");
    offset = -3;
    tick();
    expect(element.dom.textContent).toBe("15\u202fs");
    stopClock(element);
    vi.advanceTimersByTime(5000);
    expect(element.dom.textContent).toBe("15\u202fs");
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
