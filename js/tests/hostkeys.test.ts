import { describe, expect, it } from "vitest";
import { guardKeys } from "../src/behaviour/hostkeys";

const MARK = "data-lm-suppress-shortcuts";

/** Whether the notebook is kept from a key that is pressed in a view. */
function kept(inside: HTMLElement, key: string, more: KeyboardEventInit = {}): boolean {
  inside.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true, ...more }));
  return inside.closest(".rv-host")?.hasAttribute(MARK) ?? false;
}

describe("the notebook", () => {
  it("gets its own combinations, also once a view was away and is back, and no plain key", () => {
    const host = Object.assign(document.createElement("div"), { className: "rv-host" });
    const inside = document.createElement("button");
    host.append(inside);
    document.body.append(host);
    guardKeys(host);
    for (let round = 0; round < 2; round++) {
      for (const key of ["d", "x", "Enter", "Escape", "ArrowDown", " "]) expect(kept(inside, key), key).toBe(true);
      expect(kept(inside, ".", { ctrlKey: true })).toBe(true);
      expect(kept(inside, "M", { shiftKey: true })).toBe(true);
      expect(kept(inside, "s", { ctrlKey: true })).toBe(false);
      expect(kept(inside, "s", { metaKey: true })).toBe(false);
      expect(kept(inside, "Enter", { shiftKey: true })).toBe(false);
      expect(kept(inside, "F1")).toBe(false);
      host.remove();
      document.body.append(host);
    }
  });
});
