import { Known, type Tree } from './jsonTree.js';

const known = (name: string, number = 0): Known => new Known(name, number);
const payment: Tree = { returnUrl: known('url'), cancelUrl: known('url', 1) };
const bundle: Tree = { name: 'All of it', price: '12,50', duration: 3, durationUnit: 'MONTHS', tags: ['a', 'b'] };
const profile: Tree = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  birthDate: '10/12/1985',
  email: known('freshEmail'),
  thumbnailId: known('thumbnailId'),
};
const address: Tree = { country: 'IT', city: 'Roma', street: 'Via Appia 1', zipCode: '00179', state: 'RM' };
const search: Tree = { pageSize: 5, pageIndex: 0, queryString: 'video*', tags: ['drama'] };

const publications: readonly Tree[] = [
  { licenseType: 'FREE', public: true },
  { licenseType: 'CREATIVE_COMMONS', ccType: 'BY' },
  { licenseType: 'PAY_PER_VIEW', pricePerView: '3,50' },
  { licenseType: 'CONTENT_BUNDLE', bundleId: known('bundleId') },
];
const offers: readonly Tree[] = [
  { licenseType: 'FREE', download: true },
  { licenseType: 'CREATIVE_COMMONS', ccType: 'BY_SA' },
  { licenseType: 'SPOT_PRICE', activationPrice: '20,00', duration: 1, durationUnit: 'YEARS' },
  { licenseType: 'PAY_PER_VIEW', pricePerView: '0,50' },
  { licenseType: 'REVENUE_SHARING', earningPercentage: 40 },
];

const channel: Tree = { name: 'A channel', streamPath: known('freshPath'), public: true, tags: ['drama'] };
const eventTimes: Tree = {
  eventDate: { date: '10/10/2040', time: '20:00:00' },
  endDate: { date: '10/10/2040', time: '21:30:00' },
};
const events: readonly Tree[] = [
  { name: 'An event', paymentMode: 'FREE', ...eventTimes, publicEvent: false, recordEvent: true },
  { name: 'An event', paymentMode: 'PAY_PER_VIEW', pricePerView: '3,50', ...eventTimes, description: 'Long' },
  { name: 'An event', paymentMode: 'FREE', eventDate: '2040-10-10T20:00Z', endDate: '2040-10-10T23:30+01:00' },
];

/** A one-hour program on a day in 2040. */
const program = (hour: number, members: object): Tree => ({
  startDate: { date: '10/10/2040', time: `${hour}:00:00` },
  endDate: { date: '10/10/2040', time: `${hour + 1}:00:00` },
  ...members,
});
const days: readonly Tree[] = [
  { programs: [] },
  {
    programs: [
      program(18, { programType: 'LIVE', sourceId: known('streamId'), title: 'News', tags: ['drama'] }),
      program(19, { programType: 'BREAK', programId: known('programId') }),
    ],
  },
  { programs: [program(20, { itemType: 'BREAK', title: 'A pause', description: 'Long' })] },
];
const programSearch: Tree = {
  ...{ queryString: 'evening', userCode: known('userCode'), channelId: known('castChannelId'), pastIncluded: true },
};
const castItem: Tree = { name: 'An item', streamPath: known('freshPath'), tags: ['drama'], description: 'Long' };

/** Valid bodies of operations for which the schema alone does not yield one. */
export const correctBodies: Readonly<Record<string, readonly Tree[]>> = {
  'POST /oauth/token': [
    { grant_type: 'client_credentials' },
    { grant_type: 'password', username: known('userCode'), password: known('password') },
    { grant_type: 'refresh_token', refresh_token: known('refresh_token') },
  ],
  'POST /api/public/user/register': [
    {
      ...{ userCode: known('freshCode'), password: 'correct horse', passwordConfirm: 'correct horse' },
      ...{ firstName: 'Ada', lastName: 'Lovelace', birthDate: '10/12/1985', email: known('freshEmail') },
      ...{ language: 'en', conditionsAccepted: true, activationUrl: known('activationUrl') },
    },
  ],
  'POST /api/public/user/password/renew': [
    { userCode: known('userCode'), confirmationUrl: known('activationUrl') },
    { email: known('email'), confirmationUrl: known('activationUrl') },
  ],
  'POST /api/user/me': [
    { profile },
    { profile, finance: { paypalEmail: 'a@example.org', vatNumber: 'IT1', billingAddress: address } },
    { profile, features: { vodPublic: true, livePassword: 'a live password', transcoderNotifyEnabled: false } },
  ],
  'POST /api/user/me/password/update': [
    { currentPassword: known('password'), newPassword: 'another horse', passwordConfirm: 'another horse' },
  ],
  'POST /api/license/{licenseName}/subscribe': [payment],
  'POST /api/license/{licenseName}/activate': [{ trackingId: known('trackingId') }],
  'POST /api/box': [{ title: 'A video', description: 'Long', tag: ['drama'] }],
  'POST /api/box/{boxId}': [{ title: 'Another video', thumbnailId: known('thumbnailId'), tags: ['drama'] }],
  'POST /api/search/box/contents': [search, { source: 'MARKET_PLACE', conditions: { licenseType: 'FREE' } }],
  'POST /api/box/{boxId}/vod': publications,
  'POST /api/vod/{vodId}': publications,
  'POST /api/search/vod/contents': [
    search,
    { conditions: { licenseType: 'CONTENT_BUNDLE', bundleId: known('bundleId') } },
  ],
  'POST /api/public/search/vod/contents': [
    search,
    { userCode: known('userCode'), conditions: { licenseType: 'FREE' } },
  ],
  'POST /api/vod/{vodId}/play': [{}, { trackingId: known('trackingId') }],
  'POST /api/public/vod/{vodId}/play': [{}, { trackingId: known('trackingId') }],
  'POST /api/vod/{vodId}/pay': [payment],
  'POST /api/public/vod/{vodId}/pay': [payment],
  'POST /api/contentbundle': [bundle],
  'POST /api/contentbundle/{bundleId}': [bundle],
  'POST /api/contentbundle/{bundleId}/subscribe': [payment],
  'POST /api/contentbundle/{bundleId}/activate': [{ trackingId: known('trackingId') }],
  'POST /api/contentbundle/{bundleId}/items/insert': [
    { index: 0, sourceItems: [{ boxId: known('boxId') }] },
    { index: 1, sourceItems: [{ boxId: known('boxId', 1) }, { boxId: known('boxId', 2) }] },
  ],
  'POST /api/contentbundle/{bundleId}/items/move': [
    { fromIndex: 0, toIndex: 1 },
    { fromIndex: 1, toIndex: 0 },
  ],
  'POST /api/contentbundle/{bundleId}/items/remove': [{ index: 0, count: 1 }],
  'POST /api/box/{boxId}/marketplace': offers,
  'POST /api/marketplace/{marketplaceId}': offers,
  'POST /api/marketplace/{marketplaceId}/acquire': [{}, { trackingId: known('trackingId') }],
  'POST /api/marketplace/{marketplaceId}/pay': [payment],
  'POST /api/live/channel': [channel],
  'POST /api/live/channel/{channelId}': [channel],
  'POST /api/live/channel/{channelId}/event': events,
  'POST /api/live/event/{eventId}': events,
  'POST /api/live/channel/{channelId}/play': [{}, { trackingId: known('trackingId') }],
  'POST /api/public/live/channel/{channelId}/play': [{}, { trackingId: known('trackingId') }],
  'POST /api/live/event/{eventId}/play': [{}, { trackingId: known('trackingId') }],
  'POST /api/public/live/event/{eventId}/play': [{}, { trackingId: known('trackingId') }],
  'POST /api/live/event/{eventId}/pay': [payment],
  'POST /api/public/live/event/{eventId}/pay': [payment],
  'POST /api/search/live/channels': [{ ...search, public: true }],
  'POST /api/public/search/live/channels': [{ ...search, userCode: known('userCode') }],
  'POST /api/search/live/events': [
    { ...search, channelId: known('channelId'), public: true, recorded: false, pastIncluded: true },
    { conditions: { licenseType: 'FREE' }, publicEvent: true, recordEvent: true },
  ],
  'POST /api/public/search/live/events': [
    { ...search, userCode: known('userCode'), conditions: { paymentMode: 'PAY_PER_VIEW' } },
  ],
  'POST /api/cast/channel': [castItem],
  'POST /api/cast/channel/{channelId}': [castItem],
  'POST /api/cast/stream': [castItem],
  'POST /api/cast/stream/{streamId}': [castItem],
  'POST /api/cast/program/{programId}': [{ title: 'A program', thumbnailId: known('thumbnailId'), tags: ['drama'] }],
  'POST /api/cast/channel/{channelId}/dailyprogramming/{date}': days,
  'POST /api/cast/channel/{channelId}/dailyprogramming/{date}/insert': [
    { index: 0, sourceItems: [{ sourceType: 'BREAK', duration: 60, title: 'A pause' }] },
    { sourceItems: [{ sourceType: 'BREAK', duration: 60 }] },
    {
      index: 1,
      sourceItems: [
        { sourceType: 'PRERECORDED', sourceId: known('boxId'), offset: 5 },
        { sourceType: 'LIVE', sourceId: known('streamId'), duration: 600 },
      ],
    },
  ],
  'POST /api/cast/channel/{channelId}/dailyprogramming/{date}/move': [
    { fromIndex: 0, toIndex: 1 },
    { fromIndex: 1, toIndex: 0 },
  ],
  'POST /api/cast/channel/{channelId}/dailyprogramming/{date}/remove': [{ index: 0, count: 1 }],
  'POST /api/cast/calendar/copy': [
    {
      ...{ sourceChannelId: known('castChannelId'), destChannelId: known('castChannelId', 1) },
      ...{ sourceStartDate: '20401010', destStartDate: '20401020', sourceDayCount: 1, destDayCount: 3 },
    },
  ],
  'POST /api/public/search/cast/programs': [programSearch],
  'POST /api/public/search/cast/programs/{segment}': [programSearch],
  'POST /api/search/cast/channels': [search],
  'POST /api/search/cast/streams': [search],
  'POST /api/public/search/cast/channels': [{ ...search, userCode: known('userCode') }],
};

/** The hidden inputs of a form: members of other license types, which are ignored, and blank texts. */
const hidden: Tree = {
  ccType: 'MINE',
  pricePerView: 'free',
  activationPrice: '',
  earningPercentage: ' ',
  duration: '',
  durationUnit: 'DAYS',
};

const published: readonly Tree[] = [
  { ...hidden, licenseType: 'FREE', bundleId: 'none', public: '' },
  { ...hidden, licenseType: 'PAY_PER_VIEW', pricePerView: 3, bundleId: '' },
];
const offered: readonly Tree[] = [
  { ...hidden, licenseType: 'FREE', download: '' },
  { ...hidden, licenseType: 'CREATIVE_COMMONS', ccType: 'BY', duration: 'long', download: ' ' },
  { ...hidden, licenseType: 'REVENUE_SHARING', earningPercentage: '12,50', download: true },
];

const broadcast: readonly Tree[] = [
  { ...hidden, name: 'An event', paymentMode: 'FREE', ...eventTimes, publicEvent: '', recordEvent: 'true' },
];

/** Bodies that are accepted in addition to the documented form: `docs/contract.md#choices-requests`. */
export const toleratedBodies: Readonly<Record<string, readonly Tree[]>> = {
  'POST /api/user/me': [
    { profile, finance: { billingAddress: { ...address, country: 'Francia' }, companyConfirm: '' } },
  ],
  'POST /api/search/box/contents': [{ ...search, pageSize: '', pageIndex: ' ', pagination: 'false', source: '' }],
  'POST /api/box/{boxId}/vod': published,
  'POST /api/vod/{vodId}': published,
  'POST /api/public/vod/{vodId}/pay': [{ ...payment, advanceMonthlyPayments: 'none', mobile: '', embedded: 'true' }],
  'POST /api/contentbundle': [{ ...bundle, price: 12.5, duration: '3', thumbnailId: '' }],
  'POST /api/box/{boxId}/marketplace': offered,
  'POST /api/marketplace/{marketplaceId}': offered,
  'POST /api/live/channel/{channelId}/event': broadcast,
  'POST /api/live/event/{eventId}': broadcast,
};
