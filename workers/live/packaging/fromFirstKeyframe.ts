import { flvTagType, readAudioHead, readVideoHead, type FlvTag } from '../../../shared/media/flv/flvTag.js';

/**
 * Passes tags of a stream with video on from its first keyframe. A server that is joined sends audio at once, and video with the
 * next keyframe: the audio of those seconds would look like a stream without video. Configurations are kept. ffmpeg writes those
 * of all tracks first, so a stream that begins with other tags has no video, and passes as it is.
 */
export async function* fromFirstKeyframe(tags: AsyncIterable<readonly FlvTag[]>): AsyncGenerator<readonly FlvTag[]> {
  let [hasVideo, hasBegun] = [false, false];
  for await (const batch of tags)
    yield batch.filter((tag) => {
      const isVideo = tag.type === flvTagType.video;
      const head = isVideo ? readVideoHead(tag.payload) : readAudioHead(tag.payload);
      hasVideo ||= isVideo;
      hasBegun ||= isVideo && head !== null && head.isKeyframe && !head.isConfiguration;
      hasBegun ||= !hasVideo && tag.type === flvTagType.audio && head?.isConfiguration === false;
      return hasBegun || head?.isConfiguration;
    });
}
