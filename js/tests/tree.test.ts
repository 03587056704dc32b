import { describe, expect, it } from "vitest";
import type { Op, WireElement } from "../src/contract";
import { apply, build, type Element, reconcile, type Watcher } from "../src/tree";

const silent: Watcher = { built: () => {}, changed: () => {} };

function tree(wire: WireElement): Element {
  return build(wire, silent) as Element;
}

function html(element: Element): string {
  return (element.dom as HTMLElement).outerHTML;
}

describe("build", () => {
  it("makes elements, text and attributes", () => {
    const root = tree(["p", { class: "rv-para", dir: "auto" }, ["a ", ["strong", {}, ["b"]]]]);
    expect(html(root)).toBe('<p class="rv-para" dir="auto">a <strong>b</strong></p>');
  });

  it("keeps hints off the element", () => {
    expect(html(tree(["div", { key: "p1", live: true, since: 3 }, []]))).toBe("<div></div>");
  });

  it("turns an element that is not on the list into a span", () => {
    expect(html(tree(["script", { src: "x" } as never, ["alert(1)"]]))).toBe("<span>alert(1)</span>");
  });

  it("gives only MathML its attributes, in values that are known", () => {
    const mo = (attributes: Record<string, string>) => html(tree(["mo", attributes, ["("]] as WireElement));
    expect(mo({ stretchy: "true", minsize: "1.2em" })).toContain('stretchy="true" minsize="1.2em"');
    expect(mo({ width: "9999em", form: "javascript:1", href: "https://host.example/" })).not.toMatch(/width|form|href/);
    expect(html(tree(["button", { form: "prefix", width: "1em" }, []]))).toBe("<button></button>");
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "https://user:secret@host.example/",
    "//host.example",
    "jav\tascript:alert(1)",
    `${location.origin}/api/kernels`,
    `https://${location.hostname}:8443/`,
  ])("refuses the address %s", (href) => {
    expect(html(tree(["a", { href }, ["x"]]))).toBe("<a>x</a>");
  });

  it("gives a link a tab of its own and tells the other page nothing", () => {
    expect(html(tree(["a", { href: "https://host.example/" }, ["x"]]))).toBe(
      '<a href="https://host.example/" target="_blank" rel="noopener noreferrer nofollow" referrerpolicy="no-referrer">x</a>',
    );
  });

  it("takes images only from their own bytes", () => {
    expect(html(tree(["img", { src: "https://host.example/x.png" }, []]))).toBe("<img>");
    expect(html(tree(["img", { src: "data:image/svg+xml;base64,AAAA" }, []]))).toBe("<img>");
    expect(html(tree(["img", { src: "data:image/png;base64,AAAA" }, []]))).toBe('<img src="data:image/png;base64,AAAA">');
  });
});

describe("apply", () => {
  const start: WireElement = [
    "section",
    {},
    [
      ["p", { key: "a" }, ["one"]],
      ["p", { key: "b" }, ["two", ["em", {}, ["!"]]]],
    ],
  ];

  it.each<[string, Op, string]>([
    ["append", ["append", [0, 0], " more"], "<section><p>one more</p><p>two<em>!</em></p></section>"],
    ["splice", ["splice", [1, 0], 1, 2, "en"], "<section><p>one</p><p>ten<em>!</em></p></section>"],
    ["insert", ["insert", [], 1, [["hr", {}, []], "x"]], "<section><p>one</p><hr>x<p>two<em>!</em></p></section>"],
    ["remove", ["remove", [1], 0, 2], "<section><p>one</p><p></p></section>"],
    ["replace", ["replace", [1, 1], "?"], "<section><p>one</p><p>two?</p></section>"],
    ["set", ["set", [0], "class", "x"], '<section><p class="x">one</p><p>two<em>!</em></p></section>'],
    ["take away", ["set", [0], "key", null], "<section><p>one</p><p>two<em>!</em></p></section>"],
  ])("%s", (_name, op, expected) => {
    const root = tree(start);
    apply(root, op, silent);
    expect(html(root)).toBe(expected);
  });

  it("counts in UTF-16 units", () => {
    const root = tree(["p", {}, ["a😀b"]]);
    apply(root, ["splice", [0], 3, 1, "c"], silent);
    expect(root.dom.textContent).toBe("a😀c");
  });

  it("does not count nodes that others put into the page", () => {
    const root = tree(start);
    root.kids[1]?.dom.parentNode?.insertBefore(document.createElement("mark"), root.kids[0]?.dom ?? null);
    apply(root, ["append", [1, 0], "!"], silent);
    expect(root.dom.textContent).toBe("onetwo!!");
  });

  it("says so when a path leads nowhere", () => {
    expect(() => apply(tree(start), ["append", [7, 0], "x"], silent)).toThrow(RangeError);
    expect(() => apply(tree(start), ["append", [1, 1], "x"], silent)).toThrow(RangeError);
  });

  it("keeps the text node of an append, so that a selection in it stays", () => {
    const root = tree(start);
    const text = root.dom.firstChild?.firstChild;
    apply(root, ["append", [0, 0], " more"], silent);
    expect(root.dom.firstChild?.firstChild).toBe(text);
  });
});

describe("reconcile", () => {
  it("keeps keyed nodes and brings in what was missed", () => {
    const root = tree([
      "section",
      { class: "a" },
      [
        ["p", { key: "1" }, ["one"]],
        ["p", { key: "3" }, ["three"]],
      ],
    ]);
    const [one, three] = [...root.dom.children];
    reconcile(
      root,
      [
        "section",
        {},
        [
          ["p", { key: "1" }, ["one and"]],
          ["p", { key: "2" }, ["two"]],
          ["p", { key: "3" }, ["three"]],
        ],
      ],
      silent,
    );
    expect(html(root)).toBe("<section><p>one and</p><p>two</p><p>three</p></section>");
    expect([root.dom.children[0], root.dom.children[2]]).toEqual([one, three]);
  });

  it("drops what is gone", () => {
    const root = tree(["section", {}, [["p", { key: "1" }, ["one"]], "text", ["p", { key: "2" }, ["two"]]]]);
    reconcile(root, ["section", {}, [["p", { key: "2" }, ["two"]]]], silent);
    expect(html(root)).toBe("<section><p>two</p></section>");
  });

  it("leaves operations that follow in step", () => {
    const root = tree(["section", {}, [["p", { key: "1" }, ["one"]]]]);
    reconcile(
      root,
      [
        "section",
        {},
        [
          ["p", { key: "0" }, ["zero"]],
          ["p", { key: "1" }, ["one"]],
        ],
      ],
      silent,
    );
    apply(root, ["append", [1, 0], "!"], silent);
    expect(html(root)).toBe("<section><p>zero</p><p>one!</p></section>");
  });
});
