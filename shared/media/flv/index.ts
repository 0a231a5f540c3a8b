export { FlvError, FlvReader } from './flvReader.js';
export { flvTagType, readAudioHead, readVideoHead, type FlvTag } from './flvTag.js';
export { flvHeader, flvTagOverheadBytes, writeFlvTag } from './flvWriter.js';
