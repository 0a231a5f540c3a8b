/** Events in the order in which they happened, for one reader. */
export class EventQueue<Event> {
  #events: Event[] = [];
  #wake: (() => void) | null = null;

  push(event: Event): void {
    this.#events.push(event);
    this.#wake?.();
  }

  /** Never ends; the reader stops iterating. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Event> {
    for (;;) {
      const events = this.#events;
      this.#events = [];
      yield* events;
      if (this.#events.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

/** Pauses a reader while its consumer has no space. */
export class Gate {
  #closings = 0;
  #waiting: (() => void)[] = [];

  get isOpen(): boolean {
    return this.#closings === 0;
  }

  /** Returns the idempotent function that ends this closing. */
  close(): () => void {
    this.#closings += 1;
    let isEnded = false;
    return () => {
      if (isEnded) return;
      isEnded = true;
      this.#closings -= 1;
      if (!this.isOpen) return;
      for (const resolve of this.#waiting.splice(0)) resolve();
    };
  }

  async whenOpen(): Promise<void> {
    while (!this.isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
