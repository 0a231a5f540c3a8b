import { castStreamScopes } from './cast/streamScope.queries.js';
import { liveChannelScopes } from './live/liveScope.queries.js';
import { composeLiveScopes, type LiveScopeSource } from './streaming/liveScope.js';

/** All scopes of live streams, and the live segments that are needed for longer than the rewind window. */
export const liveScopes: LiveScopeSource = composeLiveScopes([liveChannelScopes, castStreamScopes]);
