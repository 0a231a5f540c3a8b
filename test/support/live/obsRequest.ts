import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Socket } from 'node:net';

/*
 * The part of obs-websocket 5 that tests need. Its messages are JSON in frames of WebSocket, all shorter than 64 KiB. Node 20 has no
 * WebSocket client.
 */

const operation = { identify: 1, identified: 2, request: 6, response: 7 } as const;

/** Sends one request to the OBS that listens on this port; resolves when OBS has carried it out. */
export async function callObs(port: number, requestType: string): Promise<void> {
  const headers = {
    ...{ Connection: 'Upgrade', Upgrade: 'websocket' },
    ...{ 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': randomBytes(16).toString('base64') },
    'Sec-WebSocket-Protocol': 'obswebsocket.json',
  };
  const opening = request({ host: '127.0.0.1', port, headers });
  opening.end();
  const [, socket, head] = (await once(opening, 'upgrade')) as [unknown, Socket, Buffer];
  try {
    let received = head.toString('latin1');
    socket.on('data', (data: Buffer) => (received += data.toString('latin1')));
    const until = async (op: number): Promise<void> => {
      while (!received.includes(`"op":${op}}`)) await once(socket, 'data');
    };
    socket.write(frameOf({ op: operation.identify, d: { rpcVersion: 1 } }));
    await until(operation.identified);
    socket.write(frameOf({ op: operation.request, d: { requestType, requestId: requestType } }));
    await until(operation.response);
    if (!received.includes('"result":true')) throw new Error(`OBS refuses ${requestType}: ${received}`);
  } finally {
    socket.destroy();
  }
}

/** One text frame of a client: shorter than 126 bytes, and masked. */
function frameOf(message: object): Buffer {
  const payload = Buffer.from(JSON.stringify(message));
  if (payload.length > 125) throw new RangeError('a message that needs a longer header');
  const mask = randomBytes(4);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, masked]);
}
