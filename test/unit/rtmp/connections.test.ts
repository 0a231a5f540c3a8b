import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { expect } from 'chai';
import { pino } from 'pino';
import { flvTagType } from '../../../shared/media/flv/index.js';
import { AdobeChallenges } from '../../../workers/rtmp/adobeChallenge.js';
import { Connection } from '../../../workers/rtmp/connection.js';
import type { Refusal } from '../../../workers/rtmp/decisions.js';
import { defaultRtmpLimits } from '../../../workers/rtmp/limits.js';
import { LoginRequests } from '../../../workers/rtmp/loginRequests.js';
import { PendingConnections } from '../../../workers/rtmp/pendingConnections.js';
import { RtmpPublicationFeed, type RtmpPublicationEnd } from '../../../workers/rtmp/publication.js';
import { RefusalLog } from '../../../workers/rtmp/refusalLog.js';
import { messageType, type RtmpMessage } from '../../../workers/rtmp/rtmpMessage.js';
import { StartRate } from '../../../workers/rtmp/startRate.js';
import { eventually } from '../../support/eventually.js';
import { ChunkEncoder, media } from '../../support/rtmp/rtmpClient.js';
import { readAll } from '../../support/rtmp/testServer.js';

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

describe('the log of rejected encoders', () => {
  let lines: Record<string, unknown>[];
  let counted: Refusal[];

  const open = (bounds: { linesPerAddress?: number; lines?: number; windowMs?: number }): RefusalLog => {
    [lines, counted] = [[], []];
    const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    return new RefusalLog({ log, bounds, onRefused: (refusal) => void counted.push(refusal) });
  };
  const refused = (remoteAddress: string): Refusal => ({ reason: 'wrong', remoteAddress });

  it('has one line for each, with its address and request', () => {
    const refusals = open({});
    refusals.add({ ...refused('192.0.2.1'), application: 'key', streamPath: 'x'.repeat(5000), user: 'alice' });
    refusals.add(refused('192.0.2.2'), new Error('no database'));
    const [first, second] = lines;
    expect(first).to.deep.equal({
      ...{ level: 30, msg: 'publish refused', reason: 'wrong', remoteAddress: '192.0.2.1', application: 'key' },
      ...{ streamPath: 'x'.repeat(256), user: 'alice' },
    });
    expect(second).to.include({ level: 50, remoteAddress: '192.0.2.2' }).and.to.have.property('err');
  });

  it('is limited for one address and in total, and counts the suppressed lines', () => {
    const refusals = open({ linesPerAddress: 3, lines: 5 });
    for (let at = 0; at < 10; at += 1) refusals.add(refused(`2001:db8::${at}`));
    for (let at = 0; at < 10; at += 1) refusals.add(refused(`192.0.2.${at}`));
    expect(lines).to.have.length(5);
    expect(counted).to.have.length(20);
    refusals.close();
    expect(lines.slice(5).map(({ msg, remoteAddress, suppressed }) => [msg, remoteAddress, suppressed])).to.deep.equal([
      ['more publishes refused', '2001:db8:0:0::/64', 7],
      ['more publishes refused', undefined, 8],
    ]);
    refusals.add(refused('192.0.2.1'));
    refusals.close();
    expect(lines).to.have.length(8);
  });

  it('has lines for a suppressed address again in the next window', async () => {
    const refusals = open({ linesPerAddress: 1, windowMs: 10 });
    refusals.add(refused('192.0.2.1'));
    refusals.add(refused('192.0.2.1'));
    await eventually(() => expect(lines.at(-1)).to.include({ suppressed: 1 }));
    refusals.add(refused('192.0.2.1'));
    expect(lines.at(-1)).to.include({ msg: 'publish refused' });
    refusals.close();
  });
});

describe('connections that do not publish yet', () => {
  function pending(pendingConnections: number, pendingConnectionsPerAddress: number) {
    const connections = new PendingConnections({ pendingConnections, pendingConnectionsPerAddress });
    const ended: string[] = [];
    const enter = (address: string, name: string): (() => void) => connections.enter(address, () => ended.push(name));
    return { connections, ended, enter };
  }

  it('are closed for a new one of their address, the oldest first', () => {
    const { connections, ended, enter } = pending(10, 2);
    const leave = enter('192.0.2.1', 'first');
    for (const name of ['second', 'third']) enter('::ffff:192.0.2.1', name);
    enter('192.0.2.2', 'other');
    expect(ended).to.deep.equal(['first']);
    leave();
    leave();
    expect(connections.total).to.equal(3);
    enter('192.0.2.1', 'fourth');
    expect(ended).to.deep.equal(['first', 'second']);
  });

  it('are closed for any new one, at the address with the most connections', () => {
    const { connections, ended, enter } = pending(4, 3);
    enter('192.0.2.1', 'of nobody else');
    for (const name of ['1', '2', '3']) enter(`2001:db8::${name}`, name);
    enter('192.0.2.3', 'another');
    enter('192.0.2.4', 'another');
    expect(ended).to.deep.equal(['1', '2']);
    for (let at = 0; at < 1000; at += 1) enter(`198.51.${at >> 8}.${at & 255}`, 'many');
    expect(connections.total).to.equal(4);
  });
});

describe('the connection start rate', () => {
  const never = new AbortController().signal;

  it('permits a burst and delays further connections in order, separately for each address', async () => {
    const rate = new StartRate({ atOnce: 2, perSecond: 20 });
    const begun: number[] = [];
    const turns = [1, 2, 3, 4, 5].map(async (number) => {
      await rate.turn('a', never);
      begun.push(number);
    });
    const since = performance.now();
    await rate.turn('b', never);
    expect(begun).to.deep.equal([1, 2]);
    await Promise.all(turns);
    expect(begun).to.deep.equal([1, 2, 3, 4, 5]);
    expect(performance.now() - since).to.be.within(150, 1500);
  });

  it('skips connections that have closed', async () => {
    const rate = new StartRate({ atOnce: 1, perSecond: 10 });
    await rate.turn('a', never);
    const leaving = new AbortController();
    const left = Array.from({ length: 9 }, () => rate.turn('a', leaving.signal));
    const since = performance.now();
    leaving.abort();
    await Promise.all([...left, rate.turn('a', never)]);
    expect(performance.now() - since).to.be.below(1000);
  });
});

const video = (payload: Buffer, timestamp = 0): RtmpMessage => ({
  type: messageType.video,
  timestamp,
  streamId: 1,
  payload,
});

function feedOf(bufferedBytes = 10_000): { feed: RtmpPublicationFeed<string>; ends: RtmpPublicationEnd[] } {
  const ends: RtmpPublicationEnd[] = [];
  const feed = new RtmpPublicationFeed<string>({
    application: 'key',
    streamPath: 'news',
    remoteAddress: '192.0.2.1',
    owner: 'alice',
    limits: { bufferedBytes },
    now: () => new Date(5000),
    onEnd: (end) => void ends.push(end),
  });
  return { feed, ends };
}

describe('a publication', () => {
  it('buffers all media before it is read', async () => {
    const { feed } = feedOf();
    feed.take(video(media.configuration, 900));
    feed.take(video(media.keyframe, 1000));
    feed.flush();
    feed.take(video(media.frame, 1040));
    feed.end('unpublished');
    expect(await readAll(feed)).to.deep.equal([
      { type: flvTagType.video, timestampMs: 0, payload: media.configuration },
      { type: flvTagType.video, timestampMs: 0, payload: media.keyframe },
      { type: flvTagType.video, timestampMs: 40, payload: media.frame },
    ]);
    expect(feed.counts).to.deep.include({ firstMediaAt: new Date(5000), firstTimestamp: 1000, lastMediaMs: 40 });
  });

  it('ends for a waiting reader', async () => {
    const { feed } = feedOf();
    const read = readAll(feed);
    await new Promise(setImmediate);
    feed.end('idle');
    expect(await read).to.deep.equal([]);
  });

  it('is full at its buffer size until it is read or ends', async () => {
    const { feed } = feedOf(3000);
    feed.take(video(media.configuration));
    feed.take(video(media.keyframe));
    feed.flush();
    expect(feed.isFull).to.equal(false);
    feed.take(video(media.keyframe));
    feed.flush();
    expect(feed.isFull).to.equal(true);
    const read = feed.whenRead();
    void readAll(feed);
    await read;
    expect(feed.isFull).to.equal(false);
    const { feed: other } = feedOf(1);
    other.take(video(media.configuration));
    other.flush();
    const ended = other.whenRead();
    other.end('taken over');
    await ended;
  });

  it('counts the memory overhead of small tags', () => {
    const { feed } = feedOf(200_000);
    feed.take(video(media.configuration));
    let count = 0;
    for (; !feed.isFull && count < 5000; count += 1) {
      feed.take(video(media.keyframe.subarray(0, 6)));
      feed.flush();
    }
    expect(count).to.be.below(1000);
  });

  it('ends once with the first reason and ignores media afterwards', async () => {
    const { feed, ends } = feedOf();
    feed.take(video(media.configuration));
    expect(feed.take(video(Buffer.from('9068766331', 'hex')))).to.equal(false);
    feed.end('taken over');
    expect(feed.take(video(media.keyframe))).to.equal(false);
    expect(await feed.ended).to.deep.equal({ reason: 'unsupported codec', detail: 'video H.265 (HEVC)' });
    expect(ends).to.have.length(1);
    expect(feed.counts.videoMessages).to.equal(0);
  });
});
