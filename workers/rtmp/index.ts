export { Allowance } from './allowance.js';
export type { AuthenticationRequest, AuthenticationResult, PublishDecisions } from './decisions.js';
export { RtmpPlayer } from './player.js';
export type { RtmpPublication, RtmpPublicationEnd } from './publication.js';
export { startRtmpServer, type RtmpServer, type RtmpServerOptions } from './rtmpServer.js';
