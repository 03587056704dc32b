import { describe, expect, it } from "vitest";
import { elementAt, pathTo } from "../src/behaviour/parts";
import type { WireElement } from "../src/contract";
import { build, type Element, type Watcher } from "../src/tree";

const quiet: Watcher = { built: () => undefined, changed: () => undefined };
const row = (key: string, ...kids: WireElement[]): WireElement => ["details", { key }, [["div", { key: "body" }, kids]]];

describe("the way to a part", () => {
  const tree = build(
    [
      "section",
      {},
      [row("p1"), row("p2", row("input"), row("n0.p1", row("p3")), row("n1.p1", row("n0.p7"))), row("p4", row("p5"))],
    ],
    quiet,
  ) as Element;

  it("names the runs on it, and steps inside steps by themselves", () => {
    for (const path of ["p1", "p2", "p2/n0.p1", "p2/n0.p3", "p2/n1.p1", "p2/n1.p1/n0.p7", "p4", "p5"]) {
      const element = elementAt(tree, path);
      expect(element, path).toBeDefined();
      expect(pathTo(tree, element as globalThis.Element)).toBe(path);
    }
  });

  it("leads nowhere for what is no part", () => {
    expect(elementAt(tree, "p9")).toBeUndefined();
    expect(elementAt(tree, "input")).toBeUndefined();
    expect(pathTo(tree, document.createElement("p"))).toBe("");
  });
});
