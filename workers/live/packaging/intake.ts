import { Gate } from './eventQueue.js';

/** Closes its gate while the window is full: the source is not read. */
export class Intake {
  readonly gate = new Gate();
  #open: (() => void) | null = null;

  constructor(private readonly window: { readonly isFull: boolean }) {}

  /** After each change of the window. */
  regulate(): void {
    if (this.window.isFull) this.#open ??= this.gate.close();
    else this.open();
  }

  open(): void {
    this.#open?.();
    this.#open = null;
  }
}
