import { castMediaPlaylist, listedAirings, airingEnd, type Airing } from '../../../shared/cast/playout/index.js';
import { medianOf, type Figure } from '../figure.js';

const repetitions = 20_000;
const airingCount = 12;
const segmentsOfAiring = 60;
const segmentMicroseconds = 4_000_000;
const epoch = 1_800_000_000_000_000;

export const castWindowFigure: Figure = {
  name: 'cast-window',
  title: 'One playlist of a cast channel, from its rows to its text',
  target: { atMost: 50 },
  targetUnit: 'µs',
  method:
    `What a web process computes once for each rendition and tick of a channel: which segments of ${airingCount} rows are listed, and the text of ` +
    `the playlist. ${repetitions.toLocaleString('en-US')} times in this process, each a second later; the median of the rounds.`,
  async measure(bench) {
    const airings = makeAirings();
    const rounds = bench.quick ? 2 : 7;
    const microseconds: number[] = [];
    let segments = 0;
    for (let round = 0; round < rounds; round += 1) {
      const start = process.hrtime.bigint();
      for (let index = 0; index < repetitions; index += 1) segments += windowOf(airings, 60 + (index % 2_000));
      microseconds.push(Number(process.hrtime.bigint() - start) / 1000 / repetitions);
      bench.onProgress(((round + 1) / rounds) * 100);
    }
    const median = medianOf(microseconds);
    const spread = `${Math.min(...microseconds).toFixed(1)} to ${Math.max(...microseconds).toFixed(1)}`;
    const note = `${rounds} rounds, ${spread}; ${(segments / rounds / repetitions).toFixed(1)} segments each`;
    return { unit: 'µs', ours: median, reference: null, result: median, note };
  },
};

function makeAirings(): Airing[] {
  const airings: Airing[] = [];
  for (let index = 0; index < airingCount; index += 1) {
    const last = airings.at(-1);
    airings.push({
      sequence: index * segmentsOfAiring,
      discontinuity: index,
      startsAt: last ? airingEnd(last) : epoch,
      durations: Array.from({ length: segmentsOfAiring }, () => segmentMicroseconds),
      programId: `program${index}`,
      source: { kind: 'CONTENT', contentId: `content${index}`, generation: 1, first: 0 },
    });
  }
  return airings;
}

function windowOf(airings: readonly Airing[], second: number): number {
  const listed = listedAirings(airings, epoch + second * 1e6);
  const text = castMediaPlaylist(listed, 'joined', ({ index }) => ({
    uri: `segment-${index}.m4s`,
    map: 'init.mp4',
  }));
  if (!text.includes('#EXTINF')) throw new Error('an empty playlist');
  return listed.reduce((sum, { count }) => sum + count, 0);
}
