import { describe, expect, it } from "vitest";
import type { PackedElement, Request } from "../src/contract";
import { LiveRun } from "../src/run";

const CUT: PackedElement = [
  "section",
  { class: "rv" },
  ["pre#r", "abc"],
  ["p.label#clip", "showing a part", ["button#more", { act: "more", ref: "p0.0", live: true }, "Show more"]],
];

describe("a button for more", () => {
  it("asks once for each piece", () => {
    const host = document.createElement("div");
    host.innerHTML = '<section class="rv rv-run-m rv-running">static</section>';
    document.body.replaceChildren(host);
    const said: Request[] = [];
    const now = Date.now() / 1000;
    const run = new LiveRun("m", "", { seq: 0, now, tree: CUT, ended: false });
    run.connect((request) => said.push(request));
    run.mount();
    said.length = 0;
    const section = host.shadowRoot?.querySelector("section") as HTMLElement;
    const button = section.querySelector("p button") as HTMLButtonElement;
    button.focus();
    button.click();
    button.click();
    expect(said).toEqual([{ kind: "more", id: "p0.0" }]);
    run.hear({
      kind: "ops",
      seq: 1,
      now,
      ops: [
        ["append", [0, 0], "def"],
        ["set", [1, 1], "ref", "p0.1"],
      ],
    });
    expect(section.querySelector("pre")?.textContent).toBe("abcdef");
    expect(host.shadowRoot?.activeElement).toBe(button);
    button.click();
    expect(said.at(-1)).toEqual({ kind: "more", id: "p0.1" });
    run.lost();
    expect(section.querySelector("p")?.textContent).toBe("showing a part");
  });
});
