import { flvTagType, readAudioHead, readVideoHead, type FlvTag } from '../../../shared/media/flv/index.js';

/** A source with video sends its next keyframe within this time: the interval of x264 is 250 frames. */
const keyframeWaitMs = 12_000;

/**
 * Passes on the tags of a stream from its first keyframe, if it has video. A server sends audio at once, but video only from the
 * next keyframe, so the stream would look like one without video. Configurations are kept. `unknownWaitMs`: audio that is dropped
 * while it is unknown whether the stream has video.
 */
export async function* fromFirstKeyframe(
  tags: AsyncIterable<readonly FlvTag[]>,
  { unknownWaitMs, announcesVideo }: { readonly unknownWaitMs: number; announcesVideo(this: void): boolean },
): AsyncGenerator<readonly FlvTag[]> {
  let [hasVideo, hasBegun] = [false, false];
  let audioSinceMs: number | null = null;
  const begins = (tag: FlvTag, isKeyframe: boolean): boolean => {
    if (tag.type === flvTagType.video) return isKeyframe;
    audioSinceMs ??= tag.timestampMs;
    const waitMs = hasVideo || announcesVideo() ? keyframeWaitMs : unknownWaitMs;
    return tag.type === flvTagType.audio && tag.timestampMs - audioSinceMs >= waitMs;
  };
  for await (const batch of tags)
    yield batch.filter((tag) => {
      const isVideo = tag.type === flvTagType.video;
      const head = isVideo ? readVideoHead(tag.payload) : readAudioHead(tag.payload);
      hasVideo ||= isVideo;
      if (head?.isConfiguration) return true;
      hasBegun ||= head !== null && begins(tag, head.isKeyframe);
      return hasBegun;
    });
}
