import { expect } from 'chai';
import { readPackets, type CopiedStreams } from '../../../workers/ingestion/copy/readPackets.js';
import type { MediaRunner } from '../../../workers/media/runner.js';

describe('the packets that ffprobe lists', () => {
  /** Two seconds of both streams. The audio has index 0; its first packet may have side data, which is a separate line. */
  function listed(additional: string): string[] {
    const ofAudio = Array.from({ length: 94 }, (_, packet) => {
      const line = `0,${packet * 1024},${packet * 1024},1024,300,K_`;
      return packet === 50 && additional ? [`${line},${additional}`, ''] : [line];
    });
    const ofVideo = Array.from(
      { length: 50 },
      (_, frame) => `1,${frame * 40},${frame * 40},40,1000,${frame ? '__' : 'K_'}`,
    );
    return [...ofVideo, ...ofAudio.flat()];
  }

  function read(lines: readonly string[]) {
    const inspect: MediaRunner['inspect'] = async (_options, { onLine }) => lines.forEach((line) => onLine(line));
    const video = { index: 1, timeBase: 1 / 1000, coded: { isReordered: false } };
    const audio = { index: 0, timeBase: 1 / 48_000, sampleRate: 48_000 };
    const streams = { demuxer: 'matroska', video, audio } as CopiedStreams;
    const run = { signal: new AbortController().signal, stallSeconds: 1, maxDurationSeconds: 60 };
    return readPackets({ inspect } as MediaRunner, { address: 'file:a', protocols: 'file' }, streams, run);
  }

  it('include all packets of their stream', async () => {
    for (const additional of ['', 'Skip Samples']) {
      const index = await read(listed(additional));
      expect(index).to.have.nested.property('video.frames', 50);
      expect(index).to.have.nested.property('audio.isContinuous', true);
      expect(index).to.have.nested.property('audio.durationSeconds').that.is.closeTo(2.005, 0.001);
    }
  });

  it('are not copied if the decoder configuration changes: the audio is encoded', async () => {
    const index = await read(listed('New Extradata'));
    expect(index).to.have.nested.property('audio.isContinuous', false);
    expect(index).to.have.nested.property('audio.durationSeconds').that.is.closeTo(2.005, 0.001);
  });
});
