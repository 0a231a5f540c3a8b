import { castStreamScopes } from './cast/streamScope.queries.js';
import { liveChannelScopes } from './live/liveScope.queries.js';
import { composeLiveScopes, type LiveScopeSource } from './streaming/liveScope.js';

/** Everything that is played from a live stream, and the segments that are needed for longer than viewers can rewind. */
export const liveScopes: LiveScopeSource = composeLiveScopes([liveChannelScopes, castStreamScopes]);
