import { networkOf } from '../../shared/platform/formats/network.js';
import type { RtmpLimits } from './limits.js';

/** Ends a connection in favour of another one. */
type End = () => void;

/**
 * Counts connections that do not publish yet, from their start until they publish or are closed. At the limit of an address, its
 * oldest connection is ended; at the limit of all addresses, the oldest connection of the address with the most connections. Silent
 * connections therefore cannot exclude an encoder that logs in promptly.
 */
export class PendingConnections {
  /** In order of arrival. */
  readonly #byNetwork = new Map<string, Set<End>>();
  #total = 0;

  constructor(private readonly limits: Pick<RtmpLimits, 'pendingConnections' | 'pendingConnectionsPerAddress'>) {}

  get total(): number {
    return this.#total;
  }

  /** Counts a connection. Returns an idempotent function that stops counting it. */
  enter(remoteAddress: string, end: End): () => void {
    const network = networkOf(remoteAddress);
    const count = this.#byNetwork.get(network)?.size ?? 0;
    if (count >= this.limits.pendingConnectionsPerAddress) this.#endOldest(network);
    else if (this.#total >= this.limits.pendingConnections) this.#endOldest(this.#largestNetwork());
    const own = this.#byNetwork.get(network) ?? new Set();
    this.#byNetwork.set(network, own.add(end));
    this.#total += 1;
    return () => this.#leave(network, end);
  }

  #endOldest(network: string): void {
    const [oldest] = this.#byNetwork.get(network) ?? [];
    if (!oldest) return;
    this.#leave(network, oldest);
    oldest();
  }

  #leave(network: string, end: End): void {
    const own = this.#byNetwork.get(network);
    if (!own?.delete(end)) return;
    this.#total -= 1;
    if (own.size === 0) this.#byNetwork.delete(network);
  }

  /** The network with the most connections; of several, the first. */
  #largestNetwork(): string {
    let [largest, most] = ['', 0];
    for (const [network, { size }] of this.#byNetwork) if (size > most) [largest, most] = [network, size];
    return largest;
  }
}
