export { audioInitialisation } from './audioInitialisation.js';
export { numbers } from './boxWriter.js';
export { ChunkCursor } from './chunkCursor.js';
export { decodingInside, type CorrectedTimes, type SegmentEnds } from './decodingTimes.js';
export { firstFrames } from './firstFrames.js';
export { FragmentReader, type Fragment, type Initialisation } from './fragmentReader.js';
export { fragmentHead } from './fragmentWriter.js';
export { fragmentsIn, readFragments, type TrackFragment } from './fragments.js';
export { aacCodec, aacConfigurationOf, codecsOf, frameSizeOf, stripBitrateHints } from './initialisation.js';
export { DamagedMediaError, findBox, needBox, type Box } from './isoBox.js';
export { isCut, isFragmented, readMovieBox, readMovieTracks, type MovieTrack, type RangeReader } from './movieBox.js';
export { RunLengths, descriptionsOf, entriesAtOnce, keyframesOf, sampleSizesOf } from './sampleTables.js';
export { audioLeadSeconds, correctSegment, correctedFragment } from './segmentTimes.js';
export { silentFragment } from './silentFragment.js';
export { singleTrackFragment, singleTrackInitialisation, trackIds } from './singleTrack.js';
export { maxSamples, trackRunsIn, type Sample, type TrackRuns } from './trackRuns.js';
export {
  ownTimes,
  rangesOf,
  storedFragmentsIn,
  storedSamples,
  type StoredFragment,
  type StoredSample,
  type TimedSample,
} from './trackSamples.js';
export { avcConfigurationOf, readMp4Tracks, type Mp4Track } from './tracks.js';
