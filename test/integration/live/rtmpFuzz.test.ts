import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from 'chai';
import fc from 'fast-check';
import { eventually } from '../../support/eventually.js';
import { makeVideo } from '../../support/media.js';
import { mutate, mutations } from '../../fuzz/mutateBytes.js';
import { startEncoder } from '../../support/rtmp/encoder.js';
import { alice, keyOf, readAll, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';

const handshakeBytes = 1 + 2 * 1536;
const megabyte = 1024 ** 2;
const limits = {
  publishDeadlineMs: 2000,
  idleMs: 2000,
  lingerMs: 5,
  bytesBeforePublish: megabyte,
  messageBytes: megabyte,
  bufferedBytes: megabyte,
};

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Sends bytes in two pieces without waiting for responses, and resolves when the server has closed the connection. */
async function send(port: number, bytes: Buffer, splitAt: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.setNoDelay(true);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const at = Math.floor(splitAt * bytes.length);
  socket.write(bytes.subarray(0, at), () => setImmediate(() => socket.end(bytes.subarray(at))));
  await closed;
}

/** Records the bytes of each connection that `publish` opens to a recording proxy of the server. */
async function recordSessions(serverPort: number, publish: (port: number) => Promise<unknown>): Promise<Buffer[]> {
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

/** Records sessions of encoders with the default limits: on a busy machine, an encoder needs more than two seconds. */
async function recordPublishing(): Promise<{ byLogin: Buffer[]; byKey: Buffer[] }> {
  const server = await startTestRtmp({ onPublish: (publication) => void readAll(publication) });
  const clip = await makeVideo({ seconds: 2, size: '320x180' });
  const record = (host: string, path: string) =>
    recordSessions(server.port, (port) => startEncoder(clip, `rtmp://${host}:${port}/${path}`).ended);
  const [byLogin, byKey] = await Promise.all([
    record(`${alice.user}:${alice.password}@127.0.0.1`, 'live/news'),
    record('127.0.0.1', `key/${keyOf(alice)}`),
  ]);
  await server.stop();
  return { byLogin, byKey };
}

/** `RTMP_FUZZ_RUNS` sets the number of changed sessions. */
const numRuns = Number(process.env['RTMP_FUZZ_RUNS'] ?? 250);

describe('mutated bytes of recorded RTMP sessions', () => {
  let server: TestRtmp;
  let sessions: Buffer[];
  /** The results of the publications. */
  const ends: Promise<unknown>[] = [];

  before(async () => {
    server = await startTestRtmp({
      limits,
      onPublish: (publication) => {
        void readAll(publication);
        ends.push(publication.ended);
      },
    });
    const { byLogin, byKey } = await recordPublishing();
    expect(byLogin).to.have.length(3);
    // Most mutations should reach a publish with a stream key.
    sessions = [...byLogin, ...byKey, ...byKey, ...byKey];
  });

  after(() => server.stop());

  it(`neither crash the server nor increase its memory (${numRuns} sessions)`, async function () {
    this.timeout(20_000 + numRuns * 50);
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    const [shortest] = sessions.map(({ length }) => length).sort((left, right) => left - right);
    const afterHandshake = handshakeBytes / Math.max(...sessions.map(({ length }) => length));
    expect(shortest).to.be.greaterThan(handshakeBytes);
    const changes = fc.oneof(
      mutations(),
      mutations(afterHandshake, afterHandshake + 0.01),
      mutations(afterHandshake, afterHandshake + 0.1),
    );
    let most = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.nat(sessions.length - 1),
        changes,
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (which, change, split) => {
          await send(server.port, mutate(sessions[which] as Buffer, change), split);
          most = Math.max(most, process.memoryUsage().arrayBuffers);
          const errors = server.log.filter((line) => line.includes('"level":50'));
          expect(errors).to.deep.equal([]);
          server.log.length = 0;
        },
      ),
      { numRuns },
    );
    await eventually(() => expect(server.connections).to.equal(0));
    await eventually(() => {
      collectGarbage();
      expect(process.memoryUsage().arrayBuffers - before).to.be.lessThan(4 * megabyte);
    });
    expect(most - before).to.be.lessThan(64 * megabyte);
    ends.length = 0;
    await send(server.port, sessions.at(-1) as Buffer, 0.5);
    expect(await Promise.all(ends)).to.deep.equal([{ reason: 'unpublished' }]);
  });
});
