/**
 * Descriptions, by name, of members and parameters that have the same meaning in all operations. `/openapi.json` contains them
 * for schemas without a `.description()`; a member without any description fails a test.
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
  uploadId: 'Id of a resumable upload: the last segment of its URL.',
  webhookId: 'Id of the webhook.',
  deliveryId: 'Id of the delivery: one event on its way to one webhook.',
  captionId: 'Id of the captions.',
  thumbnailId: 'Id of a thumbnail, in requests one of the caller’s own. In a change, an empty value removes it.',
  progressId: 'The progress id that the upload has sent in its header.',
  trackingId: 'Id of the payment. Clients present it as proof of payment.',
};

/** In the data of events. */
const eventData = {
  boxItem: 'The box item.',
  event: 'The live event.',
  vod: 'The VOD item.',
  payment: 'The payment.',
  subscription: 'The subscription.',
  stream: 'The cast stream.',
  license: 'The current license.',
  usage: 'Usage and limits.',
};

const descriptive = {
  title: 'The title.',
  name: 'The name.',
  description: 'Description. In a change, an empty value removes it.',
  tags: 'Keywords, which searches match.',
  public: 'False: unlisted. Public searches leave the item out; everybody who has its id can use it.',
  publisher: 'The user who publishes the item.',
  refusedEncoder:
    'The last encoder that was refused, until an encoder publishes. Only in responses with a single item.',
  seller: 'The user who offers the item.',
  bundle: 'The bundle; for VOD items with `CONTENT_BUNDLE`.',
  channel: 'The channel.',
  valueDate: 'Date of creation, publication or start.',
  expirationDate: 'End date.',
  date: '`dd/MM/yyyy`, in the time zone of the request.',
  time: '`HH:mm:ss`, in the time zone of the request.',
  message: 'The reason, in the language of the request.',
};

const conditions = {
  conditions: 'The license type with its conditions.',
  licenseType: 'The license type.',
  ccType: 'The kind of Creative Commons license; with `CREATIVE_COMMONS`.',
  pricePerView: 'Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.',
  activationPrice: 'Price of an acquisition, at least `MINIMUM_PRICE_CENTS` of the deployment; with `SPOT_PRICE`.',
  earningPercentage:
    'The seller’s share of each paid view, in percent with up to two decimals; with `REVENUE_SHARING`.',
  durationUnit: 'Unit of `duration`.',
  marketplaceLicense: 'License of an acquired item, with the conditions of the acquisition.',
  download: 'Whether the acquirer may download the source file.',
};

const payment = {
  url: 'The page of the payment provider.',
  returnUrl: 'URL to which the buyer’s browser returns after the payment.',
  cancelUrl: 'URL to which the buyer’s browser returns without a payment.',
  advanceMonthlyPayments: 'Ignored: only license plans use it.',
  mobile: 'Repeated in the response.',
  embedded: 'Repeated in the response.',
  licenseName: 'Name of the plan, case-insensitive.',
};

const play = {
  resource: 'The item that is played or bought.',
  result: 'Outcome of the request.',
  srcs: 'Playback addresses, HLS first; empty if `result` is not `PLAY`.',
  mimeType: '`application/x-mpegurl` for HLS.',
  streamer: 'Playback URL that stays the same for some time, so that caches work.',
  uniqueStreamer: 'Playback URL that is different in every response.',
  file: 'Path of the playlist after the grant. In `srcs`, only RTMP entries have it: the name of the stream.',
};

const pages = {
  items: 'The items, in order.',
  pageSize: 'Items per page, 1 to 100; a larger number counts as 100.',
  pageIndex: 'Index of the page, from 0.',
  pagination: 'False: one page with up to 1,000 results.',
  totalCount: 'Number of all results.',
  pageCount: 'Number of pages.',
  queryString: 'Words to search for. A final `*` matches all words with this prefix.',
};

const users = {
  userCode: 'User code: the login name, case-insensitive.',
  password: '8 to 256 characters.',
  firstName: 'First name, on one line.',
  lastName: 'Last name, on one line.',
  birthDate: '`dd/MM/yyyy`.',
  email: 'E-mail address.',
  language: 'Language of mails.',
  profile: 'Personal data.',
  finance: 'Data for payments to the user.',
  features: 'Preferences.',
  pageTitle: 'Title of the user’s public page.',
  pageDescription: 'Text of the user’s public page.',
  facebookUrl: 'URL of the user’s Facebook page.',
  twitterContact: 'User name on Twitter.',
  linkedinUrl: 'URL of the user’s LinkedIn page.',
  paypalEmail: 'Account that receives payments.',
  companyName: 'Company that the user represents.',
  companyConfirm: 'The user confirms the right to represent the company.',
  vatNumber: 'VAT number.',
  taxCode: 'Tax code.',
  billingAddress: 'Billing address; `{}` if empty.',
  state: 'State or province.',
  country: 'ISO 3166-1 alpha-2 code.',
  countryName: 'Name of `country` in the language of the request.',
  city: 'City.',
  street: 'Street and number.',
  zipCode: 'Postal code.',
  transcoderNotifyEnabled: 'True: mails are sent when a content is ready or has failed.',
  vodPublic: 'False: the public search finds none of the user’s VOD items.',
  livePassword: 'Password for the login of the user’s encoders.',
  usage: 'Usage and limits, as numbers; not part of the protocol.',
  licenseExpired: 'A paid plan has ended, and no other plan follows.',
};

const streams = {
  streamingBaseUrl: 'RTMP URL, to which an encoder appends `/` and `streamPath`.',
  streamPath: 'Path to which an encoder publishes; unique and case-sensitive.',
  locked: 'True while a program or break is on air or fixed.',
  paymentMode: 'Whether viewers pay for the event.',
  eventDate: 'Start of the event.',
  endDate: 'End.',
  startDate: 'Start.',
  onAir: 'The event has started and not ended, and an encoder publishes.',
  publicEvent: 'False: the public search leaves the event out.',
  recordEvent: 'True: a recording of the event is added to the publisher’s box.',
  itemType: 'Type of source.',
  programs: 'The programs, in chronological order.',
  targetDate: 'The day, `dd/MM/yyyy`.',
  streamName: 'A stream path, case-sensitive.',
  creatorCode: 'User code of the owner.',
};

const programs = {
  now: 'The program on air; absent in a break and without a program.',
  next: 'The programs that follow.',
  stream: 'The cast stream; with `LIVE`.',
  boxContent: 'With `PRERECORDED`: the content of the program. With `FULFILLED`: the acquired box item.',
  marketplaceContent: 'The offer.',
  dailyProgrammings: 'The days, in order.',
};

/** Members of the requests and responses of the player page's script. */
const player = {
  vod: 'Id of a VOD item.',
  live: 'Id of a live channel.',
  event: 'Id of a live event.',
  cast: 'Id of a cast channel.',
  playback: 'Data with which the page plays.',
  status: 'The current state.',
  phase: 'Phase of the event.',
  startsAt: 'Start, in milliseconds since 1970.',
  endsAt: 'End, in milliseconds since 1970.',
  validSeconds: 'Time for which the response is valid, in seconds.',
  address: 'Address of the playlist; empty if nothing can be played.',
  price: 'Formatted price.',
  recording: 'Address of the recording’s player page.',
};

const streamFiles = {
  edgeToken: 'A signed permission that all viewers share. Part of the playback URL.',
  grant: 'A signed permission. Part of the playback URL.',
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
