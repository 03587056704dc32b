/**
 * The page's own table of nodes: built from the allow-list with `createElement`, kept up to date by operations.
 *
 * A node here knows its DOM node, never the other way round: what an extension or the reader's browser adds to the DOM does not
 * shift a path. There is no parser and no HTML sink in this file, and none anywhere else.
 */

import {
  ATTRIBUTES,
  type Attributes,
  MATH_ATTRIBUTES,
  MATH_TAGS,
  type Op,
  type Path,
  TAGS,
  type Value,
  type WireNode,
} from "./contract";

const HTML = new Set<string>(TAGS);
const MATH = new Set<string>(MATH_TAGS);
const ATTRIBUTE = new Set<string>(ATTRIBUTES);
const MATH_ATTRIBUTE = new Set<string>(MATH_ATTRIBUTES);
const MATH_VALUE = /^(?:true|false|prefix|infix|postfix|normal|[+-]?\d{0,2}(?:\.\d{1,4})?(?:em)?)$/;
const MATHML = "http://www.w3.org/1998/Math/MathML";
const IMAGE = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+=*$/;

export interface Text {
  dom: globalThis.Text;
  text: string;
}

export interface Element {
  dom: globalThis.Element;
  tag: string;
  attributes: Attributes;
  kids: Node[];
}

export type Node = Text | Element;

/** Told of what appears, changes and goes, so that behaviour stays out of this file. */
export interface Watcher {
  /** An element has been built; its children are in place. */
  built(element: Element): void;
  /** A hint or attribute of an element has changed. */
  changed(element: Element, name: string): void;
}

export function isText(node: Node): node is Text {
  return "text" in node;
}

/** Builds the nodes of one wire node. What is not on the list becomes a `span` with its children. */
export function build(wire: WireNode, watcher: Watcher): Node {
  if (typeof wire === "string") return { dom: document.createTextNode(wire), text: wire };
  const [tag, attributes, children] = wire;
  const dom = MATH.has(tag) ? document.createElementNS(MATHML, tag) : document.createElement(HTML.has(tag) ? tag : "span");
  const element: Element = { dom, tag, attributes: { ...attributes }, kids: [] };
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value ?? null);
  for (const child of children) {
    const kid = build(child, watcher);
    element.kids.push(kid);
    dom.appendChild(kid.dom);
  }
  watcher.built(element);
  return element;
}

/** Applies one operation below `root`. Throws `RangeError` when the path leads nowhere, which means that the trees differ. */
export function apply(root: Element, op: Op, watcher: Watcher): void {
  const path = op[1];
  switch (op[0]) {
    case "append": {
      const node = textAt(root, path);
      node.text += op[2];
      node.dom.appendData(op[2]);
      return;
    }
    case "splice": {
      const node = textAt(root, path);
      const [, , at, cut, text] = op;
      node.text = node.text.slice(0, at) + text + node.text.slice(at + cut);
      node.dom.replaceData(at, cut, text);
      return;
    }
    case "insert": {
      const parent = elementAt(root, path);
      const before = parent.kids[op[2]]?.dom ?? null;
      const fresh = op[3].map((child) => build(child, watcher));
      for (const kid of fresh) parent.dom.insertBefore(kid.dom, before);
      parent.kids.splice(op[2], 0, ...fresh);
      return;
    }
    case "remove": {
      const parent = elementAt(root, path);
      for (const kid of parent.kids.splice(op[2], op[3])) kid.dom.parentNode?.removeChild(kid.dom);
      return;
    }
    case "replace": {
      const parent = elementAt(root, path.slice(0, -1));
      const index = path[path.length - 1] ?? 0;
      const old = parent.kids[index];
      if (!old) throw new RangeError(`no child ${index}`);
      const fresh = build(op[2], watcher);
      old.dom.parentNode?.replaceChild(fresh.dom, old.dom);
      parent.kids[index] = fresh;
      return;
    }
    case "set": {
      const element = elementAt(root, path);
      change(element, op[2], op[3], watcher);
      return;
    }
  }
  throw new RangeError(`no operation ${op[0]}`); // of a kernel that knows more than this page
}

/**
 * Makes an existing tree look like `wire`, keeping every node that can be kept: same tag, and same key where there is one. Used
 * when a page has missed something and gets the whole tree.
 */
export function reconcile(old: Element, wire: WireNode, watcher: Watcher): void {
  if (typeof wire === "string") return;
  const [, attributes, children] = wire;
  for (const name of Object.keys(old.attributes)) if (!(name in attributes)) change(old, name, null, watcher);
  for (const [name, value] of Object.entries(attributes)) {
    if (old.attributes[name] !== value) change(old, name, value ?? null, watcher);
  }
  const keyed = new Map<Value, Element>();
  for (const kid of old.kids) if (!isText(kid) && kid.attributes.key !== undefined) keyed.set(kid.attributes.key, kid);
  const before = old.kids;
  const kids = children.map((child, index) => fitting(child, before[index], keyed, watcher));
  const kept = new Set(kids);
  for (const kid of before) if (!kept.has(kid)) kid.dom.parentNode?.removeChild(kid.dom);
  let next: ChildNode | null = null;
  for (const kid of [...kids].reverse()) {
    const dom = kid.dom as ChildNode;
    if (dom.parentNode !== old.dom || (next !== null && dom.nextSibling !== next)) old.dom.insertBefore(dom, next);
    next = dom;
  }
  old.kids = kids;
}

/** The element and every element below it. */
export function* elements(root: Element): Generator<Element> {
  yield root;
  for (const kid of root.kids) if (!isText(kid)) yield* elements(kid);
}

function fitting(wire: WireNode, at: Node | undefined, keyed: Map<Value, Element>, watcher: Watcher): Node {
  if (typeof wire === "string") {
    if (!at || !isText(at)) return build(wire, watcher);
    if (at.text !== wire) setText(at, wire);
    return at;
  }
  const key = wire[1].key;
  const candidate = key !== undefined ? keyed.get(key) : at && !isText(at) && at.attributes.key === undefined ? at : undefined;
  if (candidate?.tag !== wire[0]) return build(wire, watcher);
  reconcile(candidate, wire, watcher);
  return candidate;
}

/** Keeps what both have in common, so that a selection in it stays. */
function setText(node: Text, text: string): void {
  const most = Math.min(node.text.length, text.length);
  let head = 0;
  while (head < most && node.text[head] === text[head]) head++;
  node.dom.replaceData(head, node.text.length - head, text.slice(head));
  node.text = text;
}

function change(element: Element, name: string, value: Value | null, watcher: Watcher): void {
  if (value === null) Reflect.deleteProperty(element.attributes, name);
  else element.attributes[name] = value;
  setAttribute(element, name, value);
  watcher.changed(element, name);
}

function setAttribute(element: Element, name: string, value: Value | null): void {
  const { dom, tag } = element;
  if (!(ATTRIBUTE.has(name) || (MATH.has(tag) && MATH_ATTRIBUTE.has(name)))) return;
  if (value === null || !allowed(tag, name, String(value))) dom.removeAttribute(name);
  else dom.setAttribute(name, value === true ? "" : String(value));
  if (name === "href" && dom.hasAttribute("href")) {
    dom.setAttribute("target", "_blank");
    dom.setAttribute("rel", "noopener noreferrer nofollow");
    dom.setAttribute("referrerpolicy", "no-referrer");
  }
}

/** Python has checked addresses already; this is the page's own look at them. */
function allowed(tag: string, name: string, value: string): boolean {
  if (MATH_ATTRIBUTE.has(name)) return MATH_VALUE.test(value);
  if (name === "src") return tag === "img" && IMAGE.test(value);
  if (name === "type") return value === "checkbox" || value === "button";
  if (name !== "href") return true;
  if (tag !== "a") return false;
  try {
    const url = new URL(value);
    // A link to the notebook's own server would act with the reader's rights there; only the page knows which server that is.
    const ours = url.protocol !== "mailto:" && url.hostname === location.hostname;
    return ["http:", "https:", "mailto:"].includes(url.protocol) && !url.username && !url.password && !ours;
  } catch {
    return false;
  }
}

function at(root: Element, path: Path): Node {
  let node: Node = root;
  for (const index of path) {
    const kid: Node | undefined = isText(node) ? undefined : node.kids[index];
    if (!kid) throw new RangeError(`no node at ${path.join(".")}`);
    node = kid;
  }
  return node;
}

function elementAt(root: Element, path: Path): Element {
  const node = at(root, path);
  if (isText(node)) throw new RangeError(`text at ${path.join(".")}`);
  return node;
}

function textAt(root: Element, path: Path): Text {
  const node = at(root, path);
  if (!isText(node)) throw new RangeError(`no text at ${path.join(".")}`);
  return node;
}
