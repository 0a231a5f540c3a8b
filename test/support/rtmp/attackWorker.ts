import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { messageType } from '../../../workers/rtmp/rtmpMessage.js';
import { attackChunkSize, attacks, type Attack } from './attacks.js';
import { RtmpClient } from './rtmpClient.js';

/** The task of one attacker of `startAttackers`. */
export interface AttackOrder {
  readonly name: string;
  readonly port: number;
  /** One for each connection. */
  readonly streamKeys: readonly string[];
  readonly milliseconds: number;
}

const order = workerData as AttackOrder;
const until = performance.now() + order.milliseconds;

async function flood(attack: Attack, client: RtmpClient): Promise<number> {
  let sent = 0;
  for (let round = 0; performance.now() < until && !client.isClosed; round += 1) {
    const block = attack.block(round);
    sent += block.length;
    if (client.socket.write(block)) await new Promise(setImmediate);
    else
      await Promise.race([
        once(client.socket, 'drain'),
        once(client.socket, 'close'),
        new Promise((resolve) => setTimeout(resolve, until - performance.now())),
      ]).catch(() => {});
  }
  return sent;
}

async function afterLogin(attack: Attack, streamKey: string): Promise<number> {
  const client = await RtmpClient.connect(order.port);
  await client.publish('key', streamKey);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(attackChunkSize);
  client.send({ type: messageType.setChunkSize, payload: size, chunkStreamId: 2 });
  const sent = await flood(attack, client);
  client.destroy();
  return sent;
}

async function beforeLogin(attack: Attack): Promise<number> {
  let sent = 0;
  while (performance.now() < until) {
    const client = await RtmpClient.connect(order.port);
    const block = attack.block(0);
    client.socket.write(block);
    sent += block.length;
    await Promise.race([
      client.whenClosed(order.milliseconds).catch(() => {}),
      new Promise((resolve) => setTimeout(resolve, Math.max(0, until - performance.now()))),
    ]);
    client.destroy();
  }
  return sent;
}

const attack = attacks[order.name] as Attack;
const sent = await Promise.all(
  order.streamKeys.map((key) => (attack.beforeLogin ? beforeLogin(attack) : afterLogin(attack, key))),
);
parentPort?.postMessage(
  sent.reduce((sum, bytes) => sum + bytes, 0),
  [],
);
