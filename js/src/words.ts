/** The page's own words, in the language of the view's `labels`, where the English form is the name of each. */

export type Labels = Readonly<Record<string, string>>;
export type Words = (english: string) => string;

export function wordsOf(labels: Labels = {}): Words {
  return (english) => (Object.hasOwn(labels, english) ? String(labels[english]) : english);
}
