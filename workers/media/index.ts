export { encodeAudio, layOutAudio, type AudioSource, type EncodedAudio } from './audio.js';
export { hasPositions, mixTo } from './channelMix.js';
export { checkTools } from './checkTools.js';
export {
  chunkCommand,
  copiedAudio,
  segmentMuxing,
  startingAt,
  videoEncoding,
  x264Parameters,
  type ChunkSettings,
} from './chunkCommand.js';
export { closedCaptionCommand, mayHaveCaptions, mayHaveClosedCaptions } from './closedCaptionCommand.js';
export { assumedMatrix, colourOptions, jpegColours, standardMatrix } from './colours.js';
export { contentStartSeconds, leadingAudioSeconds } from './contentStart.js';
export { missingEndSeconds, type DeclaredEnds } from './declaredEnd.js';
export { fileAddress, fileSource, openingOptions, seekableDemuxers, type MediaSource } from './demuxers.js';
export { findEvenSection } from './evenSection.js';
export { openFfmpegRunner } from './ffmpegRunner.js';
export { findFileSections, joinableDemuxers, type FileSection } from './fileSections.js';
export {
  audioPoster,
  stillHeight,
  stillWidth,
  videoFrame,
  type FrameImage,
  type FrameSource,
  type VideoFrame,
} from './frame.js';
export { FramePaceMeter, type FramePace } from './framePace.js';
export { killedWithParent } from './killWithParent.js';
export { MediaFault } from './mediaFault.js';
export { maxStreams, probe } from './probe.js';
export type { AudioStream, ProbedSource, SubtitleStream, VideoStream } from './probedSource.js';
export { TooManyReadsError, withRangeServer, type RangedFile } from './rangeServer.js';
export { copyIntoSeekable } from './remux.js';
export {
  MediaError,
  isMediaFailure,
  type MediaCommand,
  type MediaFile,
  type MediaRun,
  type MediaRunner,
} from './runner.js';
export { scaledInOrder, scaledTo } from './scaling.js';
export { sheetCommand } from './sheetCommand.js';
export { readSourceTimeline, type SourceTimeline } from './sourceTimeline.js';
export { speechCommand, type SpeechSource } from './speechCommand.js';
export { copiedSubtitles, copySubtitlesCommand, packetSizes, webVttCommand, webVttFile } from './subtitleCommand.js';
export { lowerPriority, tailLength, toolEnvironment, usualNiceness } from './toolProcess.js';
export { toolRuns, type ToolRun } from './toolRuns.js';
export { fullBytes, verdictOn } from './toolVerdict.js';
