import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { flvHeader, flvTag } from '../../../workers/live/packaging/flvWriter.js';
import { endAfter, readSource } from '../../../workers/live/packaging/liveSource.js';
import type { AudioTag } from '../../../workers/live/packaging/mediaTag.js';
import { RunTimeline } from '../../../workers/live/packaging/runTimeline.js';
import { SourcePace } from '../../../workers/live/packaging/sourcePace.js';
import { TagWindow } from '../../../workers/live/packaging/tagWindow.js';
import { eventually } from '../../support/eventually.js';

const track = { configuration: null };
const audio = (timeMs: number): AudioTag => ({
  ...{ kind: 'audio', track, timeMs, presentationMs: timeMs, epoch: 0, payload: Buffer.alloc(3), bytes: 100 },
});

describe('the pace of the media of a run', () => {
  let nowMs: number;
  let pace: SourcePace;

  beforeEach(() => {
    nowMs = 0;
    pace = new SourcePace(() => nowMs);
  });

  it('lets an encoder send for a week whose clock is wrong, and the gaps of a network', () => {
    let longestMs = 0;
    for (let second = 1; second < 7 * 86_400; second += 1) {
      // Each hour nothing arrives for half a minute, and then all of it at once.
      const isStalled = second % 3600 < 30;
      nowMs = second * 1000;
      if (isStalled) continue;
      pace.take([audio(second * 1001)], 0);
      longestMs = Math.max(longestMs, pace.waitMs);
    }
    expect(longestMs).to.equal(0);
  });

  it('takes a file that is sent at full speed about as fast as it is played', () => {
    const tags = Array.from({ length: 30_000 }, (_, at) => audio(at * 20));
    for (let from = 0; from < tags.length;) {
      from = pace.take(tags, from);
      nowMs += Math.max(0, pace.waitMs);
    }
    expect(nowMs / 1000).to.be.within((600 - 60) / 1.05 - 1, (600 - 60) / 1.05 + 1);
  });

  it('takes little of tags whose timestamps are far apart', async () => {
    const tags = Array.from({ length: 3000 }, (_, at) => flvTag('audio', at * 4900, Buffer.from([0x2f, 1, 2])));
    const window = new TagWindow();
    let newestMs = 0;
    const ended = readSource(
      Readable.from([Buffer.concat([flvHeader, ...tags.flat()])]),
      window,
      new RunTimeline(() => null),
      (arrived) => (newestMs = Math.max(newestMs, ...arrived.map(({ timeMs }) => timeMs))),
    );
    await eventually(() => expect(newestMs).to.be.at.least(55_000));
    await nextTurn();
    expect(newestMs).to.be.at.most(70_000);
    window.end();
    expect(await ended).to.equal('source ended');
  });

  it('ends some time after the encoder has left, whatever the timestamps say', async () => {
    const tags = Array.from({ length: 3000 }, (_, at) => flvTag('audio', at * 4900, Buffer.from([0x2f, 1, 2])));
    const stream = Readable.from([Buffer.concat([flvHeader, ...tags.flat()])]);
    const window = new TagWindow();
    const ended = readSource(stream, window, new RunTimeline(() => null), () => {});
    const release = endAfter(Promise.resolve(), window, 20);
    expect(await ended).to.equal('source ended');
    expect(window.newestMs).to.be.at.most(70_000);
    release();
  });
});
