export { isMonoAac, isPlainAac } from './aacConfiguration.js';
export { adtsPackets, countPackets, packetOffsets } from './adts.js';
