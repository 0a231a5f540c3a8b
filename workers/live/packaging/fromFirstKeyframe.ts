import { flvTagType, readAudioHead, readVideoHead, type FlvTag } from '../../../shared/media/flv/index.js';

/** A source that has video sends its next keyframe within this time: x264 makes one in 250 frames. */
const keyframeWaitMs = 12_000;

/**
 * Passes tags of a stream with video on from its first keyframe. A server that is joined sends audio at once, and video with the
 * next keyframe: the audio of those seconds would look like a stream without video. Configurations are kept. `unknownWaitMs`: how much
 * audio is dropped while nothing shows whether there is video.
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
