import { boxRoutes } from './box/box.routes.js';
import { castPlayRoutes } from './cast/castPlay.routes.js';
import { castChannelRoutes } from './cast/channel.routes.js';
import { calendarRoutes } from './cast/calendar.routes.js';
import { castGuideRoutes } from './cast/guide.routes.js';
import { castProgramRoutes } from './cast/program.routes.js';
import { castProgramSearchRoutes } from './cast/programSearch.routes.js';
import { programmingRoutes } from './cast/programming.routes.js';
import { castStreamRoutes } from './cast/stream.routes.js';
import { contentRoutes } from './content/content.routes.js';
import { contentBundleRoutes } from './contentbundle/contentbundle.routes.js';
import { bundleItemRoutes } from './contentbundle/items.routes.js';
import { subscriptionRoutes } from './contentbundle/subscriptions.routes.js';
import type { Route } from './http/route.js';
import { hookRoutes } from './integration/hooks/hooks.routes.js';
import { integrationRoutes } from './integration/integration.routes.js';
import { channelRoutes } from './live/channel.routes.js';
import { eventRoutes } from './live/event.routes.js';
import { livePlayRoutes } from './live/livePlay.routes.js';
import { marketplaceRoutes } from './marketplace/marketplace.routes.js';
import { licenseRoutes } from './license/license.routes.js';
import { oauthRoutes } from './oauth/oauth.routes.js';
import { webhookRoutes } from './payment/webhook.routes.js';
import { assetRoutes } from './pages/assets.js';
import { checkoutRoutes } from './pages/checkout.routes.js';
import { emailChangeRoutes } from './pages/emailChange.routes.js';
import { embedRoutes } from './pages/embed.routes.js';
import { docsRoutes } from './pages/docs.routes.js';
import { oembedRoutes } from './pages/oembed.routes.js';
import { siteRoutes } from './pages/site.routes.js';
import { startRoutes } from './pages/start.routes.js';
import { mailRoutes } from './operators/mail.routes.js';
import { operatorsRoutes } from './operators/operators.routes.js';
import { streamRoutes } from './stream/stream.routes.js';
import { thumbnailRoutes } from './thumbnail/thumbnail.routes.js';
import { earningsRoutes } from './user/earnings.routes.js';
import { userRoutes } from './user/user.routes.js';
import { vodRoutes } from './vod/vod.routes.js';
import { vodPlayRoutes } from './vod/vodPlay.routes.js';

/** Every endpoint. */
export const routes: readonly Route[] = [
  // A request is compared with one route after the other, and most requests are for playlists and segments.
  ...streamRoutes,
  ...oauthRoutes,
  ...userRoutes,
  ...earningsRoutes,
  ...licenseRoutes,
  ...boxRoutes,
  ...contentRoutes,
  ...thumbnailRoutes,
  ...marketplaceRoutes,
  ...vodRoutes,
  ...vodPlayRoutes,
  ...contentBundleRoutes,
  ...bundleItemRoutes,
  ...subscriptionRoutes,
  ...integrationRoutes,
  ...hookRoutes,
  ...channelRoutes,
  ...eventRoutes,
  ...livePlayRoutes,
  ...castChannelRoutes,
  ...castProgramRoutes,
  ...programmingRoutes,
  ...calendarRoutes,
  ...castStreamRoutes,
  ...castPlayRoutes,
  ...castProgramSearchRoutes,
  ...castGuideRoutes,
  ...webhookRoutes,
  ...checkoutRoutes,
  ...emailChangeRoutes,
  ...embedRoutes,
  ...oembedRoutes,
  ...startRoutes,
  ...siteRoutes,
  ...assetRoutes,
  ...operatorsRoutes,
  ...mailRoutes,
  ...docsRoutes(() => routes),
];
