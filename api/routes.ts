import { boxRoutes } from './box/box.routes.js';
import { contentRoutes } from './content/content.routes.js';
import type { Route } from './http/route.js';
import { oauthRoutes } from './oauth/oauth.routes.js';
import { assetRoutes } from './pages/assets.js';
import { embedRoutes } from './pages/embed.routes.js';
import { docsRoutes } from './pages/docs.routes.js';
import { operatorsRoutes } from './operators/operators.routes.js';
import { streamRoutes } from './stream/stream.routes.js';
import { thumbnailRoutes } from './thumbnail/thumbnail.routes.js';
import { userRoutes } from './user/user.routes.js';
import { vodRoutes } from './vod/vod.routes.js';

/** Every endpoint. */
export const routes: readonly Route[] = [
  ...oauthRoutes,
  ...userRoutes,
  ...boxRoutes,
  ...contentRoutes,
  ...thumbnailRoutes,
  ...vodRoutes,
  ...streamRoutes,
  ...embedRoutes,
  ...assetRoutes,
  ...operatorsRoutes,
  ...docsRoutes(() => routes),
];
