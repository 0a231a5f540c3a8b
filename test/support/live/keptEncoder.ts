import { setTimeout as sleep } from 'node:timers/promises';
import { startEncoder, type Encoder } from '../rtmp/encoder.js';

/** An encoder that reconnects when its connection ends, as OBS does. */
export interface KeptEncoder {
  /** The number of connections so far. */
  readonly connections: number;
  /** Kills the encoder, which then reconnects. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const pauseMs = 300;

/** Publishes a clip repeatedly in real time, to the next of the URLs after each connection. */
export function keepPublishing(clip: string, addresses: readonly string[]): KeptEncoder {
  let isStopped = false;
  let connections = 0;
  let encoder: Encoder;
  const keep = async (): Promise<void> => {
    while (!isStopped) {
      encoder = startEncoder(clip, addresses[connections % addresses.length] as string, { isLive: true });
      connections += 1;
      await encoder.ended;
      await sleep(pauseMs);
    }
  };
  const ended = keep();
  return {
    get connections() {
      return connections;
    },
    kill: () => encoder.kill(),
    async stop() {
      isStopped = true;
      await encoder.kill();
      await ended;
    },
  };
}
