import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { AdobeChallenges } from '../../../workers/rtmp/adobeChallenge.js';
import { Connection } from '../../../workers/rtmp/connection.js';
import { defaultRtmpLimits } from '../../../workers/rtmp/limits.js';
import { RefusalLog } from '../../../workers/rtmp/refusalLog.js';
import { LoginRequests } from '../../../workers/rtmp/loginRequests.js';
import { messageType } from '../../../workers/rtmp/rtmpMessage.js';
import { ChunkEncoder } from '../../support/rtmp/encoderChunks.js';

/** A peer that sends but never reads. */
class UnreadingPeer extends Duplex {
  setNoDelay(): void {}
  override _read(): void {}
  override _write(): void {}
}

describe('a connection', () => {
  it('closes if the peer does not read its responses', async () => {
    const socket = new UnreadingPeer();
    const now = () => new Date();
    const log = pino({ level: 'silent' });
    const connection = new Connection<string>({
      socket: socket as unknown as Socket,
      remoteAddress: '192.0.2.1',
      decisions: { authenticate: () => expect.fail('not needed'), onPublish() {} },
      challenges: new AdobeChallenges(Buffer.alloc(32), () => 0),
      limits: { ...defaultRtmpLimits, bytesBeforePublish: 1024 ** 2 },
      now,
      log,
      refusals: new RefusalLog({ log }),
      loginRequests: new LoginRequests(),
      onPublishing() {},
    });
    const served = connection.serve();
    socket.push(Buffer.concat([Buffer.from([3]), Buffer.alloc(2 * 1536)]));
    const pings = new ChunkEncoder({ chunkSize: 128 }).encode(
      Array.from({ length: 5000 }, () => ({
        type: messageType.userControl,
        payload: Buffer.from([0, 6, 1, 2, 3, 4]),
        timestamp: 0,
        streamId: 0,
        chunkStreamId: 2,
      })),
    );
    socket.push(pings);
    await served;
    expect(socket.destroyed).to.equal(true);
    expect(socket.writableLength).to.be.lessThan(70_000);
  });
});
