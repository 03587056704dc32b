/** Where a part lay in its run: two figures, in thousandths, as the custom properties that the sheet draws the bar with. */

import type { Element } from "../tree";

export function placeOnLane({ dom, attributes }: Element): void {
  const { style } = dom as HTMLElement;
  style.setProperty("--rv-at", share(attributes.at));
  style.setProperty("--rv-long", share(attributes.long));
}

function share(thousandths: number | undefined): string {
  return `${Number(thousandths ?? 0) / 10}%`;
}
