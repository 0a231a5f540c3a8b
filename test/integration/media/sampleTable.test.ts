import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { entriesAtOnce, DamagedMediaError, findBox } from '../../../shared/media/mp4/index.js';
import { boxesIn } from '../../../shared/media/mp4/isoBox.js';
import { readSampleTable } from '../../../workers/ingestion/copy/sampleTable.js';
import type { CopiedStreams } from '../../../workers/ingestion/copy/readPackets.js';
import { editBoxes, isoBox, numbers, withAudioBehind, withoutBoxes } from '../../support/isoBoxes.js';
import { liveCoding, makeVideo } from '../../support/media.js';

const seconds = 40;
const streams = {
  demuxer: 'mov',
  video: { index: 0, timeBase: 1 / 12_800, coded: { startSeconds: 0, isReordered: false } },
  audio: { index: 1, timeBase: 1 / 44_100, startSeconds: 0 },
} as CopiedStreams;

function read(file: Buffer, maxDurationSeconds = 12 * 3600) {
  const reader = { bytes: file.length, read: async (start: number, end: number) => file.subarray(start, end) };
  return readSampleTable(reader, streams, { maxDurationSeconds });
}

describe('the index of an MP4 from its sample tables', function () {
  this.timeout(30_000);
  const table = ['moov', 'trak', 'mdia', 'minf', 'stbl'];
  const empty = isoBox('free');
  let video: Buffer;

  before(async () => {
    video = await readFile(await makeVideo({ seconds, size: '320x180', coding: liveCoding }));
  });

  it('contains the segments, and detects interleaved media', async () => {
    const index = await read(video);
    if (!index || 'refusal' in index) throw new Error(index?.refusal ?? 'no index');
    expect(index.video.segments).to.have.length(10);
    expect(index.audio).to.include({ isContinuous: true });
    expect(index.isInterleaved).to.equal(true);
  });

  it('detects audio stored behind all of the video', async () =>
    expect(await read(withAudioBehind(video))).to.include({ isInterleaved: false }));

  it('is not read from a file with more boxes than a recording has', async () => {
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => empty));
    const inFront = editBoxes(video, ['moov'], (moov) => Buffer.concat([many, moov]));
    expect(await read(inFront)).to.equal(null);
    const inTable = editBoxes(video, table, (boxes) => Buffer.concat([many, boxes]));
    expect(await read(inTable)).to.equal(null);
  });

  it('rejects an edit list with many entries', async () => {
    const list = ['moov', 'trak', 'edts', 'elst'];
    const delayed = (delays: number): Buffer => {
      const nothing = Array.from({ length: delays }, () => [0, -1, 0x10000]).flat();
      return editBoxes(video, list, () => numbers(0, delays + 1, ...nothing, 0, 0, 0x10000));
    };
    expect(await read(delayed(15))).to.have.property('video');
    expect(await read(delayed(16))).to.deep.equal({ refusal: 'editList' });
  });

  it('ends at the first frame beyond the permitted duration, for any number of frames in a table', async () => {
    for (const count of [10_000_000, 0xffffffff]) {
      const long = editBoxes(withoutBoxes(video, 'stss'), [...table, 'stts'], () => numbers(0, 1, count, 12_800));
      const claimed = editBoxes(long, [...table, 'stsz'], () => numbers(0, 1_000, count));
      expect(await read(claimed), `${count} frames`).to.deep.equal({ refusal: 'duration' });
    }
    expect(await read(video, seconds)).to.have.property('video');
    expect(await read(video, seconds - 1)).to.deep.equal({ refusal: 'duration' });
  });

  it('rejects more frames than a video of the permitted duration can have', async () => {
    const claiming = (count: number): Buffer => {
      const short = editBoxes(['stss', 'edts'].reduce(withoutBoxes, video), [...table, 'stts'], () =>
        numbers(0, 1, count, 1),
      );
      return editBoxes(short, [...table, 'stsz'], () => numbers(0, 1_000, count));
    };
    expect(await read(claiming(480), 2)).to.have.nested.property('video.frames', 480);
    expect(await read(claiming(481), 2)).to.deep.equal({ refusal: 'duration' });
  });

  it('yields to other work of the process while it reads long tables', async () => {
    const entries = 200_000;
    const runs = Buffer.concat([numbers(0, entries), ...Array.from({ length: entries }, () => numbers(1, 512))]);
    const all = editBoxes(['stss', 'edts'].reduce(withoutBoxes, video), [...table, 'stts'], () => runs);
    const large = editBoxes(all, [...table, 'stsz'], () => numbers(0, 1_000, entries));
    let [iterations, isRead] = [0, false];
    const index = read(large).finally(() => (isRead = true));
    for (; !isRead; iterations += 1) await setImmediate();
    expect(await index).to.have.nested.property('video.frames', entries);
    // Yields for the frames, and for the durations of the audio.
    expect(iterations).to.be.above(1.5 * (entries / entriesAtOnce));
  });
});

describe('boxes of an MP4', () => {
  it('are found without reading the boxes behind them', () => {
    const damaged = Buffer.concat([isoBox('ftyp'), isoBox('moov', isoBox('mvhd')), numbers(3, 3)]);
    expect(findBox(damaged, damaged, 'moov', 'mvhd')).to.include({ type: 'mvhd' });
    expect(() => findBox(damaged, damaged, 'mdat')).to.throw(DamagedMediaError);
  });

  it('are limited in number', () => {
    const file = Buffer.concat(Array.from({ length: 1_001 }, () => isoBox('free')));
    expect(() => [...boxesIn(file, 0, file.length)]).to.throw(DamagedMediaError, 'more than 1000 boxes');
    expect([...boxesIn(file, 0, file.length - 8)]).to.have.length(1_000);
  });
});
