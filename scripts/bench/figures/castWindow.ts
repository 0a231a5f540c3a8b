import { castMediaPlaylist, listedParts } from '../../../shared/cast/playout/castPlaylist.js';
import { endOf, type Part } from '../../../shared/cast/playout/part.js';
import { medianOf, type Figure } from '../figure.js';

const repetitions = 20_000;
const partCount = 12;
const segmentsOfPart = 60;
const segmentMicroseconds = 4_000_000;
const epoch = 1_800_000_000_000_000;

export const castWindowFigure: Figure = {
  name: 'cast-window',
  title: 'One playlist of a cast channel, from its rows to its text',
  target: { atMost: 50 },
  targetUnit: 'µs',
  method:
    `What a web process computes once for each rendition and tick of a channel: which segments of ${partCount} rows are listed, and the text of ` +
    `the playlist. ${repetitions.toLocaleString('en-US')} times in this process, each a second later; the median of the rounds.`,
  async measure(bench) {
    const parts = makeParts();
    const rounds = bench.quick ? 2 : 7;
    const microseconds: number[] = [];
    let segments = 0;
    for (let round = 0; round < rounds; round += 1) {
      const start = process.hrtime.bigint();
      for (let index = 0; index < repetitions; index += 1) segments += windowOf(parts, 60 + (index % 2_000));
      microseconds.push(Number(process.hrtime.bigint() - start) / 1000 / repetitions);
      bench.onProgress(((round + 1) / rounds) * 100);
    }
    const median = medianOf(microseconds);
    const spread = `${Math.min(...microseconds).toFixed(1)} to ${Math.max(...microseconds).toFixed(1)}`;
    const note = `${rounds} rounds, ${spread}; ${(segments / rounds / repetitions).toFixed(1)} segments each`;
    return { unit: 'µs', ours: median, reference: null, result: median, note };
  },
};

function makeParts(): Part[] {
  const parts: Part[] = [];
  for (let index = 0; index < partCount; index += 1) {
    const last = parts.at(-1);
    parts.push({
      sequence: index * segmentsOfPart,
      discontinuity: index,
      startsAt: last ? endOf(last) : epoch,
      durations: Array.from({ length: segmentsOfPart }, () => segmentMicroseconds),
      programId: `program${index}`,
      source: { kind: 'CONTENT', contentId: `content${index}`, generation: 1, first: 0 },
    });
  }
  return parts;
}

function windowOf(parts: readonly Part[], second: number): number {
  const listed = listedParts(parts, epoch + second * 1e6);
  const text = castMediaPlaylist(listed, 'joined', ({ index }) => ({
    uri: `segment-${index}.m4s`,
    map: 'init.mp4',
  }));
  if (!text.includes('#EXTINF')) throw new Error('an empty playlist');
  return listed.reduce((sum, { count }) => sum + count, 0);
}
