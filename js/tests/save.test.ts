import { describe, expect, it } from "vitest";
import { jump } from "../src/behaviour/rows";
import { fileLink } from "../src/behaviour/save";
import type { WireElement } from "../src/contract";
import { build, type Element } from "../src/tree";

const silent = { built: () => {}, changed: () => {} };

/** The link of a row when the reader is about to follow it. */
function saved(...row: WireElement[]): { name: string; href: string } {
  const root = build(["div", { class: "rv-row" }, row], silent) as Element;
  const element = root.kids.find((kid) => "tag" in kid && kid.tag === "a") as Element;
  const link = element.dom as HTMLAnchorElement;
  fileLink(element);
  expect(link.href).toBe("data:application/octet-stream;base64,");
  link.dispatchEvent(new Event("pointerdown"));
  return { name: link.download, href: link.href };
}

describe("saving a file", () => {
  it("hands over its bytes, as bytes", () => {
    const link: WireElement = ["a", { act: "save", save: btoa("a,b\n"), name: "tides.csv" }, ["Save"]];
    expect(saved(link)).toEqual({ name: "tides.csv", href: `data:application/octet-stream;base64,${btoa("a,b\n")}` });
  });

  it("takes a picture from the row", () => {
    const picture: WireElement = ["img", { src: `data:image/png;base64,${btoa("png")}` }, []];
    const wanted = { name: "p.png", href: `data:application/octet-stream;base64,${btoa("png")}` };
    expect(saved(picture, ["a", { act: "save", name: "p.png" }, []])).toEqual(wanted);
  });

  it("has nothing where there is nothing", () => {
    expect(saved(["a", { act: "save", name: "x" }, []]).href).toBe("data:application/octet-stream;base64,");
  });
});

describe("the way to the warnings", () => {
  it("opens their row and goes there", () => {
    const row: WireElement = ["details", { class: "rv-row rv-warned" }, [["summary", {}, ["1 warning"]]]];
    const root = build(["section", {}, [["details", {}, [["summary", {}, []], row]]]], silent) as Element;
    const box = root.dom as HTMLElement;
    document.body.replaceChildren(box);
    jump(box);
    expect([...box.querySelectorAll("details")].map((one) => one.open)).toEqual([true, true]);
    expect(document.activeElement?.textContent).toBe("1 warning");
  });
});
