import { networkOf } from '../../shared/platform/formats/network.js';
import type { RtmpLimits } from './limits.js';

/** Ends a connection that has to make place for another one. */
type End = () => void;

/**
 * Connections that do not publish yet. Each is counted from its first moment until it publishes or is closed. Where the limit
 * of its address is reached, the oldest of that address ends; where that of all addresses is, the oldest of the address that
 * has most. So an encoder that logs in within its time is not kept out by connections that stay silent.
 */
export class PendingConnections {
  /** In the order of arrival. */
  readonly #byNetwork = new Map<string, Set<End>>();
  #total = 0;

  constructor(private readonly limits: Pick<RtmpLimits, 'pendingConnections' | 'pendingConnectionsPerAddress'>) {}

  get total(): number {
    return this.#total;
  }

  /** Counts a connection, and returns the function that ends its counting, however often that is called. */
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

  /** Of several, the one that came first. */
  #largestNetwork(): string {
    let [largest, most] = ['', 0];
    for (const [network, { size }] of this.#byNetwork) if (size > most) [largest, most] = [network, size];
    return largest;
  }
}
