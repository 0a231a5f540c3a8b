import { boxRoutes } from './box/box.routes.js';
import { chapterRoutes } from './box/chapters.routes.js';
import { trackRoutes } from './box/tracks.routes.js';
import { importRoutes } from './box/import.routes.js';
import { progressRoutes } from './box/progress.routes.js';
import { tusRoutes } from './box/tus/tus.routes.js';
import { captionRoutes } from './caption/caption.routes.js';
import { castPlayRoutes } from './cast/castPlay.routes.js';
import { castChannelRoutes } from './cast/castChannel.routes.js';
import { calendarRoutes } from './cast/calendar.routes.js';
import { castGuideRoutes } from './cast/guide.routes.js';
import { castProgramRoutes } from './cast/program.routes.js';
import { castProgramSearchRoutes } from './cast/programSearch.routes.js';
import { programmingRoutes } from './cast/programming.routes.js';
import { castStreamRoutes } from './cast/castStream.routes.js';
import { contentRoutes } from './content/content.routes.js';
import { contentBundleRoutes } from './contentbundle/contentbundle.routes.js';
import { bundleItemRoutes } from './contentbundle/items.routes.js';
import { subscriptionRoutes } from './contentbundle/subscriptions.routes.js';
import type { Route, RouteGroup } from './http/route.js';
import { hookRoutes } from './integration/hooks/hooks.routes.js';
import { integrationRoutes } from './integration/integration.routes.js';
import { channelRoutes } from './live/liveChannel.routes.js';
import { eventRoutes } from './live/event.routes.js';
import { livePlayRoutes } from './live/livePlay.routes.js';
import { marketplaceRoutes } from './marketplace/marketplace.routes.js';
import { licenseRoutes } from './license/license.routes.js';
import { oauthRoutes } from './oauth/oauth.routes.js';
import { providerEventRoutes } from './payment/providerEvent.routes.js';
import { assetRoutes } from './pages/assets.js';
import { checkoutRoutes } from './pages/checkout.routes.js';
import { clientRoutes } from './pages/client.routes.js';
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
import { webhookRoutes } from './webhook/webhook.routes.js';
import { vodPlayRoutes } from './vod/vodPlay.routes.js';

/** Every endpoint, in the order in which `/docs` explains them. */
export const routeGroups: readonly RouteGroup[] = [
  {
    title: 'Tokens',
    description: 'OAuth 2 access tokens. Every call below `/api` needs one.',
    routes: oauthRoutes,
  },
  {
    title: 'Users',
    description: 'Accounts: registration, profile, password, and the public data of publishers.',
    routes: userRoutes,
  },
  {
    title: 'Licenses',
    description:
      'The plans of users. A plan limits storage, data sent to viewers, file size, number of uploads and streaming hours.',
    routes: licenseRoutes,
  },
  {
    title: 'Box',
    description: 'The contents of a user: upload, processing, play and download.',
    routes: [
      ...importRoutes,
      ...tusRoutes,
      ...progressRoutes,
      ...boxRoutes,
      ...chapterRoutes,
      ...trackRoutes,
      ...contentRoutes,
    ],
  },
  {
    title: 'Captions',
    description: 'Captions and subtitles of contents, in any number of languages.',
    routes: captionRoutes,
  },
  {
    title: 'Thumbnails',
    description: 'Images of items. Public to everybody who knows the id.',
    routes: thumbnailRoutes,
  },
  {
    title: 'VOD',
    description: 'Box items that are published on demand: free, paid for each view, or in a bundle.',
    routes: [...vodRoutes, ...vodPlayRoutes],
  },
  {
    title: 'Bundles',
    description: 'Ordered lists of VOD items to which viewers subscribe.',
    routes: [...contentBundleRoutes, ...bundleItemRoutes, ...subscriptionRoutes],
  },
  {
    title: 'Marketplace',
    description: 'Licenses of contents that users offer to each other.',
    routes: marketplaceRoutes,
  },
  { title: 'Earnings', description: 'Earnings of sellers.', routes: earningsRoutes },
  {
    title: 'Live',
    description: 'Channels that encoders publish to, and events on them, which viewers watch.',
    routes: [...channelRoutes, ...eventRoutes, ...livePlayRoutes],
  },
  {
    title: 'Cast channels',
    description: 'Channels that broadcast a sequence of programs without end.',
    routes: [...castChannelRoutes, ...castPlayRoutes],
  },
  {
    title: 'Cast streams',
    description: 'Live streams that encoders publish to, for the programs of cast channels.',
    routes: castStreamRoutes,
  },
  {
    title: 'Cast programs',
    description: 'The programs of cast channels, day by day.',
    routes: [...programmingRoutes, ...calendarRoutes, ...castProgramRoutes, ...castProgramSearchRoutes],
  },
  {
    title: 'Cast guides',
    description: 'Program guides of cast channels for players and recorders. They need no token.',
    routes: castGuideRoutes,
  },
  {
    title: 'Streams',
    description: 'Playlists and segments, at the playback URLs of play results.',
    routes: streamRoutes,
  },
  {
    title: 'Streaming servers',
    description: 'Operations for external streaming servers, with the credentials of the integration.',
    routes: integrationRoutes,
  },
  {
    title: 'Hooks',
    description:
      'Hooks for several streaming servers, which call them when encoders and viewers connect and disconnect.',
    routes: hookRoutes,
  },
  {
    title: 'Webhooks',
    description: 'URLs to which the service sends events. Schemas of the events: `webhooks` of this document.',
    routes: webhookRoutes,
  },
  {
    title: 'Payment provider',
    description: 'The webhook of the payment provider, and the checkout page of the sandbox, which uses no real money.',
    routes: [...providerEventRoutes, ...checkoutRoutes],
  },
  {
    title: 'Player page',
    description: 'The player page for frames on other sites, the operations of its script, and oEmbed.',
    routes: [...embedRoutes, ...oembedRoutes, ...assetRoutes],
  },
  {
    title: 'Pages',
    description:
      'The start page, this documentation, the typed client, the page that confirms an e-mail address, icon and rules for search engines.',
    routes: [...startRoutes, ...siteRoutes, ...docsRoutes, ...clientRoutes, ...emailChangeRoutes],
  },
  {
    title: 'Operation',
    description: 'Health, metrics and stored mails, for operators.',
    routes: [...operatorsRoutes, ...mailRoutes],
  },
];

export const routes: readonly Route[] = routeGroups.flatMap((group) => group.routes);
