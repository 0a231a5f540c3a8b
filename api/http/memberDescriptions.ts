/**
 * What members and parameters mean that have the same meaning wherever they appear, by name. `/openapi.json` has these
 * descriptions where a schema has no `.description()` of its own; a member without either fails a test.
 */
const ids = {
  boxId: 'Id of the box item.',
  contentId: 'Id of the content: `urn:<namespace>:content:<uuid>`.',
  resourceId: 'The UUID of the content.',
  vodId: 'Id of the VOD item.',
  bundleId: 'Id of the bundle.',
  subscriptionId: 'Id of the subscription; stays the same when it is extended.',
  itemCode: 'Id of the item in the bundle; equal to `vodId`.',
  marketplaceId: 'Id of the offer.',
  licenseId: 'Id of the acquired license.',
  channelId: 'Id of the channel.',
  eventId: 'Id of the live event.',
  streamId: 'Id of the cast stream.',
  programId: 'Id of the program.',
  uploadId: 'Id of an upload that resumes: the end of its address.',
  webhookId: 'Id of the webhook.',
  deliveryId: 'Id of the delivery: one event on its way to one webhook.',
  captionId: 'Id of the captions.',
  thumbnailId: 'Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.',
  progressId: 'The id that the header of the upload has named.',
  trackingId: 'Id of the payment, which proves it.',
};

/** In the data of events. */
const eventData = {
  boxItem: 'The box item.',
  event: 'The live event.',
  vod: 'The VOD item.',
  payment: 'The payment.',
  subscription: 'The subscription.',
  stream: 'The cast stream.',
  license: 'The license as it is now.',
  usage: 'Usage and limits.',
};

const descriptive = {
  title: 'The title.',
  name: 'The name.',
  description: 'A longer text about it; in a change empty to remove it.',
  tags: 'Words under which it is found.',
  public: 'False: unlisted. The public search leaves it out; everybody who has the id can use it.',
  publisher: 'The user who publishes it.',
  refusedEncoder: 'Where the item is read alone: the last encoder that was refused, until one publishes.',
  seller: 'The user who offers it.',
  bundle: 'The bundle; of a VOD item with `CONTENT_BUNDLE`.',
  channel: 'The channel.',
  valueDate: 'The date on which it was created, published or begun.',
  expirationDate: 'The date on which it ends.',
  date: '`dd/MM/yyyy`, in the time zone of the request.',
  time: '`HH:mm:ss`, in the time zone of the request.',
  message: 'Why, in the language of the request.',
};

const conditions = {
  conditions: 'The license type, and what belongs to it.',
  licenseType: 'The license type.',
  ccType: 'The kind of Creative Commons license; with `CREATIVE_COMMONS`.',
  pricePerView: 'Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.',
  activationPrice: 'Price of acquiring the item, at least `MINIMUM_PRICE_CENTS` of the deployment; with `SPOT_PRICE`.',
  earningPercentage: 'The seller’s part of each paid view, in percent with up to two decimals; with `REVENUE_SHARING`.',
  durationUnit: 'Unit of `duration`.',
  marketplaceLicense: 'Of an acquired item: its license, with the conditions of the acquisition.',
  download: 'Whether the acquirer may download the source file.',
};

const payment = {
  url: 'The page of the payment provider.',
  returnUrl: 'Where the buyer’s browser goes after the payment.',
  cancelUrl: 'Where the browser goes when the buyer does not pay.',
  advanceMonthlyPayments: 'Ignored here: for license plans only.',
  mobile: 'Repeated in the response.',
  embedded: 'Repeated in the response.',
  licenseName: 'Name of the plan, compared without case.',
};

const play = {
  resource: 'What is played or bought.',
  result: 'What came of it.',
  srcs: 'Addresses that play it, HLS first; empty where `result` is not `PLAY`.',
  mimeType: '`application/x-mpegurl` for HLS.',
  streamer: 'Address that stays the same for some time, so that caches work.',
  uniqueStreamer: 'Address that is new in every response.',
  file: 'Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream.',
};

const pages = {
  items: 'The items, in their order.',
  pageSize: 'Items of one page, 1 to 100; more is read as 100.',
  pageIndex: 'The page, from 0.',
  pagination: 'False: one page with up to 1,000 results.',
  totalCount: 'Number of all results.',
  pageCount: 'Number of pages.',
  queryString: 'Words to search for; a final `*` searches for words that begin so.',
};

const users = {
  userCode: 'User code, which is the login name; compared without case.',
  password: '8 to 256 characters.',
  firstName: 'First name, on one line.',
  lastName: 'Last name, on one line.',
  birthDate: '`dd/MM/yyyy`.',
  email: 'E-mail address.',
  language: 'Language of mails.',
  profile: 'What describes the user.',
  finance: 'What payments to the user need.',
  features: 'Preferences.',
  pageTitle: 'Title of the user’s public page.',
  pageDescription: 'Text of the user’s public page.',
  facebookUrl: 'Address of the user’s page there.',
  twitterContact: 'Name of the user there.',
  linkedinUrl: 'Address of the user’s page there.',
  paypalEmail: 'Account that receives payments.',
  companyName: 'Company that the user acts for.',
  companyConfirm: 'The user may act for the company.',
  vatNumber: 'VAT number.',
  taxCode: 'Tax code.',
  billingAddress: 'Billing address; `{}` when empty.',
  state: 'State or province.',
  country: 'ISO 3166-1 alpha-2 code.',
  countryName: 'Name of `country` in the language of the request.',
  city: 'City.',
  street: 'Street and number.',
  zipCode: 'Postal code.',
  transcoderNotifyEnabled: 'Wants a mail when a content is ready or has failed.',
  vodPublic: 'False: none of the user’s VOD items is found by the public search.',
  livePassword: 'Password with which the user’s encoders log in.',
  usage: 'Usage and limits, as numbers; not part of the protocol.',
  licenseExpired: 'A paid plan has ended and no other follows.',
};

const streams = {
  streamingBaseUrl: 'RTMP address, to which an encoder appends `/` and `streamPath`.',
  streamPath: 'Path to which an encoder publishes; unique, with case.',
  locked: 'True while a program, or a break, that is on air or is fixed has not ended.',
  paymentMode: 'Whether watching is paid.',
  eventDate: 'Start of the event.',
  endDate: 'End.',
  startDate: 'Start.',
  onAir: 'Now is inside the times of the event, and an encoder publishes.',
  publicEvent: 'False: the public search leaves the event out.',
  recordEvent: 'A recording of the event comes into the publisher’s box.',
  itemType: 'What is shown.',
  programs: 'The programs, in order of time.',
  targetDate: 'The day, `dd/MM/yyyy`.',
  streamName: 'A stream path, with case.',
  creatorCode: 'User code of the owner.',
};

const programs = {
  now: 'The program on air; absent in a break and where nothing is programmed.',
  next: 'The programs that follow.',
  stream: 'The cast stream; with `LIVE`.',
  boxContent: 'The content of a program, with `PRERECORDED`; or the acquired box item, with `FULFILLED`.',
  marketplaceContent: 'The offer.',
  dailyProgrammings: 'The days, in order.',
};

/** What the script of the player page exchanges. */
const player = {
  vod: 'Id of a VOD item.',
  live: 'Id of a live channel.',
  event: 'Id of a live event.',
  cast: 'Id of a cast channel.',
  playback: 'What the page needs to play.',
  status: 'The present state.',
  phase: 'Where the event stands.',
  startsAt: 'Start, in milliseconds since 1970.',
  endsAt: 'End, in milliseconds since 1970.',
  validSeconds: 'How long the address is valid.',
  address: 'Address of the playlist; empty where nothing can be played.',
  price: 'Price, as it is shown.',
  recording: 'Address of the page of the recording.',
};

const streamFiles = {
  edgeToken: 'A signed permission that all viewers share, from the address of a play result.',
  grant: 'A signed permission, from the address of a play result.',
  path: 'Path of the playlist or segment.',
};

export const memberDescriptions: Readonly<Record<string, string>> = {
  ...ids,
  ...eventData,
  ...descriptive,
  ...conditions,
  ...payment,
  ...play,
  ...pages,
  ...users,
  ...streams,
  ...programs,
  ...player,
  ...streamFiles,
};
