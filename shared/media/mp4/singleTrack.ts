import { box } from './boxWriter.js';
import { boxesIn, DamagedMediaError, needBox } from './isoBox.js';
import { readTrack, trackBoxes, type Mp4Track } from './tracks.js';

/** An initialisation segment with its tracks of one kind alone. Throws DamagedMediaError where it has none. */
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
  return Buffer.concat([init.subarray(0, start - 8), box('moov', ...moov), init.subarray(end)]);
}

/** A box `mvex` without what it says of these tracks. */
function withoutDefaults(
  init: Buffer,
  { start, end }: { readonly start: number; readonly end: number },
  ids: ReadonlySet<number>,
): Buffer {
  const kept = [...boxesIn(init, start, end)].filter(
    (one) => one.type !== 'trex' || !ids.has(init.readUInt32BE(one.start + 4)),
  );
  return box('mvex', ...kept.map((one) => init.subarray(one.start - 8, one.end)));
}
