/** Saving a file that the model made: always as bytes of no type, under the plain name that the kernel gave it, so that nothing is ever opened by it. */

import { make } from "../make";
import type { Element } from "../tree";

const BYTES = "application/octet-stream";
/** Milliseconds after which the browser has surely taken the bytes. */
const TAKEN = 10_000;

/** Hands the file of a button to the browser: the one that came with it, or the picture in its row. */
export function saveFile({ dom, attributes }: Element): void {
  const base64 = attributes.save ?? dom.closest(".rv-row")?.querySelector("img")?.src.split(",")[1];
  if (typeof base64 !== "string") return;
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const link = make("a");
  link.href = URL.createObjectURL(new Blob([bytes], { type: BYTES }));
  link.download = String(attributes.name ?? "file");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), TAKEN);
}
