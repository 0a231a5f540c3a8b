import { Readable } from 'node:stream';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { expect } from 'chai';
import { flvTagType } from '../../../shared/media/flv/index.js';
import type { Context } from '../../../shared/platform/context.js';
import { Gate } from '../../../workers/live/packaging/eventQueue.js';
import type { AudioTag } from '../../../workers/live/packaging/mediaTag.js';
import type { RunSource } from '../../../workers/live/packaging/runSource.js';
import { RunTimeline } from '../../../workers/live/packaging/runTimeline.js';
import { SourcePace } from '../../../workers/live/packaging/sourcePace.js';
import { SourceReader } from '../../../workers/live/packaging/sourceReader.js';
import { eventually } from '../../support/eventually.js';

const track = { configuration: null, isMono: false };
const audio = (timeMs: number): AudioTag => ({
  ...{ kind: 'audio', track, timeMs, presentationMs: timeMs, epoch: 0, payload: Buffer.alloc(3), bytes: 100 },
});

describe('the media pace of a run', () => {
  let nowMs: number;
  let pace: SourcePace;

  beforeEach(() => {
    nowMs = 0;
    pace = new SourcePace(() => nowMs);
  });

  it('accepts a week of media from an encoder with an inaccurate clock and network gaps', () => {
    let maxMs = 0;
    for (let second = 1; second < 7 * 86_400; second += 1) {
      // Once an hour the network stops for half a minute, and then delivers all delayed media at once.
      const isStalled = second % 3600 < 30;
      nowMs = second * 1000;
      if (isStalled) continue;
      pace.take([audio(second * 1001)], 0);
      maxMs = Math.max(maxMs, pace.waitMs);
    }
    expect(maxMs).to.equal(0);
  });

  it('reads a file that is sent at full speed in about real time', () => {
    const tags = Array.from({ length: 30_000 }, (_, at) => audio(at * 20));
    for (let from = 0; from < tags.length;) {
      from = pace.take(tags, from);
      nowMs += Math.max(0, pace.waitMs);
    }
    expect(nowMs / 1000).to.be.within((600 - 60) / 1.05 - 1, (600 - 60) / 1.05 + 1);
  });

  describe('as applied by the reader', () => {
    const tags = Array.from({ length: 3000 }, (_, at) => ({
      ...{ type: flvTagType.audio, timestampMs: at * 4900, payload: Buffer.from([0x2f, 1, 2]) },
    }));
    let newestMs: number;
    let end: string | undefined;

    /** Reads the tags of an encoder that disconnects at once or never. */
    function readerOf(afterEndMs?: number): SourceReader {
      [newestMs, end] = [0, undefined];
      const source: RunSource = {
        tags: Readable.from([tags]),
        close() {},
        ...(afterEndMs === undefined ? {} : { ended: Promise.resolve() }),
      };
      return new SourceReader({
        ...{ packaging: { ctx: {} as Context, source }, gate: new Gate(), signal: new AbortController().signal },
        timeline: new RunTimeline(() => null),
        report(event) {
          if (event.kind === 'media') newestMs = Math.max(newestMs, ...event.tags.map(({ timeMs }) => timeMs));
          if (event.kind === 'sourceEnded') end = event.reason;
        },
        ...(afterEndMs === undefined ? {} : { afterEndMs }),
      });
    }

    it('accepts few tags if their timestamps are far apart', async () => {
      const reader = readerOf();
      const read = reader.read();
      await eventually(() => expect(newestMs).to.be.at.least(55_000));
      await yieldToEventLoop();
      expect(newestMs).to.be.at.most(70_000);
      reader.close();
      await read;
      expect(end).to.equal(undefined);
    });

    it('ends soon after the encoder has disconnected, regardless of the timestamps', async () => {
      await readerOf(20).read();
      expect(end).to.equal('source ended');
      expect(newestMs).to.be.at.most(70_000);
    });
  });
});
