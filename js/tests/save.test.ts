import { afterEach, describe, expect, it, vi } from "vitest";
import { jump } from "../src/behaviour/rows";
import { saveFile } from "../src/behaviour/save";
import type { WireElement } from "../src/contract";
import { build, type Element } from "../src/tree";

const silent = { built: () => {}, changed: () => {} };

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** What the browser is handed when the button of a row is pressed. */
async function saved(...row: WireElement[]): Promise<{ name: string; type: string; text: string } | undefined> {
  vi.useFakeTimers();
  const blobs: Blob[] = [];
  const names: string[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return "blob:x";
  });
  const revoked = vi.spyOn(URL, "revokeObjectURL").mockImplementation(() => {});
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const root = build(["div", { class: "rv-row" }, row], silent) as Element;
  saveFile(root.kids.find((kid) => "tag" in kid && kid.tag === "button") as Element);
  const [blob] = blobs;
  if (!blob) return undefined;
  vi.advanceTimersByTime(60_000);
  expect(revoked).toHaveBeenCalled();
  vi.useRealTimers();
  return { name: names[0] ?? "", type: blob.type, text: await blob.text() };
}

describe("saving a file", () => {
  it("hands over its bytes, as bytes", async () => {
    const button: WireElement = ["button", { act: "save", save: btoa("a,b\n"), name: "tides.csv" }, ["Save"]];
    expect(await saved(button)).toEqual({ name: "tides.csv", type: "application/octet-stream", text: "a,b\n" });
  });

  it("takes a picture from the row", async () => {
    const picture: WireElement = ["img", { src: `data:image/png;base64,${btoa("png")}` }, []];
    expect(await saved(picture, ["button", { act: "save", name: "p.png" }, []])).toMatchObject({ name: "p.png", text: "png" });
  });

  it("does nothing where there is nothing", async () => {
    expect(await saved(["button", { act: "save", name: "x" }, []])).toBeUndefined();
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
