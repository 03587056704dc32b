/** Saving a file that the model made: always as bytes of no type, under the plain name that the kernel gave it, so that nothing is ever opened by it. */

import type { Element } from "../tree";

const BYTES = "data:application/octet-stream;base64,";

/** A link to the file that came with it, or to the picture in its row; it has the bytes once the reader is about to follow it. */
export function fileLink({ dom, attributes }: Element): void {
  const link = dom as HTMLAnchorElement;
  link.download = String(attributes.name ?? "file");
  link.href = BYTES;
  link.onfocus = link.onpointerdown = () => {
    link.href = BYTES + (attributes.save ?? dom.closest(".rv-row")?.querySelector("img")?.src.split(",")[1] ?? "");
  };
}
