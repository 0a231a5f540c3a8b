import { Transform } from 'node:stream';
import { FlvReader, flvTagType, type FlvTag } from './flvReader.js';
import { flvHeader, flvTag } from './flvWriter.js';

/**
 * Passes an FLV stream with video on from its first keyframe. A server that is joined sends audio at once, and video with the
 * next keyframe: the audio of those seconds would look like a stream without video. Configurations are kept.
 */
export function fromFirstKeyframe(): Transform {
  const reader = new FlvReader();
  let hasBegun = false;
  let isHeaderWritten = false;
  return new Transform({
    transform(block: Buffer, _encoding, done) {
      try {
        const parts: Buffer[] = isHeaderWritten ? [] : [flvHeader];
        isHeaderWritten = true;
        for (const tag of reader.push(block)) {
          hasBegun ||= isKeyframe(tag);
          if (hasBegun || isConfiguration(tag)) parts.push(...encoded(tag));
        }
        done(null, parts.length > 0 ? Buffer.concat(parts) : undefined);
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

/** H.264 only: what is pulled has no other video. */
function isKeyframe({ type, payload }: FlvTag): boolean {
  return type === flvTagType.video && payload[0] === 0x17 && payload[1] === 1;
}

function isConfiguration({ type, payload }: FlvTag): boolean {
  const isOfAac = type === flvTagType.audio && (payload[0] ?? 0) >> 4 === 10;
  return (isOfAac || (type === flvTagType.video && payload[0] === 0x17)) && payload[1] === 0;
}

function encoded({ type, timestampMs, payload }: FlvTag): Buffer[] {
  if (type !== flvTagType.audio && type !== flvTagType.video) return [];
  return flvTag(type === flvTagType.audio ? 'audio' : 'video', timestampMs, payload);
}
