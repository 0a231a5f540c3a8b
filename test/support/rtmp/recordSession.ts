import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';

/** The bytes that a peer has sent on each of its connections, while `publish` ran against the address of a recorder. */
export async function recordSessions(
  serverPort: number,
  publish: (port: number) => Promise<unknown>,
): Promise<Buffer[]> {
  const recorded: Buffer[][] = [];
  const recorder = createServer((socket) => {
    const blocks: Buffer[] = [];
    recorded.push(blocks);
    const onward = connect(serverPort, '127.0.0.1');
    socket.on('data', (block: Buffer) => blocks.push(block));
    socket.pipe(onward).pipe(socket);
    for (const end of [socket, onward]) {
      end.on('error', () => {});
      end.on('close', () => [socket, onward].forEach((side) => side.destroySoon()));
    }
  });
  recorder.listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  await publish((recorder.address() as AddressInfo).port);
  recorder.close();
  await once(recorder, 'close');
  return recorded.map((blocks) => Buffer.concat(blocks));
}
