export { airingEnd, type Airing, type AiringSource } from './airing.js';
export {
  castMediaPlaylist,
  listedAirings,
  tickOf,
  windowSeconds,
  type CastPlaylistForm,
  type ListedAiring,
  type ListedCastSegment,
  type SegmentAddress,
} from './castPlaylist.js';
export { nearestCut, requestedCuts, type StoredCut } from './cuts.js';
export { decidedBy, extendAirings, type Decided } from './extendAirings.js';
export { hasProgramEnded } from './nextSegment.js';
export { slateFileIndex, slateLengthsSeconds, slateLoopSegments } from './nextSlateSegment.js';
export type { AiredContent, AiredLiveSegment, AiredMedia, AiredProgram, Timetable } from './timetable.js';
