import { beforeEach, describe, expect, it, vi } from "vitest";
import { Raw, type Surroundings } from "../src/behaviour/raw";
import { type Filler, Roll } from "../src/behaviour/roll";
import type { ChunkRow, Reply, Request } from "../src/contract";
import { wordsOf } from "../src/words";

/** Gives a list the height that it has in a page, since there is no layout here. */
function laidOut(element: HTMLElement): HTMLElement {
  let top = 0;
  Object.defineProperties(element, {
    clientHeight: { get: () => 192 },
    scrollHeight: { get: () => Number.parseInt((element.firstElementChild as HTMLElement).style.height || "0", 10) },
    scrollTop: {
      get: () => top,
      set: (to: number) => {
        top = Math.max(0, Math.min(to, element.scrollHeight - 192));
        element.dispatchEvent(new Event("scroll"));
      },
    },
  });
  return element;
}

describe("a long list", () => {
  function made(count: number): { roll: Roll; element: HTMLElement; numbers: () => number[]; chosen: number[] } {
    const chosen: number[] = [];
    const filler: Filler = {
      fill: (row, index) => {
        row.textContent = String(index);
      },
      seen: () => undefined,
      chosen: (index) => chosen.push(index),
    };
    const roll = new Roll(filler);
    const element = laidOut(roll.element);
    roll.resize(count);
    roll.refill();
    const numbers = () =>
      [...element.querySelectorAll("[role=option]")].map((row) => Number(row.textContent)).sort((a, b) => a - b);
    return { roll, element, numbers, chosen };
  }

  it("holds only the rows in sight, wherever it is scrolled to, also beyond what a browser can show", () => {
    for (const count of [3, 100_000, 5_000_000]) {
      const { element, numbers } = made(count);
      for (const part of [0, 0.3, 0.77, 1]) {
        element.scrollTop = element.scrollHeight * part;
        expect(numbers().length).toBeLessThan(40);
      }
      expect(numbers().at(-1)).toBe(count - 1);
      element.scrollTop = 0;
      expect(numbers()[0]).toBe(0);
    }
  });

  it("is walked by keys to its last row", () => {
    const { element, chosen } = made(1_000_000);
    const press = (key: string) => element.dispatchEvent(new KeyboardEvent("keydown", { key }));
    for (const key of ["ArrowDown", "ArrowDown", "PageDown", "End", "ArrowUp", "Home"]) press(key);
    expect(chosen).toEqual([0, 1, 9, 999_999, 999_998, 0]);
    expect(element.getAttribute("aria-activedescendant")).toBe("0");
  });
});

describe("the chunks", () => {
  beforeEach(() => vi.useFakeTimers());

  function opened(part = ""): {
    raw: Raw;
    asked: Request[];
    answer: (count: number, first?: number) => void;
    press: (key: string) => void;
    kernel: { is: boolean };
    lit: string[];
  } {
    const asked: Request[] = [];
    const lit: string[] = [];
    const kernel = { is: true };
    const around: Surroundings = {
      say: (request) => asked.push(request),
      canAsk: () => kernel.is,
      isOver: () => true,
      build: () => document.createElement("ul"),
      light: (path) => lit.push(path),
      name: (path) => path,
      left: () => lit.push("left"),
    };
    const raw = new Raw(around, wordsOf());
    const list = laidOut(raw.element.querySelector("[role=listbox]") as HTMLElement);
    raw.open(part);
    const answer = (count: number, first = 0) => {
      const rows = Array.from(
        { length: Math.min(200, count - first) },
        (_, at): ChunkRow => [first + at, 0, "text-delta", "r", 90, "p1"],
      );
      const types: [string, number][] = [["text-delta", count]];
      raw.hear({ kind: "chunks", type: "", part, from: first, total: count, count, types, rows } satisfies Reply);
    };
    const press = (key: string) => list.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    return { raw, asked, answer, press, kernel, lit };
  }

  it("asks only for the pages in sight, and again when no answer comes", () => {
    const { asked, answer, press } = opened();
    expect(asked).toEqual([{ kind: "chunks", type: "", part: "", from: 0 }]);
    vi.advanceTimersByTime(1001);
    expect(asked.length).toBe(2);
    answer(100_000);
    press("End");
    expect(asked.slice(2)).toEqual([{ kind: "chunks", type: "", part: "", from: 99_800 }]);
    answer(100_000, 99_800);
    expect(asked.at(-1)).toEqual({ kind: "chunk", at: 99_999 });
  });

  it("shows the chunk that was chosen last, and lights its part", () => {
    const { raw, answer, press, lit } = opened();
    answer(10);
    press("ArrowDown");
    press("ArrowDown");
    raw.hear({ kind: "chunk", at: 0, part: "p1", tree: ["ul", {}, []] });
    expect(raw.element.querySelector("ul")).toBeNull();
    raw.hear({ kind: "chunk", at: 1, part: "p2", tree: ["ul", {}, []] });
    expect(raw.element.querySelector("ul")).not.toBeNull();
    expect(lit.at(-1)).toBe("p2");
  });

  it("takes no notice of answers to others", () => {
    const { raw, answer } = opened("p1");
    raw.hear({ kind: "chunks", type: "", part: "", from: 0, total: 5, count: 5, types: [], rows: [] });
    expect(raw.element.querySelectorAll("[role=option]").length).toBe(0);
    answer(3);
    expect(raw.element.querySelectorAll("[role=option]").length).toBe(3);
  });

  it("says where the chunks are once the kernel can't be asked", () => {
    const { raw, answer, kernel } = opened();
    answer(10);
    kernel.is = false;
    raw.unheard();
    expect(raw.element.textContent).toContain("view.explore()");
  });

  it("tells that it is closed, and gives the focus back", () => {
    const { raw, press, asked, lit } = opened("p1");
    press("Escape");
    expect(raw.element.hidden).toBe(true);
    expect(asked.at(-1)).toEqual({ kind: "chunks closed" });
    expect(lit.slice(-2)).toEqual(["", "left"]);
    const count = asked.length;
    vi.advanceTimersByTime(10_000);
    expect(asked.length).toBe(count);
  });
});
