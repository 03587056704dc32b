/**
 * What the kernel asks of the reader: for each question the nonce that an answer must carry. It is known only here, so that neither
 * the tree nor the file can hold it, and is good for one answer.
 */

import type { Request } from "./contract";

/** Milliseconds that a question must have stood before it can be answered: what appears under a finger was not meant. */
export const PAUSE = 400;

interface Question {
  nonce: string;
  since: number;
  answer?: boolean;
}

export class Asks {
  private questions = new Map<string, Question>();

  /** `changed`: a question can be answered from now on, or no longer. */
  constructor(private readonly changed: () => void) {}

  /** Takes over all questions that can be answered now. An answer under way counts until its question is another one. */
  load(asks: Readonly<Record<string, string>>): void {
    const known = this.questions;
    this.questions = new Map();
    for (const [id, nonce] of Object.entries(asks)) {
      const old = known.get(id);
      this.questions.set(id, old?.nonce === nonce ? old : { nonce, since: performance.now() });
    }
    for (const [id, old] of known)
      if (old.answer !== undefined && !this.questions.has(id)) this.questions.set(id, { ...old, nonce: "" });
    this.changed();
    setTimeout(this.changed, PAUSE);
  }

  /** Whether the reader can answer now. */
  isOpen(id: string): boolean {
    const question = this.questions.get(id);
    return question !== undefined && question.answer === undefined && performance.now() - question.since >= PAUSE;
  }

  /** What the reader has answered, while the answer is under way. */
  answer(id: string): boolean | undefined {
    return this.questions.get(id)?.answer;
  }

  /** Whether an answer has not been heard yet. */
  get isUnheard(): boolean {
    return [...this.questions.values()].some((question) => question.answer !== undefined && question.nonce !== "");
  }

  /** The message that answers, or undefined when nothing can be answered. */
  give(id: string, approved: boolean): Request | undefined {
    const question = this.questions.get(id);
    if (!question || !this.isOpen(id)) return undefined;
    question.answer = approved;
    this.changed();
    return { kind: "answer", id, approved, nonce: question.nonce };
  }
}
