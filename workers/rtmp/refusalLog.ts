import { networkOf } from '../../shared/platform/formats/network.js';
import type { Logger } from 'pino';
import type { Refusal } from './decisions.js';

interface RefusalLogOptions {
  readonly log: Logger;
  /** For metrics: called for every refusal, logged or not. */
  onRefused?(refusal: Refusal): void;
  readonly bounds?: Partial<typeof defaultBounds>;
}

const defaultBounds = {
  /** Log lines per address (per /64 network for IPv6), and in total, in `windowMs`. */
  linesPerAddress: 20,
  lines: 300,
  windowMs: 60_000,
};

/** Texts of an encoder are truncated to this length, so that a single line cannot fill the log. */
const maxTextCharacters = 256;

/**
 * Logs refused encoders: one line each, `publish refused`, with reason and address, and with application, stream path and user if
 * known. Refusals beyond the bounds are counted, and their number is logged at the end of the window. It holds one counter for each
 * address with a line in this window.
 */
export class RefusalLog {
  readonly #options: RefusalLogOptions;
  readonly #bounds: typeof defaultBounds;
  readonly #byAddress = new Map<string, { logged: number; suppressed: number }>();
  #logged = 0;
  /** Suppressed lines of addresses without a counter. */
  #suppressed = 0;
  #window: NodeJS.Timeout | null = null;

  constructor(options: RefusalLogOptions) {
    this.#options = options;
    this.#bounds = { ...defaultBounds, ...options.bounds };
  }

  /** `err`: an internal error that caused the refusal. */
  add(refusal: Refusal, err?: unknown): void {
    this.#options.onRefused?.(refusal);
    this.#window ??= setTimeout(() => this.close(), this.#bounds.windowMs).unref();
    if (!this.#hasLineFor(networkOf(refusal.remoteAddress))) return;
    const shown = Object.fromEntries(
      Object.entries(refusal).map(([name, text]) => [name, String(text).slice(0, maxTextCharacters)]),
    );
    if (err === undefined) this.#options.log.info(shown, 'publish refused');
    else this.#options.log.error({ ...shown, err }, 'publish refused');
  }

  /** Ends the window, and logs the number of suppressed lines. */
  close(): void {
    if (this.#window) clearTimeout(this.#window);
    for (const [remoteAddress, { suppressed }] of this.#byAddress)
      if (suppressed > 0) this.#options.log.warn({ remoteAddress, suppressed }, 'more publishes refused');
    if (this.#suppressed > 0) this.#options.log.warn({ suppressed: this.#suppressed }, 'more publishes refused');
    this.#byAddress.clear();
    this.#window = null;
    this.#logged = this.#suppressed = 0;
  }

  #hasLineFor(network: string): boolean {
    const counter = this.#byAddress.get(network);
    const isPermitted = this.#logged < this.#bounds.lines && (counter?.logged ?? 0) < this.#bounds.linesPerAddress;
    if (!isPermitted) {
      if (counter) counter.suppressed += 1;
      else this.#suppressed += 1;
      return false;
    }
    this.#logged += 1;
    if (counter) counter.logged += 1;
    else this.#byAddress.set(network, { logged: 1, suppressed: 0 });
    return true;
  }
}
