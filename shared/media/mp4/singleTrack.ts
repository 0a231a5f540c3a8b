import { mp4Box } from './boxWriter.js';
import { fragmentHead } from './fragmentWriter.js';
import { boxesIn, DamagedMediaError, needBox } from './isoBox.js';
import { rangesOf, type TimedSample } from './trackSamples.js';
import { readMp4Tracks, readTrack, trackBoxes, type Mp4Track } from './tracks.js';

/** Track ids of single-track files. They differ by kind, so that an audio file can be appended to a video file. */
export const trackIds: Readonly<Record<Mp4Track['kind'], number>> = { video: 1, audio: 2 };

/**
 * An initialisation segment reduced to its track of one kind, with the id of `trackIds`. Throws DamagedMediaError if it has no
 * such track.
 */
export function singleTrackInitialisation(init: Buffer, kind: Mp4Track['kind']): Buffer {
  const others = new Map(trackBoxes(init).map((trak) => [trak.start, readTrack(init, trak)]));
  for (const [start, track] of others) if (track.kind === kind) others.delete(start);
  const { start, end } = needBox(init, init, 'moov');
  const content = [...boxesIn(init, start, end)].filter((one) => !others.has(one.start));
  if (!content.some(({ type }) => type === 'trak')) throw new DamagedMediaError(`no ${kind}`);
  const otherIds = new Set([...others.values()].map(({ id }) => id));
  const moov = content.map((one) => {
    const whole = init.subarray(one.start - 8, one.end);
    return one.type === 'mvex' ? withoutDefaults(init, one, otherIds) : whole;
  });
  const single = Buffer.concat([init.subarray(0, start - 8), mp4Box('moov', ...moov), init.subarray(end)]);
  const [track] = readMp4Tracks(single);
  if (track) single.writeUInt32BE(trackIds[kind], track.positions.id);
  const defaults = needBox(single, single, 'moov', 'mvex');
  for (const one of boxesIn(single, defaults.start, defaults.end))
    if (one.type === 'trex') single.writeUInt32BE(trackIds[kind], one.start + 4);
  return single;
}

/** A box `mvex` without the defaults of these tracks. */
function withoutDefaults(
  init: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  ids: ReadonlySet<number>,
): Buffer {
  const kept = [...boxesIn(init, start, end)].filter(
    (one) => one.type !== 'trex' || !ids.has(init.readUInt32BE(one.start + 4)),
  );
  return mp4Box('mvex', ...kept.map((one) => init.subarray(one.start - 8, one.end)));
}

/**
 * Samples of a track as one fragment: its boxes, and the media as views of `file`. Empty without samples. Throws
 * DamagedMediaError if a sample is outside of `file`.
 */
export function singleTrackFragment(kind: Mp4Track['kind'], file: Buffer, samples: readonly TimedSample[]): Buffer[] {
  if (samples.length === 0) return [];
  const media = rangesOf(samples).map(({ start, end }) => {
    if (start < 0 || end >= file.length) throw new DamagedMediaError(`${kind} at ${start} to ${end} of ${file.length}`);
    return file.subarray(start, end + 1);
  });
  return [fragmentHead(trackIds[kind], 1, samples), ...media];
}
