/** Nodes as they travel, in half the characters: see `runview/draw/packed.py`, which packs them. */

import type { Attributes, Op, PackedElement, PackedNode, PackedOp, WireElement, WireNode } from "./contract";

const CARET: WireElement = ["span", { class: "rv-caret", "aria-hidden": "true", live: true, key: "caret" }, []];

export function unpackOps(ops: PackedOp[]): Op[] {
  return ops.map((op) => {
    if (op[0] === "insert") return ["insert", op[1], op[2], op[3].map(unpack)];
    return op[0] === "replace" ? ["replace", op[1], unpack(op[2])] : op;
  });
}

export function unpack(node: PackedNode): WireNode {
  return typeof node === "string" ? node : node === 0 ? CARET : unpackElement(node);
}

export function unpackElement([name, ...rest]: PackedElement): WireElement {
  const [head, key] = halves(name, "#");
  const [tag, classes] = halves(head, ".");
  const attributes: Attributes = {};
  if (classes !== undefined) attributes.class = `rv-${classes}`;
  if (hasAttributes(rest)) Object.assign(attributes, rest.shift());
  if (key !== undefined) attributes.key = key;
  return [tag, attributes, (rest as PackedNode[]).map(unpack)];
}

function hasAttributes([first]: (Attributes | PackedNode | undefined)[]): boolean {
  return typeof first === "object" && !Array.isArray(first);
}

function halves(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
