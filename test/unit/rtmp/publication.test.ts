import { expect } from 'chai';
import { flvTagType } from '../../../shared/media/flv/index.js';
import { messageType, type RtmpMessage } from '../../../workers/rtmp/rtmpMessage.js';
import { RtmpPublicationFeed, type RtmpPublicationEnd } from '../../../workers/rtmp/publication.js';
import { media } from '../../support/rtmp/rtmpClient.js';
import { readAll } from '../../support/rtmp/testServer.js';

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
