import { describe, expect, it } from "vitest";
import pairs from "../../tests/fixtures/packed.json";
import type { PackedNode, WireNode } from "../src/contract";
import { unpack, unpackOps } from "../src/packed";

/** The pairs that the kernel's side is tested with, too. */
const PAIRS: [WireNode, PackedNode][] = pairs as never;

describe("what travels", () => {
  it.each(PAIRS)("is unpacked: %j", (wire, packed) => {
    expect(unpack(packed)).toEqual(wire);
  });

  it("is unpacked inside operations", () => {
    for (const [wire, packed] of PAIRS) {
      expect(unpackOps([["insert", [1], 0, [packed, "x"]]])).toEqual([["insert", [1], 0, [wire, "x"]]]);
      expect(unpackOps([["replace", [1], packed]])).toEqual([["replace", [1], wire]]);
    }
    expect(unpackOps([["append", [0, 1], "text"]])).toEqual([["append", [0, 1], "text"]]);
  });
});
