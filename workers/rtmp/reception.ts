import type { Socket } from 'node:net';
import { networkOf, type NetworkList } from '../../shared/platform/formats/network.js';
import type { Refusal } from './decisions.js';
import type { RtmpLimits } from './limits.js';
import { PendingConnections } from './pendingConnections.js';
import { RtmpProtocolError } from './protocolError.js';
import { isProxyHeaderStart, readProxyHeader } from './proxyHeader.js';
import type { RefusalLog } from './refusalLog.js';
import { StartRate } from './startRate.js';

/** An encoder that has sent its first bytes and may begin. */
export interface Arrival {
  /** Address of the encoder, even behind a proxy. */
  readonly remoteAddress: string;
  /** Called when the encoder publishes: its connection is no longer pending. */
  onPublishing(this: void): void;
}

interface ReceptionOptions {
  readonly limits: RtmpLimits;
  /** Hosts whose connections begin with a PROXY header. */
  readonly proxies: NetworkList;
  readonly refusals: RefusalLog;
}

const tooMany = 'too many connections';

/**
 * Admits accepted sockets before the expensive handshakes of TLS and RTMP. Connections through a proxy count for the client
 * addresses in its header. Silent connections are not queued, so that they delay no others.
 */
export class Reception {
  readonly #options: ReceptionOptions;
  readonly #pending: PendingConnections;
  readonly #startsPerAddress: StartRate;
  readonly #starts: StartRate;

  constructor(options: ReceptionOptions) {
    this.#options = options;
    this.#pending = new PendingConnections(options.limits);
    this.#startsPerAddress = new StartRate(options.limits.startsPerAddress);
    this.#starts = new StartRate(options.limits.starts);
  }

  /** Null if the socket was closed or refused. */
  async receive(socket: Socket): Promise<Arrival | null> {
    const peerAddress = socket.remoteAddress ?? 'unknown';
    let remoteAddress = peerAddress;
    const refuse = (reason: string): void => this.#refuse(socket, { reason, remoteAddress });
    const enter = (): (() => void) => this.#pending.enter(remoteAddress, () => refuse(tooMany));
    let leave = enter();
    const deadline = setTimeout(refuse, this.#options.limits.publishDeadlineMs, 'nothing was published in time');
    const closed = new AbortController();
    socket.on('error', () => {});
    socket.once('close', () => {
      leave();
      closed.abort();
    });
    try {
      const isProxy = this.#options.proxies.includes(peerAddress);
      const clientAddress = isProxy ? await readClientAddress(socket) : null;
      if (clientAddress !== null) {
        leave();
        remoteAddress = clientAddress;
        leave = enter();
      }
      if (!(await hasSpoken(socket, isProxy))) return null;
      await this.#startsPerAddress.turn(networkOf(remoteAddress), closed.signal);
      await this.#starts.turn('all', closed.signal);
      return socket.destroyed ? null : { remoteAddress, onPublishing: () => leave() };
    } catch (error) {
      if (!(error instanceof RtmpProtocolError)) throw error;
      refuse(error.message);
      return null;
    } finally {
      clearTimeout(deadline);
    }
  }

  #refuse(socket: Socket, refusal: Refusal): void {
    this.#options.refusals.add(refusal);
    socket.destroy();
  }
}

/** Reads the header of a proxy. Resolves with the client address, or null. */
async function readClientAddress(socket: Socket): Promise<string | null> {
  let received = Buffer.alloc(0);
  for (let bytes = await nextBytes(socket); bytes; bytes = await nextBytes(socket)) {
    received = Buffer.concat([received, bytes]);
    const header = readProxyHeader(received);
    if (!header) continue;
    if (received.length > header.length) socket.unshift(received.subarray(header.length));
    return header.clientAddress;
  }
  return null;
}

/** Waits for the first bytes of the encoder without consuming them. Resolves with false if the connection ends before. */
async function hasSpoken(socket: Socket, isProxy: boolean): Promise<boolean> {
  const bytes = await nextBytes(socket);
  if (!bytes) return false;
  if (!isProxy && isProxyHeaderStart(bytes))
    throw new RtmpProtocolError('PROXY header from a host that is not configured as a proxy');
  socket.unshift(bytes);
  return true;
}

/** Resolves with the next bytes; null at the end. */
function nextBytes(socket: Socket): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const events = ['readable', 'end', 'close'];
    const take = (): void => {
      const bytes = socket.read() as Buffer | null;
      if (bytes === null && !socket.readableEnded && !socket.destroyed) return;
      for (const event of events) socket.off(event, take);
      resolve(bytes);
    };
    for (const event of events) socket.on(event, take);
    take();
  });
}
