// Made by `npm run client` from the OpenAPI document and the generator b808a38f6ad331bf6859fe62d285525f325a0c2b4668777992e459d92b674d93

export interface paths {
  '/oauth/token': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get an access token
     * @description With `client_credentials` a public token, with `password` a private token and a refresh token, with `refresh_token` new ones for a refresh token. Every exchange replaces the refresh token: use the one of the latest response.
     */
    post: operations['createToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/user/register': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Register a user
     * @description With `activationUrl` the account must be activated with the mailed link before the first login; without, it is active at once. A known e-mail address is answered like a new one.
     */
    post: operations['registerUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/user/activate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Activate an account
     * @description Uses up the token of the activation mail, which is valid for 24 hours. An invalid one is 400.
     */
    get: operations['activateUser'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/user/password/renew': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Renew a password
     * @description Uses up the token of the mailed link, which is valid for an hour. A new password is mailed, and all tokens of the account end. In the response only `userCode` is filled in.
     */
    get: operations['renewPassword'];
    put?: never;
    /**
     * Request a new password
     * @description Mails a link to the account of the user code or the e-mail address. The response is the same whether the account exists or not.
     */
    post: operations['requestPasswordRenewal'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/users': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the active users
     * @description Looks in user code, first name, last name, page title and page description. Order: relevance, then last activity (latest first), then user code.
     */
    post: operations['searchUsers'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/user/{userCode}/overview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the public data of a user
     * @description The user code is compared without case. A user who is disabled or not activated is 404.
     */
    get: operations['getPublisher'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/user/me': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the account of the caller
     * @description Profile, payment data and preferences.
     */
    get: operations['getUser'];
    put?: never;
    /**
     * Change the account of the caller
     * @description Changes what is sent; an empty text is removed. A body with a whole profile (first name, last name, birth date, e-mail) is the whole account: texts that it leaves out of `profile`, and of `finance` where that is sent, are removed. A new e-mail address takes effect when the link mailed to it was confirmed, or at once with `currentPassword`.
     */
    post: operations['updateUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/user/me/overview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get license and usage of the caller
     * @description The license plan in force, its end, and what is used of its limits.
     */
    get: operations['getUserOverview'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/user/me/disable': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Disable the account of the caller
     * @description Ends all tokens and removes everything that the user publishes from public reads, plays and searches. There is no operation that reverses it.
     */
    post: operations['disableUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/user/me/password/update': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change the password of the caller
     * @description Ends all tokens of the account, the caller’s included.
     */
    post: operations['updatePassword'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/license': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the license plans
     * @description The cheapest first.
     */
    get: operations['listLicenses'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/license/{licenseName}/subscribe': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of a license plan
     * @description The buyer pays at `url`; then the plan is activated with the `trackingId`. Plan names are compared without case. Subscribing to the Free plan is 400.
     */
    post: operations['subscribeToLicense'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/license/{licenseName}/activate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Activate a license plan that was paid for
     * @description 402 before it is paid, 404 for a payment of another user or plan. May be repeated.
     */
    post: operations['activateLicense'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/license/downgrade': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Return to the Free plan
     * @description To the default plan (`DEFAULT_PLAN`), at once; paid time that is not used is lost.
     */
    post: operations['downgradeLicense'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/import': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Import a content into the box from an address
     * @description The service fetches one video or audio file. The item is `PENDING` meanwhile, and its progress can be read by the id that the header has named, or by `boxId`. A file that cannot be fetched makes it `FAILED`, with `message`.
     */
    post: operations['importBoxItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/tus': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Begin an upload that can be resumed
     * @description tus 1.0. `Upload-Metadata` has the fields of the form of `POST /api/box`, and `filename`, or `name`, from which a missing `title` is made. Quotas are checked and reserved; with `Upload-Defer-Length`, storage is reserved as the bytes arrive. `Location` is the address of the upload; with the content type `application/offset+octet-stream`, the body is the beginning of the file.
     */
    post: operations['createResumableUpload'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/tus/{uploadId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Remove an upload
     * @description What has arrived is removed. A box item that it has become stays.
     */
    delete: operations['terminateResumableUpload'];
    options?: never;
    /**
     * Get how much of an upload has arrived
     * @description In `Upload-Offset`: from there on the file is sent. Another request that sends this file is ended. `Box-Id` is the box item, once the upload is whole.
     */
    head: operations['getResumableUpload'];
    /**
     * Send the next bytes of an upload
     * @description From `Upload-Offset` on, with the content type `application/offset+octet-stream`. `Upload-Checksum` is checked before anything is kept. The response to the last bytes has the header `Box-Id`. `Upload-Length`, once, says the length of an upload that was begun with `Upload-Defer-Length`.
     */
    patch: operations['continueResumableUpload'];
    trace?: never;
  };
  '/api/progressbar/{progressId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the progress of an upload
     * @description Of an upload of the caller, by the id that its header has named. Kept for an hour. An unknown id, or one of another user, is 404.
     */
    get: operations['getUploadProgress'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/progressbar/{progressId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play an upload while it arrives
     * @description A growing playlist of what is stored of the beginning, for the caller alone. `MESSAGE` where nothing is stored yet: files whose index is at their end, and those that are encoded, play after they have arrived. 404 when the upload has become a box item.
     */
    post: operations['playUpload'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Upload a content into the box
     * @description Quotas of the license are checked before the body is read. The item is `PENDING` until its content is processed. With the header of the progress id, the progress of the upload can be read while it runs.
     */
    post: operations['createBoxItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a box item
     * @description One of the caller’s own.
     */
    get: operations['getBoxItem'];
    put?: never;
    /**
     * Change a box item
     * @description A body with `title` replaces the whole item: description, thumbnail and tags that it leaves out are removed. A body without `title` changes only the members that it names.
     */
    post: operations['updateBoxItem'];
    /**
     * Delete a box item
     * @description 409 while the item is published or offered, while a payment for its content may still arrive, or while viewers who have paid may play it.
     */
    delete: operations['deleteBoxItem'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/box/contents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the box of the caller
     * @description Looks in title, description, tags and captions. Order: relevance, then creation date (newest first).
     */
    post: operations['searchBoxItems'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a box item
     * @description Before the item is `READY`, a growing playlist of what is stored so far. Of an acquired item whose license pays the licensor for each view, the preview.
     */
    post: operations['playBoxItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/reprocess': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Process a box item again
     * @description From its stored file: an item that is `FAILED` becomes `PENDING`; one that is `READY` keeps playing, with `preparing`, until the new renditions are complete. 409 while it is processed, if its file is gone, or after three requests.
     */
    post: operations['reprocessBoxItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/status/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Watch the processing of a box item
     * @description Server-sent events `status`, with `status`, `progress`, and where they apply `preparing` and `message`. The stream ends when the item has failed or all its renditions are there.
     */
    get: operations['watchBoxItem'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/chapters': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the chapters of a content
     * @description Each lasts until the next one begins.
     */
    get: operations['getChapters'];
    put?: never;
    /**
     * Replace the chapters of a content
     * @description Everybody who plays the content gets them from the next play on.
     */
    post: operations['setChapters'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/tracks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the audio tracks of a content
     * @description The audio streams of the uploaded file, at most eight, with the languages and titles that it has.
     */
    get: operations['getAudioTracks'];
    put?: never;
    /**
     * Name, order and remove the audio tracks of a content
     * @description Everybody who plays the content gets them from the next play on. A track that was removed can be offered again.
     */
    post: operations['setAudioTracks'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/content/{contentId}/download': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a token for a download
     * @description Valid for five minutes and for one download. Permitted for the uploader who still holds the item, and for a holder whose license permits downloads; everybody else gets 404.
     */
    get: operations['createDownloadToken'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/download/content/{contentId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download a source file
     * @description The token is used up. After that, the same address may resume once, with one open-ended range. The bytes count on the band of the user who downloads.
     */
    get: operations['downloadContent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/captions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the captions of a content
     * @description The oldest first: uploaded ones, those of the source, and automatic ones.
     */
    get: operations['listCaptions'];
    put?: never;
    /**
     * Add captions to a content
     * @description WebVTT or SRT, up to 2 MB. Everybody who plays the content can choose them from the next play on. They replace automatic captions in the same language.
     */
    post: operations['createCaption'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/captions/{captionId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Change captions
     * @description Members that are left out stay as they are.
     */
    post: operations['updateCaption'];
    /**
     * Delete captions
     * @description Who has begun to play keeps them for a minute.
     */
    delete: operations['deleteCaption'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/captions/{captionId}/file.vtt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get captions as a file
     * @description In WebVTT, as players get them: in the order of their times, with clean text.
     */
    get: operations['getCaptionFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/thumbnail': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Upload a thumbnail
     * @description GIF, PNG, JPEG or WebP, up to 2 MB. Metadata that identifies a place or a camera is removed.
     */
    post: operations['createThumbnail'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/asset/thumbnail/{thumbnailId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a thumbnail
     * @description In its original size. Images are public and cacheable for ever.
     */
    get: operations['getThumbnail'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/asset/thumbnail/{thumbnailId}/{width}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a thumbnail scaled down
     * @description The width is rounded up to 160, 320, 480, 640, 960, 1280 or 1920; an image is never enlarged.
     */
    get: operations['getScaledThumbnail'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/vod': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Publish a box item
     * @description The item must be `READY`: otherwise 409. Paid license types need the payment data of the seller.
     */
    post: operations['createVodItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/vod/{vodId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a VOD item of the caller
     * @description As its publisher sees it.
     */
    get: operations['getVodItem'];
    put?: never;
    /**
     * Change the conditions of a VOD item
     * @description Viewers who have paid play on under the conditions that they have paid for. Members that are not sent stay, as far as the license type uses them.
     */
    post: operations['updateVodItem'];
    /**
     * Unpublish a VOD item
     * @description Nobody finds it any more; viewers who have paid play on until the end of what they have paid for.
     */
    delete: operations['deleteVodItem'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/vod/{vodId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a VOD item
     * @description As everybody sees it, with its publisher. One that has ended is 404.
     */
    get: operations['getPublicVodItem'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/vod/contents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the VOD items of the caller
     * @description Looks in the content (title, description, tags), and in the bundle (name, description, tags) unless `bundleId` is given. Order: relevance, then date of publication (newest first).
     */
    post: operations['searchVodItems'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/vod/contents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search all VOD items
     * @description Looks in the content, in the bundle unless `bundleId` is given, and in the publisher (user code, names, page texts) unless `userCode` is given. Order: relevance, then date of publication (newest first). Leaves out items that are unlisted, not `READY` or ended, and those of publishers who are unlisted or disabled.
     */
    post: operations['searchPublicVodItems'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/vod/{vodId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a VOD item
     * @description Answers 200 for every business outcome; `result` says which. After a payment, send its `trackingId`.
     */
    post: operations['playVodItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/vod/{vodId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a VOD item with any token
     * @description Answers 200 for every business outcome; `result` says which. After a payment, send its `trackingId`. A private token identifies its user here, too.
     */
    post: operations['playPublicVodItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/vod/{vodId}/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play the preview of a VOD item
     * @description The first 15 seconds.
     */
    post: operations['previewVodItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/vod/{vodId}/pay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of a view
     * @description Of one view of a VOD item, which is valid for 48 hours from its first play. The viewer pays at `url`; then `play` with the `trackingId` plays.
     */
    post: operations['payVodItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/vod/{vodId}/pay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of a view with any token
     * @description As with a private token. Started with a public token, the payment belongs to everybody who knows its `trackingId`.
     */
    post: operations['payPublicVodItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a bundle
     * @description Without items. Needs the payment data of the seller.
     */
    post: operations['createBundle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle/{bundleId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a bundle of the caller
     * @description As its owner sees it; `itemCount` counts all items.
     */
    get: operations['getBundle'];
    put?: never;
    /**
     * Change a bundle
     * @description Changes the members that are sent. A body with name, price, duration and its unit is the whole bundle: description, thumbnail and tags that it leaves out are emptied. Live subscriptions stay as they were agreed.
     */
    post: operations['updateBundle'];
    /**
     * Delete a bundle
     * @description 409 while it has items or live subscriptions.
     */
    delete: operations['deleteBundle'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/contentbundle/{bundleId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a bundle
     * @description As everybody sees it, with its publisher; `itemCount` counts the items that can be played.
     */
    get: operations['getPublicBundle'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/contentbundles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the bundles of the caller
     * @description Looks in name, description and tags. Order: relevance, then date of publication (newest first).
     */
    post: operations['searchBundles'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/contentbundles': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search all bundles
     * @description Looks in name, description and tags, and in the publisher unless `userCode` is given. Order: relevance, then date of publication (newest first).
     */
    post: operations['searchPublicBundles'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle/{bundleId}/items': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the items of a bundle of the caller
     * @description In their order.
     */
    get: operations['listBundleItems'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/contentbundle/{bundleId}/items': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the items of a bundle
     * @description In their order; those that everybody may see.
     */
    get: operations['listPublicBundleItems'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle/{bundleId}/items/insert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Insert items into a bundle
     * @description Before the item at `index`; the number of items means “at the end”. A box item that is not in the bundle is published in it; one that is there already moves.
     */
    post: operations['insertBundleItems'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle/{bundleId}/items/move': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move an item of a bundle
     * @description Before the item at `toIndex`. Both positions are counted before the move, from 0.
     */
    post: operations['moveBundleItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle/{bundleId}/items/remove': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Remove items from a bundle
     * @description Unpublishes them; present subscribers play them until the end of their time.
     */
    post: operations['removeBundleItems'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle/{bundleId}/subscribe': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of a subscription
     * @description The buyer pays at `url`; then the subscription is activated with the `trackingId`. Subscribing again adds the time at the end of a live subscription. One’s own bundle is 409.
     */
    post: operations['subscribeToBundle'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/contentbundle/{bundleId}/activate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Activate a subscription that was paid for
     * @description 402 before it is paid, 404 for a payment of another user or bundle. May be repeated.
     */
    post: operations['activateBundleSubscription'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/contentbundle/subscriptions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the subscriptions of the caller
     * @description Looks in the bundle and its publisher. Order: relevance, subscription date (latest first), end (earliest first), name.
     */
    post: operations['searchBundleSubscriptions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/box/{boxId}/marketplace': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Offer a box item on the marketplace
     * @description Each license type has its own conditions; others are ignored. The item must be `READY`, and uploaded or recorded by the caller: otherwise 409.
     */
    post: operations['createMarketplaceItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/marketplace/{marketplaceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an offer of the caller
     * @description As its seller sees it.
     */
    get: operations['getMarketplaceItem'];
    put?: never;
    /**
     * Change the conditions of an offer
     * @description A body with `licenseType` replaces them; without it, conditions that are not sent stay. Licenses that were acquired before do not change.
     */
    post: operations['updateMarketplaceItem'];
    /**
     * Withdraw an offer
     * @description Licenses that were acquired before do not change.
     */
    delete: operations['deleteMarketplaceItem'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/marketplace/{marketplaceId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get an offer
     * @description As everybody sees it, with its seller.
     */
    get: operations['getPublicMarketplaceItem'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/marketplace/contents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the offers of the caller
     * @description Looks in title, description and tags. Order: relevance, then date of publication (newest first).
     */
    post: operations['searchMarketplaceItems'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/marketplace/contents': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search all offers
     * @description Looks in title, description and tags, and in the seller unless `userCode` is given. Order: relevance, then date of publication (newest first).
     */
    post: operations['searchPublicMarketplaceItems'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/marketplace/{marketplaceId}/acquire': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Acquire an offer
     * @description Puts the content into the caller’s box. Where an activation price must be paid first, `result` is `PAYMENT_REQUIRED`; after the payment, send its `trackingId`. One’s own offer is 409.
     */
    post: operations['acquireMarketplaceItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/marketplace/{marketplaceId}/pay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of an offer
     * @description Of its activation price. 409 without one, and for a license without end that is held already.
     */
    post: operations['payMarketplaceItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/marketplace/{marketplaceId}/preview': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play the preview of an offer
     * @description The first 15 seconds.
     */
    post: operations['previewMarketplaceItem'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/user/me/earnings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what the caller has earned
     * @description Sales and reversals, with balances and totals. Where `Accept` names `text/csv` and not JSON, all lines as CSV.
     */
    get: operations['listEarnings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/channel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a live channel
     * @description An encoder publishes to `streamingBaseUrl` + `/` + `streamPath`, and logs in with user code and live password.
     */
    post: operations['createLiveChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/channel/{channelId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a live channel of the caller
     * @description As its owner sees it, with the address for the encoder, and the last encoder that was refused.
     */
    get: operations['getLiveChannel'];
    put?: never;
    /**
     * Change a live channel
     * @description Changes the members that are sent. A body with `name` and `streamPath` is the whole channel: description, thumbnail and tags that it leaves out are emptied. An encoder that publishes to a former `streamPath` goes on.
     */
    post: operations['updateLiveChannel'];
    /**
     * Delete a live channel
     * @description 409 while it has events, past ones included. Ends what is published to it, and frees its `streamPath`.
     */
    delete: operations['deleteLiveChannel'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/channel/{channelId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a live channel
     * @description As everybody sees it, with its publisher.
     */
    get: operations['getPublicLiveChannel'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/live/channels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the live channels of the caller
     * @description Looks in name, description and tags. Order: relevance, then name.
     */
    post: operations['searchLiveChannels'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/live/channels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search all live channels
     * @description Looks in name, description and tags, and in the publisher unless `userCode` is given. Order: relevance, then name. Leaves out channels whose `public` is false.
     */
    post: operations['searchPublicLiveChannels'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/streampath': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a stream path that is free
     * @description Made from a name; a number is appended where it is taken. Nothing is reserved.
     */
    get: operations['suggestLiveStreamPath'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/channel/{channelId}/event': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a live event
     * @description On a channel of the caller. Needs `features.livePassword` (400 without); a paid event needs the payment data of the seller. Events of one channel must not overlap: 409.
     */
    post: operations['createLiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/event/{eventId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a live event of the caller
     * @description As its owner sees it.
     */
    get: operations['getLiveEvent'];
    put?: never;
    /**
     * Change a live event
     * @description Changes the members that are sent. A body with name, payment mode, start and end is the whole event: description, thumbnail and tags that it leaves out are emptied. What buyers have paid for cannot change: 409.
     */
    post: operations['updateLiveEvent'];
    /**
     * Delete a live event
     * @description 409 where it was paid for and is not over, or where its recording is not in the box yet.
     */
    delete: operations['deleteLiveEvent'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/event/{eventId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a live event
     * @description As everybody sees it, with the publisher of its channel.
     */
    get: operations['getPublicLiveEvent'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/live/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the live events of the caller
     * @description Looks in the event (name, description, tags), and in the channel unless `channelId` is given. Order: relevance, start, end. Items have an address with which their owner plays them.
     */
    post: operations['searchLiveEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/live/events': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search all live events
     * @description Looks in the event, in the channel unless `channelId` is given, and in the publisher unless `userCode` is given. Order: start, then end, also with words. Leaves out events whose `publicEvent` is false, and all events of channels whose `public` is false.
     */
    post: operations['searchPublicLiveEvents'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/channel/{channelId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play the event of a channel that is on air
     * @description 404 while no event of the channel is on air. `resource` is the event.
     */
    post: operations['playLiveChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/event/{eventId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a live event
     * @description Before, between and after what is on air, `result` is `MESSAGE` and `message` says why. After a payment, send its `trackingId`.
     */
    post: operations['playLiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/event/{eventId}/pay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of a live event
     * @description Before the event or during it. Valid until the end of the event, on any number of devices. 409 where there is nothing to pay for. Started with a public token, the payment belongs to everybody who knows its `trackingId`.
     */
    post: operations['payLiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/channel/{channelId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play the event of a channel that is on air with any token
     * @description 404 while no event of the channel is on air. `resource` is the event.
     */
    post: operations['playPublicLiveChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/event/{eventId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a live event with any token
     * @description Before, between and after what is on air, `result` is `MESSAGE` and `message` says why. After a payment, send its `trackingId`.
     */
    post: operations['playPublicLiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/event/{eventId}/pay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of a live event with any token
     * @description Before the event or during it. Valid until the end of the event, on any number of devices. 409 where there is nothing to pay for. Started with a public token, the payment belongs to everybody who knows its `trackingId`.
     */
    post: operations['payPublicLiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/channel/{channelId}/playlist.m3u8': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the playlist of the event that is on air, from an address that never expires
     * @description Redirects to a playlist without discontinuities, for players that cannot follow these. Needs no token. 402 for an event that is sold, 403 while the publisher has no band left, 404 while it is not on air.
     */
    get: operations['getLiveChannelPlaylist'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/live/event/{eventId}/playlist.m3u8': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the playlist of a live event from an address that never expires
     * @description Redirects to a playlist without discontinuities, for players that cannot follow these. Needs no token. 402 for an event that is sold, 403 while the publisher has no band left, 404 while it is not on air.
     */
    get: operations['getLiveEventPlaylist'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/live/channel/{channelId}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play what an encoder publishes to a live channel
     * @description With or without an event, for the owner of the channel. `MESSAGE` while nothing is published.
     */
    post: operations['testLiveChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a cast channel
     * @description It broadcasts a sequence of programs; encoders publish to cast streams, never to the channel itself.
     */
    post: operations['createCastChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a cast channel of the caller
     * @description As its owner sees it, with the last encoder that was refused at its path.
     */
    get: operations['getCastChannel'];
    put?: never;
    /**
     * Change a cast channel
     * @description Changes the members that are sent. A body with `name` and `streamPath` is the whole item: description, thumbnail and tags that it leaves out are emptied.
     */
    post: operations['updateCastChannel'];
    /**
     * Delete a cast channel
     * @description With its programs, also while it is on air: its addresses answer 404 within seconds.
     */
    delete: operations['deleteCastChannel'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/channel/{channelId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a cast channel
     * @description As everybody sees it, with its publisher.
     */
    get: operations['getPublicCastChannel'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/cast/channels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the cast channels of the caller
     * @description Looks in name, description and tags. Order: relevance, then name.
     */
    post: operations['searchCastChannels'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/cast/channels': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search all cast channels
     * @description All channels of active publishers. Looks in the channel and in the publisher. Order: relevance, then name.
     */
    post: operations['searchPublicCastChannels'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/streampath': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a stream path that is free
     * @description Made from the name of a cast channel or stream; a number is appended where it is taken. Nothing is reserved.
     */
    get: operations['suggestCastStreamPath'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a cast channel
     * @description What it broadcasts, without payment. The addresses are valid for 24 hours.
     */
    post: operations['playCastChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/channel/{channelId}/play': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a cast channel with any token
     * @description What it broadcasts, without payment. The addresses are valid for 24 hours.
     */
    post: operations['playPublicCastChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play a cast channel of the caller
     * @description What everybody sees of it, for its owner.
     */
    post: operations['testCastChannel'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/stream': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a cast stream
     * @description An encoder publishes to `streamingBaseUrl` + `/` + `streamPath` at any time, in a program or not.
     */
    post: operations['createCastStream'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/stream/{streamId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a cast stream
     * @description One of the caller’s own, with the address for the encoder, and the last encoder that was refused.
     */
    get: operations['getCastStream'];
    put?: never;
    /**
     * Change a cast stream
     * @description Changes the members that are sent. A body with `name` and `streamPath` is the whole item: description, thumbnail and tags that it leaves out are emptied.
     */
    post: operations['updateCastStream'];
    /**
     * Delete a cast stream
     * @description 409 while a program that is not over shows it.
     */
    delete: operations['deleteCastStream'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/search/cast/streams': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the cast streams of the caller
     * @description Looks in name, description and tags. Order: relevance, then name.
     */
    post: operations['searchCastStreams'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/stream/{streamId}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Play what an encoder publishes to a cast stream
     * @description In a program or not, for its owner. `MESSAGE` while nothing is published.
     */
    post: operations['testCastStream'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}/dailyprogramming/{date}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a day of a cast channel of the caller
     * @description The programs that start on the day, in the time zone of the request. The response has an `ETag` for a conditional change.
     */
    get: operations['getDailyProgramming'];
    put?: never;
    /**
     * Replace a day of a cast channel
     * @description All programs that start on the day; gaps between them become breaks. The day is stored as a whole, or refused as a whole with one error for each bad program. What airs within the next two minutes is fixed: changing it is 409.
     */
    post: operations['replaceDailyProgramming'];
    /**
     * Empty a day of a cast channel
     * @description Removes all programs that start on the day.
     */
    delete: operations['deleteDailyProgramming'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/channel/{channelId}/dailyprogramming/{date}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a day of a cast channel
     * @description The programs that start on the day, in the time zone of the request, as everybody sees them.
     */
    get: operations['getPublicDailyProgramming'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}/dailyprogramming/{date}/insert': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Insert programs into a day
     * @description Before the program at `index`; later programs are shifted. Without `index`, at the end.
     */
    post: operations['insertCastPrograms'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}/dailyprogramming/{date}/move': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Move a program of a day
     * @description Before the program at `toIndex`. Both positions are counted before the move, from 0; the programs between them are shifted.
     */
    post: operations['moveCastProgram'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}/dailyprogramming/{date}/remove': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Remove programs from a day
     * @description Later programs are shifted forward.
     */
    post: operations['removeCastPrograms'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/channel/{channelId}/calendar/{date}/{dayCount}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get several days of a cast channel
     * @description Every day is present, those without programs too. Sent while it is read, day by day.
     */
    get: operations['getCastCalendar'];
    put?: never;
    post?: never;
    /**
     * Empty several days of a cast channel
     * @description Removes all programs that start on one of these days.
     */
    delete: operations['deleteCastCalendar'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/calendar/copy': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Copy days of a cast channel
     * @description The days of the source repeat until the destination is full; what was there is replaced. Programs keep their local times. A copy is stored as a whole or refused as a whole.
     */
    post: operations['copyCastCalendar'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/cast/program/{programId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a cast program of the caller
     * @description As the owner of its channel sees it, with its stream or content.
     */
    get: operations['getCastProgram'];
    put?: never;
    /**
     * Change the description of a cast program
     * @description A body with `title` replaces description, thumbnail and tags too; without it, members that are not sent stay. Times change through the daily programming only.
     */
    post: operations['updateCastProgram'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/program/{programId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a cast program
     * @description As everybody sees it, with its channel.
     */
    get: operations['getPublicCastProgram'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/cast/programs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the programs of all cast channels
     * @description Looks in the program (title, description, tags), in the channel unless `channelId` is given, and in the publisher unless `userCode` is given. Order: start, then end, also with words; programs that are over follow, the latest first.
     */
    post: operations['searchCastPrograms'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/search/cast/programs/{segment}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Search the programs of all cast channels, by a longer path
     * @description The same search. The last segment of the path has no meaning.
     */
    post: operations['searchCastProgramsWithSegment'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/channel/{channelId}/guide': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get what a cast channel shows now
     * @description And the programs that follow. Needs no token.
     */
    get: operations['getCastGuide'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/channel/{channelId}/epg.xml': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the guide of a cast channel as XMLTV
     * @description From the present hour on, without breaks. Needs no token. With an entity tag.
     */
    get: operations['getCastChannelXmltv'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/epg.xml': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the guide of all cast channels as XMLTV
     * @description At most 10,000 programs. Needs no token. With an entity tag.
     */
    get: operations['getCastXmltv'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/channels.m3u': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the cast channels as an M3U list
     * @description For players and recorders: at most 2,000 channels by name. Needs no token.
     */
    get: operations['getCastChannelList'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/public/cast/channel/{channelId}/playlist.m3u8': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a playlist of a cast channel that never expires
     * @description Redirects to a playlist that every player can play for 24 hours. Needs no token. 403 while the publisher has no band left.
     */
    get: operations['getCastChannelPlaylist'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/s/{grant}/{path}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a playlist or a segment
     * @description The grant in the path opens it and says until when; no token is needed. Addresses of play results lead here. With `PLAYBACK_DELIVERY=redirect` the answer is a redirect to the storage. Live playlists take `_HLS_msn`, `_HLS_part`, `_HLS_skip` and `dvr=1`.
     */
    get: operations['getStreamFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/e/{edgeToken}/{path}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a playlist or a segment through an edge
     * @description With `PLAYBACK_DELIVERY=edge` addresses of play results lead here. They are the same for all viewers of one thing, but for the query `session`, which is ignored. An edge checks the token, and keeps responses by the path behind it.
     */
    get: operations['getSharedStreamFile'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/user/{userCode}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the live password of a user
     * @description With it the encoders of the user log in. Left out where the user has none.
     */
    get: operations['getLivePassword'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/authtoken/{token}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check the token of a viewer
     * @description Whether a viewer may be admitted with the token of a playback address: 200 without a body, or 401. A token of a preview is not valid.
     */
    get: operations['checkPlaybackToken'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/user/{userCode}/box': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Upload a content into the box of a user
     * @description As an upload by the user, with the same parts, limits and errors, on the license of that user.
     */
    post: operations['createBoxItemOfUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/vod': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the owner of a content
     * @description By an object name: `file` of a play result, another path below the same folder, the folder, `resourceId` or `contentId`.
     */
    get: operations['getContentCreator'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/live/channel/{streamName}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the owner of a live channel
     * @description By its stream path, with case.
     */
    get: operations['getLiveChannelCreator'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/live/event/{streamName}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get whether a live event is recorded
     * @description The choice of the event that is on now, or else of the one that starts within 10 minutes; false without either.
     */
    get: operations['getLiveEventRecorded'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/cast/channel/{streamName}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get id and owner of a cast channel
     * @description By its stream path, with case.
     */
    get: operations['getCastChannelCreator'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/cast/entity/{streamName}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get what a stream path of cast belongs to
     * @description To a cast channel or to a cast stream; with its owner.
     */
    get: operations['getCastEntity'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/edge/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report what an edge has sent
     * @description Counts bytes on the band of the publishers that the addresses name, once for each `batchId` of the last 30 days: a batch may be sent again until it is answered. A token that has expired counts.
     */
    post: operations['reportEdgeUsage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/hooks/nginx-rtmp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive a hook of nginx-rtmp
     * @description Sent before the server takes the media of an encoder or sends them to a viewer, and when an encoder has left. Allowed: 200, refused: 403.
     */
    post: operations['receiveNginxRtmpHook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/hooks/mediamtx': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive a hook of mediamtx
     * @description Sent before the server takes the media of an encoder or sends them to a viewer, and when an encoder has left. Allowed: 200, refused: 401.
     */
    post: operations['receiveMediamtxHook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/hooks/srs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive a hook of srs
     * @description Sent before the server takes the media of an encoder or sends them to a viewer, and when an encoder has left. 200 also if it is refused: the body says which.
     */
    post: operations['receiveSrsHook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/hooks/node-media-server': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive a hook of node-media-server
     * @description Sent before the server takes the media of an encoder or sends them to a viewer, and when an encoder has left. Allowed: 200, refused: 403.
     */
    post: operations['receiveNodeMediaServerHook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/rest/{integration}/hooks/ovenmediaengine': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive a hook of ovenmediaengine
     * @description Sent before the server takes the media of an encoder or sends them to a viewer, and when an encoder has left. 200 also if it is refused: the body says which. The request is signed.
     */
    post: operations['receiveOvenmediaengineHook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhook': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the webhooks of the caller
     * @description The oldest first.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Create a webhook
     * @description The secret is shown only here, and after a rotation.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhook/{webhookId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a webhook of the caller
     * @description Without its secret.
     */
    get: operations['getWebhook'];
    put?: never;
    /**
     * Change a webhook
     * @description Members that are left out stay as they are.
     */
    post: operations['updateWebhook'];
    /**
     * Delete a webhook
     * @description With its deliveries.
     */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhook/{webhookId}/rotate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Give a webhook a new secret
     * @description For a day, requests have the signatures of both secrets.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhook/{webhookId}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event to a webhook
     * @description What becomes of it is seen in its deliveries. 409 where the webhook is switched off.
     */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhook/{webhookId}/deliveries': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List what was sent to a webhook
     * @description The newest first. Kept for 30 days.
     */
    get: operations['listWebhookDeliveries'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhook/{webhookId}/deliveries/{deliveryId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get what was sent to a webhook at one time
     * @description With the body of the request.
     */
    get: operations['getWebhookDelivery'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/api/webhook/{webhookId}/deliveries/{deliveryId}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an event to a webhook again
     * @description With the same id, whatever became of it. 409 where the webhook is switched off.
     */
    post: operations['resendWebhookDelivery'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/{provider}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Receive an event of the payment provider
     * @description The provider signs it; other calls are refused.
     */
    post: operations['receivePaymentEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/sandbox/checkout/{reference}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the checkout page of the sandbox
     * @description Of the order with this reference. Only with the sandbox provider.
     */
    get: operations['getSandboxCheckout'];
    put?: never;
    /**
     * Submit the checkout page of the sandbox
     * @description Approves, rejects or refunds the order, and redirects the browser to the return or cancel address.
     */
    post: operations['submitSandboxCheckout'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the player page
     * @description Of a VOD item, a live event, what a live channel shows, or a cast channel, for frames on other sites. Plays what a public token may play. A live channel shows the event that lasts, else its next public event, else its last public one.
     */
    get: operations['getPlayerPage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embed/playback': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a fresh address for the player page
     * @description Of a VOD item or its preview, when the address that the page has is about to expire, or while `isAwaited` says that the payment of `trackingId` may still be confirmed.
     */
    get: operations['getPlayerPlayback'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embed/pay': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start the payment of a video or a live event from its player page
     * @description For a viewer without a login, from a page of this service alone. The page is returned to with the `trackingId` of a video in its address, and removes it.
     */
    post: operations['payFromPlayer'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embed/live': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the state of a live event for the player page
     * @description Where it plays, and when it begins and ends.
     */
    get: operations['getPlayerLiveStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/embed/cast': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the state of a cast channel for the player page
     * @description Where it plays, and what airs.
     */
    get: operations['getPlayerCastStatus'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/oembed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the frame of a player page
     * @description As oEmbed 1.0: other sites turn the address of a player page into a frame. 404 for every other address and for what the page does not show; 501 with another `format` than `json`.
     */
    get: operations['getOembed'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the start page
     * @description For clients that accept HTML; others get 404.
     */
    get: operations['getStartPage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/favicon.svg': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the icon of all pages
     * @description The same picture at the address that the pages name and at the one that browsers try.
     */
    get: operations['getIcon'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/favicon.ico': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the icon of all pages
     * @description The same picture at the address that the pages name and at the one that browsers try.
     */
    get: operations['getDefaultIcon'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/robots.txt': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the rules for search engines
     * @description They may read the start page and the player pages, and nothing else.
     */
    get: operations['getRobotsRules'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/openapi.json': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get this description
     * @description As OpenAPI 3.1: every status of every operation, and the rules of every request.
     */
    get: operations['getDescription'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/docs': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show this description as a page
     * @description It reads `/openapi.json` and can try operations.
     */
    get: operations['getDocumentation'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/client.tgz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the typed client of this version
     * @description An npm package without dependencies, for Node and browsers: `npm install <this address>`.
     */
    get: operations['getClient'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/account/email': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the page that confirms an e-mail address
     * @description The mailed link leads here. Nothing changes until the form is sent.
     */
    get: operations['getEmailChangePage'];
    put?: never;
    /**
     * Confirm a new e-mail address
     * @description The form of the page, with the token of the mailed link.
     */
    post: operations['confirmEmailChange'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/healthz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check that the process is alive
     * @description Reads nothing else, so that a supervisor restarts no process because of an outage elsewhere.
     */
    get: operations['getHealth'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/readyz': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check that the service is ready
     * @description With the states of database, queue, search and storage, and why one does not work. `degraded`: something other than the database does not work, and viewers can still play. 503 (`not ready`, `stopping`): the database cannot be reached or is not migrated, or the process is about to end.
     */
    get: operations['getReadiness'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/metrics': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the metrics of this process
     * @description For Prometheus, with the credentials of operators.
     */
    get: operations['getMetrics'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/mails': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show the mails that were kept instead of sent
     * @description A page for operators, if no mail server is configured. Needs their credentials.
     */
    get: operations['listMails'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/admin/mails/{name}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Show a mail that was kept instead of sent
     * @description A page for operators. Needs their credentials.
     */
    get: operations['getMail'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  'upload.completed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * upload.completed
     * @description A file has arrived whole, by a form, by tus or from an address, and has a box item.
     */
    post: operations['receive_upload_completed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'content.ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * content.ready
     * @description A box item can be played for the first time, in the renditions that are there.
     */
    post: operations['receive_content_ready'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'content.complete': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * content.complete
     * @description All renditions of a box item are there.
     */
    post: operations['receive_content_complete'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'content.failed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * content.failed
     * @description A box item, or the rest of its renditions, could not be made: `status` says which, `message` why.
     */
    post: operations['receive_content_failed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'vod.published': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * vod.published
     * @description A box item was published.
     */
    post: operations['receive_vod_published'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'vod.withdrawn': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * vod.withdrawn
     * @description A VOD item was withdrawn; `vod` is as it was.
     */
    post: operations['receive_vod_withdrawn'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.fulfilled': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * payment.fulfilled
     * @description A payment was made, and what was paid for is granted. Sent to its seller and its buyer.
     */
    post: operations['receive_payment_fulfilled'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'payment.reversed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * payment.reversed
     * @description A payment that was fulfilled was returned. Sent to both sides.
     */
    post: operations['receive_payment_reversed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.started': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * subscription.started
     * @description A user has subscribed to a bundle. An extension is no event. Sent to both sides.
     */
    post: operations['receive_subscription_started'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'subscription.ended': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * subscription.ended
     * @description A subscription has ended. Sent to both sides.
     */
    post: operations['receive_subscription_ended'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'live.started': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * live.started
     * @description An encoder has begun to publish to a live channel, with the event if it is the time of one, or to a cast stream.
     */
    post: operations['receive_live_started'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'live.ended': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * live.ended
     * @description No encoder has followed the last one within `LIVE_RECONNECT_SECONDS`.
     */
    post: operations['receive_live_ended'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'recording.ready': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * recording.ready
     * @description The recording of a live event can be played. `event` is left out if the event is deleted.
     */
    post: operations['receive_recording_ready'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'license.changed': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * license.changed
     * @description The license of the user was extended, shortened, has expired or was given up.
     */
    post: operations['receive_license_changed'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'quota.warning': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * quota.warning
     * @description 80 percent or more of a limit of the license are used; sent once in each month.
     */
    post: operations['receive_quota_warning'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  'webhook.test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * webhook.test
     * @description A test that the owner has asked for. Every webhook gets it.
     */
    post: operations['receive_webhook_test'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    TokenResponse: {
      /** @description 256 random bits, sent with calls as `Authorization: Bearer <token>`. */
      access_token: string;
      /**
       * @description Kind of token.
       * @enum {string}
       */
      token_type: 'bearer';
      /** @description For the next exchange; not for public tokens. */
      refresh_token?: string;
      /** @description Validity of the access token in seconds. */
      expires_in: number;
      /**
       * @description Everything its owner may do.
       * @enum {string}
       */
      scope: 'all';
      /**
       * Format: uuid
       * @description Id of this response.
       */
      jti: string;
    };
    Address: {
      /** @description State or province. */
      state?: string;
      /** @description ISO 3166-1 alpha-2 code. */
      country?: string;
      /** @description Name of `country` in the language of the request. */
      countryName?: string;
      /** @description City. */
      city?: string;
      /** @description Street and number. */
      street?: string;
      /** @description Postal code. */
      zipCode?: string;
    };
    User: {
      /** @description User code, which is the login name; compared without case. */
      userCode: string;
      /** @description What describes the user. */
      profile: {
        /** @description Language of mails. */
        language: string;
        /** @description E-mail address. */
        email: string;
        /** @description First name, on one line. */
        firstName: string;
        /** @description Last name, on one line. */
        lastName: string;
        /**
         * @description `dd/MM/yyyy`.
         * @example 31/12/2026
         */
        birthDate: string;
        /**
         * Format: uuid
         * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
         */
        thumbnailId?: string;
        /** @description Title of the user’s public page. */
        pageTitle?: string;
        /** @description Text of the user’s public page. */
        pageDescription?: string;
        /** @description Address of the user’s page there. */
        facebookUrl?: string;
        /** @description Name of the user there. */
        twitterContact?: string;
        /** @description Address of the user’s page there. */
        linkedinUrl?: string;
      };
      /** @description What payments to the user need. */
      finance: {
        /** @description Account that receives payments. */
        paypalEmail?: string;
        /** @description Company that the user acts for. */
        companyName?: string;
        /** @description VAT number. */
        vatNumber?: string;
        /** @description Tax code. */
        taxCode?: string;
        /** @description Billing address; `{}` when empty. */
        billingAddress: components['schemas']['Address'];
      };
      /** @description Preferences. */
      features: {
        /** @description Wants a mail when a content is ready or has failed. */
        transcoderNotifyEnabled: boolean;
        /** @description False: none of the user’s VOD items is found by the public search. */
        vodPublic: boolean;
        /** @description Password with which the user’s encoders log in. */
        livePassword?: string;
      };
    };
    AskedForUser: {
      /** @description User code, which is the login name; compared without case. */
      userCode: string;
      /** @description What describes the user. */
      profile: {
        /**
         * @description Language of mails.
         * @enum {string}
         */
        language: '';
        /**
         * @description E-mail address.
         * @enum {string}
         */
        email: '';
        /**
         * @description First name, on one line.
         * @enum {string}
         */
        firstName: '';
        /**
         * @description Last name, on one line.
         * @enum {string}
         */
        lastName: '';
        /**
         * @description `dd/MM/yyyy`.
         * @enum {string}
         */
        birthDate: '';
      };
      /** @description What payments to the user need. */
      finance: {
        /** @description Billing address; `{}` when empty. */
        billingAddress: Record<string, never>;
      };
      /** @description Preferences. */
      features: {
        /** @description Wants a mail when a content is ready or has failed. */
        transcoderNotifyEnabled: boolean;
        /** @description False: none of the user’s VOD items is found by the public search. */
        vodPublic: boolean;
      };
    };
    FoundUser: {
      /** @description User code, which is the login name; compared without case. */
      userCode: string;
      /** @description A paid plan has ended and no other follows. */
      licenseExpired: boolean;
      /** @description Title of the user’s public page. */
      pageTitle?: string;
      /** @description Text of the user’s public page. */
      pageDescription?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
    };
    FoundUserPage: {
      /** @description The items, in their order. */
      items: components['schemas']['FoundUser'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    Publisher: {
      /** @description User code, which is the login name; compared without case. */
      userCode: string;
      /** @description A paid plan has ended and no other follows. */
      licenseExpired: boolean;
      /** @description Title of the user’s public page. */
      pageTitle?: string;
      /** @description Text of the user’s public page. */
      pageDescription?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Address of the user’s page there. */
      facebookUrl?: string;
      /** @description Name of the user there. */
      twitterContact?: string;
      /** @description Address of the user’s page there. */
      linkedinUrl?: string;
    };
    Usage: {
      /** @description Uploaded files. */
      originalBytes: number;
      /** @description What was made of them. */
      renditionBytes: number;
      /** @description Thumbnails. */
      thumbnailBytes: number;
      /** @description Reserved for uploads in progress. */
      reservedBytes: number;
      /** @description Limit of all these bytes. */
      storageLimitBytes: number;
      /** @description Sent to viewers in the calendar month (UTC) */
      bandBytes: number;
      /** @description Limit of `bandBytes`. */
      bandLimitBytes: number;
      /** @description Uploads that count. */
      uploads: number;
      /** @description Limit of `uploads`; 0: unlimited. */
      uploadLimit: number;
      /** @description Processed in the calendar month (UTC) */
      mediaMinutes: number;
      /** @description Limit of `mediaMinutes`; 0: unlimited. */
      mediaMinutesLimit: number;
      /** @description Published by encoders in the calendar month (UTC) */
      streamingMinutes: number;
      /** @description Limit of `streamingMinutes`; 0: unlimited. */
      streamingMinutesLimit: number;
    };
    UserOverview: {
      /** @description User code, which is the login name; compared without case. */
      userCode: string;
      /**
       * @description The plan in force, or the one that has expired.
       * @example Free
       */
      licenseName: string;
      /** @description A paid plan has ended and no other follows. */
      licenseExpired: boolean;
      /** @description Paid months after `renewDate`. */
      availableRenews: number;
      /**
       * @description Year, month, day on which the present month of the license ends
       * @example [
       *       2026,
       *       12,
       *       31
       *     ]
       */
      renewDate: number[];
      /** @description Days since the plan began. */
      daysFromActivation?: number;
      /** @description Days until the plan ends. */
      daysToExpiration?: number;
      /** @description Items in the box, in every status. */
      videosCount: number;
      /**
       * @description Used storage, in Gb with a decimal comma.
       * @example 1,25
       */
      storage: string;
      /**
       * @description Data sent this month, in Gb with a decimal comma.
       * @example 1,25
       */
      band: string;
      /**
       * @description Used storage, in percent of its limit.
       * @example 1,25
       */
      storagePercent: string;
      /**
       * @description Used band, in percent of its limit.
       * @example 1,25
       */
      bandPercent: string;
      /** @description Account that receives payments. */
      paypalEmail?: string;
      /** @description VAT number. */
      vatNumber?: string;
      /** @description Tax code. */
      taxCode?: string;
      /** @description Billing address; `{}` when empty. */
      billingAddress?: components['schemas']['Address'];
      /** @description Password with which the user’s encoders log in. */
      livePassword?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Usage and limits, as numbers; not part of the protocol. */
      usage: components['schemas']['Usage'];
    };
    License: {
      /** @description Id of the plan. */
      id: number;
      /** @description The name. */
      name: string;
      /**
       * @description Of a month
       * @example 10,00
       */
      price: string;
      /** @description 0: without an end */
      dayDuration: number;
      /** @description Gb */
      storage: number;
      /** @description Gb a month */
      band: number;
      /** @description Gb of one file */
      maxVideoSize: number;
      /** @description 0: unlimited */
      maxUploadNumber: number;
      /** @description `COMMUNITY`, `EMAIL` or `PHONE`. */
      support: string;
      /** @description Hours that encoders may publish in a calendar month (UTC); 0: unlimited */
      streamingAmount: number;
    };
    LicensePage: {
      /** @description The items, in their order. */
      items: components['schemas']['License'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    LicensePaymentStart: {
      /** @description What is played or bought. */
      resource: components['schemas']['License'];
      /** @description The page of the payment provider. */
      url: string;
      /** @description Repeated in the response. */
      mobile: boolean;
      /** @description Repeated in the response. */
      embedded: boolean;
      /**
       * Format: uuid
       * @description Id of the payment, which proves it.
       */
      trackingId: string;
    };
    MarketplaceLicense: {
      /**
       * Format: uuid
       * @description Id of the acquired license.
       */
      licenseId: string;
      /**
       * Format: uuid
       * @description Id of the offer.
       */
      marketplaceId: string;
      /** @description User code of the seller. */
      issuerCode: string;
      /**
       * @description The license type.
       * @enum {string}
       */
      licenseType: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
      /**
       * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
       * @enum {string}
       */
      ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
      /**
       * @description Price of acquiring the item, at least `MINIMUM_PRICE_CENTS` of the deployment; with `SPOT_PRICE`.
       * @example 12,50
       */
      activationPrice?: string;
      /**
       * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
       * @example 12,50
       */
      pricePerView?: string;
      /**
       * @description The seller’s part of each paid view, in percent with up to two decimals; with `REVENUE_SHARING`.
       * @example 12.5
       */
      earningPercentage?: number;
      /** @description How long the license is valid, in `durationUnit`; without: without end. */
      duration?: number;
      /**
       * @description Unit of `duration`.
       * @enum {string}
       */
      durationUnit?: 'DAYS' | 'MONTHS' | 'YEARS';
      /** @description Whether the acquirer may download the source file. */
      download: boolean;
    };
    BoxItem: {
      /**
       * Format: uuid
       * @description Id of the box item.
       */
      boxId: string;
      /**
       * @description Id of the content: `urn:<namespace>:content:<uuid>`.
       * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
       */
      contentId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * Format: uuid
       * @description The UUID of the content.
       */
      resourceId: string;
      /**
       * @description Length as `minutes:seconds`, after the file was read.
       * @example 3:07
       */
      duration?: string;
      /**
       * @description Where the item comes from.
       * @enum {string}
       */
      source: 'UPLOAD' | 'MARKET_PLACE' | 'LIVE';
      /**
       * @description The date on which it was created, published or begun.
       * @example 31/12/2026
       */
      valueDate: string;
      /**
       * @description The date on which the acquired license ends.
       * @example 31/12/2026
       */
      expirationDate?: string;
      /**
       * @description Whether it can be played.
       * @enum {string}
       */
      status: 'PENDING' | 'READY' | 'FAILED';
      /** @description With `READY`: the sizes in which it plays now, smallest first. A size is left out if a larger one needs no more bits than the smallest of the ladder. */
      renditions?: {
        /** @description Pixels. */
        width: number;
        /** @description Pixels. */
        height: number;
      }[];
      /** @description With `READY`, while further renditions are made or all are made again: how far they are, 0 to 99 percent. */
      preparing?: number;
      /** @description With `FAILED`: the reason. With `READY`: why further renditions could not be made or the item not be processed again, how many seconds at the end of a damaged or incomplete file are missing, which of its audio tracks do not play, which of its subtitles became no captions, and why, and how many of their cues, or of the chapters of the file, were left out. In the language of the request. */
      message?: string;
      /** @description VOD items published from this box item. */
      vodCount: number;
      /** @description Of an acquired item: its license, with the conditions of the acquisition. */
      marketplaceLicense?: components['schemas']['MarketplaceLicense'];
    };
    UploadProgress: {
      /** @description Percent that has arrived. */
      value: number;
    };
    UploadProgressPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['UploadProgress'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    BoxItemPage: {
      /** @description The items, in their order. */
      items: components['schemas']['BoxItem'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    BoxItemPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['BoxItem'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    Chapters: {
      /** @description In the order of their times. */
      chapters: {
        /** @description When it begins, in seconds. */
        startSeconds: number;
        /** @description The title. */
        title: string;
      }[];
    };
    AudioTracks: {
      /** @description Those that are offered, the default one first; then the others. Empty before the file was read. */
      tracks: {
        /** @description Its place among the audio streams of the uploaded file, from 0. */
        trackId: number;
        /** @description Language tag (BCP 47), such as `en` or `pt-BR`; `und` if it is not known. */
        language: string;
        /** @description What players list it as. */
        label: string;
        /** @description Of the uploaded file. */
        channels: number;
        /** @description False: its owner has removed it. */
        isOffered: boolean;
      }[];
    };
    Caption: {
      /**
       * Format: uuid
       * @description Id of the captions.
       */
      captionId: string;
      /** @description Language tag (BCP 47), such as `en` or `pt-BR`; `und` if it is not known. */
      language: string;
      /** @description What players list it as. */
      label: string;
      /**
       * @description `captions` also say which sounds there are.
       * @enum {string}
       */
      kind: 'captions' | 'subtitles';
      /** @description The captions translate only passages that are not in the language of the audio. Players show them automatically. */
      forced: boolean;
      /** @description Players show them to who has not chosen. Of one content, those that were set last. */
      default: boolean;
      /** @description Made by a program that listens. */
      automatic: boolean;
      /** @description So many captions of the file were left out: they end before they begin, or cannot be shown. */
      leftOutCues: number;
    };
    CaptionList: {
      /** @description The items, in their order. */
      items: components['schemas']['Caption'][];
      /** @description Number of all results. */
      totalCount: number;
    };
    Bundle: {
      /**
       * Format: uuid
       * @description Id of the bundle.
       */
      bundleId: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description Price of one subscription period, at least `MINIMUM_PRICE_CENTS` of the deployment.
       * @example 12,50
       */
      price: string;
      /** @description Length of one subscription period, in `durationUnit`. */
      duration: number;
      /**
       * @description Unit of `duration`.
       * @enum {string}
       */
      durationUnit: 'DAYS' | 'MONTHS' | 'YEARS';
      /** @description For the owner all items, for everybody those that can be played. */
      itemCount: number;
    };
    VodItem: {
      /**
       * Format: uuid
       * @description Id of the VOD item.
       */
      vodId: string;
      /**
       * Format: uuid
       * @description Id of the box item.
       */
      boxId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /**
       * @description Id of the content: `urn:<namespace>:content:<uuid>`.
       * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
       */
      contentId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * Format: uuid
       * @description The UUID of the content.
       */
      resourceId: string;
      /**
       * @description Length as `minutes:seconds`; minutes may be greater than 59.
       * @example 3:07
       */
      duration: string;
      /**
       * @description The license type.
       * @enum {string}
       */
      licenseType: 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';
      /**
       * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
       * @enum {string}
       */
      ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
      /**
       * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
       * @example 12,50
       */
      pricePerView?: string;
      /** @description The bundle; of a VOD item with `CONTENT_BUNDLE`. */
      bundle?: components['schemas']['Bundle'];
      /**
       * @description The date on which it was created, published or begun.
       * @example 31/12/2026
       */
      valueDate: string;
      /**
       * @description The date on which it ends.
       * @example 31/12/2026
       */
      expirationDate?: string;
      /** @description False: unlisted. The public search leaves it out; everybody who has the id can use it. */
      public: boolean;
    };
    PublicBundle: {
      /**
       * Format: uuid
       * @description Id of the bundle.
       */
      bundleId: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description Price of one subscription period, at least `MINIMUM_PRICE_CENTS` of the deployment.
       * @example 12,50
       */
      price: string;
      /** @description Length of one subscription period, in `durationUnit`. */
      duration: number;
      /**
       * @description Unit of `duration`.
       * @enum {string}
       */
      durationUnit: 'DAYS' | 'MONTHS' | 'YEARS';
      /** @description For the owner all items, for everybody those that can be played. */
      itemCount: number;
      /** @description The user who publishes it. */
      publisher: components['schemas']['Publisher'];
    };
    PublicVodItem: {
      /**
       * Format: uuid
       * @description Id of the VOD item.
       */
      vodId: string;
      /**
       * Format: uuid
       * @description Id of the box item.
       */
      boxId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /**
       * @description Id of the content: `urn:<namespace>:content:<uuid>`.
       * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
       */
      contentId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * Format: uuid
       * @description The UUID of the content.
       */
      resourceId: string;
      /**
       * @description Length as `minutes:seconds`; minutes may be greater than 59.
       * @example 3:07
       */
      duration: string;
      /**
       * @description The license type.
       * @enum {string}
       */
      licenseType: 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';
      /**
       * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
       * @enum {string}
       */
      ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
      /**
       * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
       * @example 12,50
       */
      pricePerView?: string;
      /** @description The bundle; of a VOD item with `CONTENT_BUNDLE`. */
      bundle?: components['schemas']['PublicBundle'];
      /** @description The user who publishes it. */
      publisher: components['schemas']['Publisher'];
    };
    VodItemPage: {
      /** @description The items, in their order. */
      items: components['schemas']['VodItem'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicVodItemPage: {
      /** @description The items, in their order. */
      items: components['schemas']['PublicVodItem'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicVodItemPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicVodItem'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    PublicVodItemPaymentStart: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicVodItem'];
      /** @description The page of the payment provider. */
      url: string;
      /** @description Repeated in the response. */
      mobile: boolean;
      /** @description Repeated in the response. */
      embedded: boolean;
      /**
       * Format: uuid
       * @description Id of the payment, which proves it.
       */
      trackingId: string;
    };
    BundlePage: {
      /** @description The items, in their order. */
      items: components['schemas']['Bundle'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicBundlePage: {
      /** @description The items, in their order. */
      items: components['schemas']['PublicBundle'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    BundleItem: {
      /**
       * Format: uuid
       * @description Id of the item in the bundle; equal to `vodId`.
       */
      itemCode: string;
      /**
       * Format: uuid
       * @description Id of the VOD item.
       */
      vodId: string;
      /**
       * Format: uuid
       * @description Id of the box item.
       */
      boxId: string;
      /**
       * @description Id of the content: `urn:<namespace>:content:<uuid>`.
       * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
       */
      contentId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * Format: uuid
       * @description The UUID of the content.
       */
      resourceId: string;
      /**
       * @description Length as `minutes:seconds`; minutes may be greater than 59.
       * @example 3:07
       */
      duration: string;
    };
    OrderedBundle: {
      /** @description The bundle; of a VOD item with `CONTENT_BUNDLE`. */
      bundle: components['schemas']['Bundle'];
      /** @description The items, in their order. */
      items: components['schemas']['BundleItem'][];
    };
    PublicOrderedBundle: {
      /** @description The bundle; of a VOD item with `CONTENT_BUNDLE`. */
      bundle: components['schemas']['PublicBundle'];
      /** @description The items, in their order. */
      items: components['schemas']['BundleItem'][];
    };
    PublicBundlePaymentStart: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicBundle'];
      /** @description The page of the payment provider. */
      url: string;
      /** @description Repeated in the response. */
      mobile: boolean;
      /** @description Repeated in the response. */
      embedded: boolean;
      /**
       * Format: uuid
       * @description Id of the payment, which proves it.
       */
      trackingId: string;
    };
    BundleSubscription: {
      /**
       * Format: uuid
       * @description Id of the subscription; stays the same when it is extended.
       */
      subscriptionId: string;
      /** @description The bundle; of a VOD item with `CONTENT_BUNDLE`. */
      bundle: components['schemas']['PublicBundle'];
      /**
       * @description The date on which it was created, published or begun.
       * @example 31/12/2026
       */
      valueDate: string;
      /**
       * @description The date on which it ends.
       * @example 31/12/2026
       */
      expirationDate: string;
    };
    BundleSubscriptionPage: {
      /** @description The items, in their order. */
      items: components['schemas']['BundleSubscription'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    MarketplaceItem: {
      /**
       * Format: uuid
       * @description Id of the offer.
       */
      marketplaceId: string;
      /**
       * Format: uuid
       * @description Id of the box item.
       */
      boxId: string;
      /**
       * @description Id of the content: `urn:<namespace>:content:<uuid>`.
       * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
       */
      contentId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * Format: uuid
       * @description The UUID of the content.
       */
      resourceId: string;
      /**
       * @description Length as `minutes:seconds`; minutes may be greater than 59.
       * @example 3:07
       */
      duration: string;
      /** @description The license type, and what belongs to it. */
      conditions: {
        /**
         * @description The license type.
         * @enum {string}
         */
        licenseType: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
        /**
         * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
         * @enum {string}
         */
        ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
        /**
         * @description Price of acquiring the item, at least `MINIMUM_PRICE_CENTS` of the deployment; with `SPOT_PRICE`.
         * @example 12,50
         */
        activationPrice?: string;
        /**
         * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
         * @example 12,50
         */
        pricePerView?: string;
        /**
         * @description The seller’s part of each paid view, in percent with up to two decimals; with `REVENUE_SHARING`.
         * @example 12.5
         */
        earningPercentage?: number;
        /** @description How long the license is valid, in `durationUnit`; without: without end. */
        duration?: number;
        /**
         * @description Unit of `duration`.
         * @enum {string}
         */
        durationUnit?: 'DAYS' | 'MONTHS' | 'YEARS';
        /** @description Whether the acquirer may download the source file. */
        download: boolean;
      };
    };
    PublicMarketplaceItem: {
      /**
       * Format: uuid
       * @description Id of the offer.
       */
      marketplaceId: string;
      /**
       * Format: uuid
       * @description Id of the box item.
       */
      boxId: string;
      /**
       * @description Id of the content: `urn:<namespace>:content:<uuid>`.
       * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
       */
      contentId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * Format: uuid
       * @description The UUID of the content.
       */
      resourceId: string;
      /**
       * @description Length as `minutes:seconds`; minutes may be greater than 59.
       * @example 3:07
       */
      duration: string;
      /** @description The license type, and what belongs to it. */
      conditions: {
        /**
         * @description The license type.
         * @enum {string}
         */
        licenseType: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
        /**
         * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
         * @enum {string}
         */
        ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
        /**
         * @description Price of acquiring the item, at least `MINIMUM_PRICE_CENTS` of the deployment; with `SPOT_PRICE`.
         * @example 12,50
         */
        activationPrice?: string;
        /**
         * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
         * @example 12,50
         */
        pricePerView?: string;
        /**
         * @description The seller’s part of each paid view, in percent with up to two decimals; with `REVENUE_SHARING`.
         * @example 12.5
         */
        earningPercentage?: number;
        /** @description How long the license is valid, in `durationUnit`; without: without end. */
        duration?: number;
        /**
         * @description Unit of `duration`.
         * @enum {string}
         */
        durationUnit?: 'DAYS' | 'MONTHS' | 'YEARS';
        /** @description Whether the acquirer may download the source file. */
        download: boolean;
      };
      /** @description The user who offers it. */
      seller: components['schemas']['Publisher'];
    };
    MarketplaceItemPage: {
      /** @description The items, in their order. */
      items: components['schemas']['MarketplaceItem'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicMarketplaceItemPage: {
      /** @description The items, in their order. */
      items: components['schemas']['PublicMarketplaceItem'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicMarketplaceItemPaymentStart: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicMarketplaceItem'];
      /** @description The page of the payment provider. */
      url: string;
      /** @description Repeated in the response. */
      mobile: boolean;
      /** @description Repeated in the response. */
      embedded: boolean;
      /**
       * Format: uuid
       * @description Id of the payment, which proves it.
       */
      trackingId: string;
    };
    PublicMarketplaceItemPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicMarketplaceItem'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    Earned: {
      /** @description What was sold. */
      itemKind: string;
      /** @description Id of the item. */
      itemId: string;
      /** @description The title. */
      title: string;
      /** @description The sale of a live event that is over and was never on air. In CSV the last column, `true` or empty. */
      neverOnAir?: boolean;
      /**
       * @description Negative when more was reversed than earned.
       * @example 12,50
       */
      amount: string;
      /** @description Three letters. */
      currency: string;
      /**
       * @description Money earned, or given back.
       * @enum {string}
       */
      kind: 'SALE' | 'REVERSAL';
      /** @description When it was posted. */
      postedDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
    };
    Earnings: {
      /** @description The items, in their order. */
      items: components['schemas']['Earned'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
      /** @description What has been earned, by currency. */
      balances: {
        /**
         * @description Negative when more was reversed than earned.
         * @example 12,50
         */
        amount: string;
        /** @description Three letters. */
        currency: string;
        /** @description Number of sales and reversals. */
        count: number;
      }[];
      /** @description Sums. */
      totals: {
        /** @description By item. */
        byItem: {
          /** @description What was sold. */
          itemKind: string;
          /** @description Id of the item. */
          itemId: string;
          /** @description The title. */
          title: string;
          /** @description The sale of a live event that is over and was never on air. In CSV the last column, `true` or empty. */
          neverOnAir?: boolean;
          /**
           * @description Negative when more was reversed than earned.
           * @example 12,50
           */
          amount: string;
          /** @description Three letters. */
          currency: string;
          /** @description Number of sales and reversals. */
          count: number;
        }[];
        /** @description By month. */
        byMonth: {
          /**
           * @description MM/yyyy.
           * @example 12/2026
           */
          month: string;
          /**
           * @description Negative when more was reversed than earned.
           * @example 12,50
           */
          amount: string;
          /** @description Three letters. */
          currency: string;
          /** @description Number of sales and reversals. */
          count: number;
        }[];
      };
    };
    RefusedEncoder: {
      /**
       * @description A word for programs.
       * @enum {string}
       */
      reason:
        | 'WRONG_LOGIN'
        | 'NO_LIVE_PASSWORD'
        | 'USER_DISABLED'
        | 'STREAMING_HOURS_USED_UP'
        | 'CAST_CHANNEL_PATH'
        | 'ALREADY_PUBLISHED'
        | 'UNSUPPORTED_CODEC'
        | 'SERVER_FULL';
      /** @description The reason, in the language of the request; with `UNSUPPORTED_CODEC` the codec. */
      message: string;
      /** @description When it was refused. */
      date: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description IP address of the encoder. */
      address?: string;
    };
    LiveChannel: {
      /**
       * Format: uuid
       * @description Id of the channel.
       */
      channelId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description RTMP address, to which an encoder appends `/` and `streamPath`.
       * @example rtmp://live.example.org:1935/live
       */
      streamingBaseUrl: string;
      /** @description Path to which an encoder publishes; unique, with case. */
      streamPath: string;
      /** @description Where the item is read alone: the last encoder that was refused, until one publishes. */
      refusedEncoder?: components['schemas']['RefusedEncoder'];
      /** @description False: unlisted. The public search leaves it out; everybody who has the id can use it. */
      public: boolean;
    };
    PublicLiveChannel: {
      /**
       * Format: uuid
       * @description Id of the channel.
       */
      channelId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /** @description The user who publishes it. */
      publisher: components['schemas']['Publisher'];
    };
    LiveChannelPage: {
      /** @description The items, in their order. */
      items: components['schemas']['LiveChannel'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicLiveChannelPage: {
      /** @description The items, in their order. */
      items: components['schemas']['PublicLiveChannel'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    LiveEvent: {
      /**
       * Format: uuid
       * @description Id of the live event.
       */
      eventId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description Whether watching is paid.
       * @enum {string}
       */
      paymentMode: 'FREE' | 'PAY_PER_VIEW';
      /**
       * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
       * @example 12,50
       */
      pricePerView?: string;
      /** @description Start of the event. */
      eventDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description End. */
      endDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description Now is inside the times of the event, and an encoder publishes. */
      onAir: boolean;
      /** @description The channel. */
      channel: components['schemas']['LiveChannel'];
      /** @description False: the public search leaves the event out. */
      publicEvent: boolean;
      /** @description A recording of the event comes into the publisher’s box. */
      recordEvent: boolean;
    };
    PublicLiveEvent: {
      /**
       * Format: uuid
       * @description Id of the live event.
       */
      eventId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description Whether watching is paid.
       * @enum {string}
       */
      paymentMode: 'FREE' | 'PAY_PER_VIEW';
      /**
       * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
       * @example 12,50
       */
      pricePerView?: string;
      /** @description Start of the event. */
      eventDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description End. */
      endDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description Now is inside the times of the event, and an encoder publishes. */
      onAir: boolean;
      /** @description The channel. */
      channel: components['schemas']['PublicLiveChannel'];
    };
    FoundLiveEvent: {
      /**
       * Format: uuid
       * @description Id of the live event.
       */
      eventId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description Whether watching is paid.
       * @enum {string}
       */
      paymentMode: 'FREE' | 'PAY_PER_VIEW';
      /**
       * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
       * @example 12,50
       */
      pricePerView?: string;
      /** @description Start of the event. */
      eventDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description End. */
      endDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description Now is inside the times of the event, and an encoder publishes. */
      onAir: boolean;
      /** @description The channel. */
      channel: components['schemas']['LiveChannel'];
      /** @description False: the public search leaves the event out. */
      publicEvent: boolean;
      /** @description A recording of the event comes into the publisher’s box. */
      recordEvent: boolean;
      /** @description Address with which the owner plays the event. */
      myPlayHlsUrl: string;
      /** @description Until when that address is valid. */
      playUrlExpireDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
    };
    FoundLiveEventPage: {
      /** @description The items, in their order. */
      items: components['schemas']['FoundLiveEvent'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicLiveEventPage: {
      /** @description The items, in their order. */
      items: components['schemas']['PublicLiveEvent'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicLiveEventPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicLiveEvent'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    PublicLiveEventPaymentStart: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicLiveEvent'];
      /** @description The page of the payment provider. */
      url: string;
      /** @description Repeated in the response. */
      mobile: boolean;
      /** @description Repeated in the response. */
      embedded: boolean;
      /**
       * Format: uuid
       * @description Id of the payment, which proves it.
       */
      trackingId: string;
    };
    LiveChannelPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['LiveChannel'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    CastChannel: {
      /**
       * Format: uuid
       * @description Id of the channel.
       */
      channelId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /** @description True while a program, or a break, that is on air or is fixed has not ended. */
      locked: boolean;
      /**
       * @description RTMP address, to which an encoder appends `/` and `streamPath`.
       * @example rtmp://live.example.org:1935/live
       */
      streamingBaseUrl: string;
      /** @description Path to which an encoder publishes; unique, with case. */
      streamPath: string;
      /** @description Where the item is read alone: the last encoder that was refused, until one publishes. */
      refusedEncoder?: components['schemas']['RefusedEncoder'];
    };
    PublicCastChannel: {
      /**
       * Format: uuid
       * @description Id of the channel.
       */
      channelId: string;
      /**
       * @description Address of the player page, for a browser or a frame
       * @example https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11
       */
      embedUrl: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /** @description True while a program, or a break, that is on air or is fixed has not ended. */
      locked: boolean;
      /** @description The user who publishes it. */
      publisher: components['schemas']['Publisher'];
    };
    CastChannelPage: {
      /** @description The items, in their order. */
      items: components['schemas']['CastChannel'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicCastChannelPage: {
      /** @description The items, in their order. */
      items: components['schemas']['PublicCastChannel'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    PublicCastChannelPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['PublicCastChannel'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    CastChannelPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['CastChannel'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    CastStream: {
      /**
       * Format: uuid
       * @description Id of the cast stream.
       */
      streamId: string;
      /** @description The name. */
      name: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description RTMP address, to which an encoder appends `/` and `streamPath`.
       * @example rtmp://live.example.org:1935/live
       */
      streamingBaseUrl: string;
      /** @description Path to which an encoder publishes; unique, with case. */
      streamPath: string;
      /** @description Where the item is read alone: the last encoder that was refused, until one publishes. */
      refusedEncoder?: components['schemas']['RefusedEncoder'];
    };
    CastStreamPage: {
      /** @description The items, in their order. */
      items: components['schemas']['CastStream'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    CastStreamPlay: {
      /** @description What is played or bought. */
      resource: components['schemas']['CastStream'];
      /**
       * @description What came of it.
       * @enum {string}
       */
      result: 'PLAY' | 'PAYMENT_REQUIRED' | 'SUBSCRIPTION_REQUIRED' | 'BAND_LIMIT_EXCEEDED' | 'MESSAGE';
      /** @description With `MESSAGE`: why, in the language of the request. */
      message?: string;
      /** @description Addresses that play it, HLS first; empty where `result` is not `PLAY`. */
      srcs: {
        /** @description `application/x-mpegurl` for HLS. */
        mimeType: string;
        /** @description Address that stays the same for some time, so that caches work. */
        streamer: string;
        /** @description Address that is new in every response. */
        uniqueStreamer: string;
        /** @description Path of the playlist behind the grant; in an RTMP entry, which alone has it in `srcs`, the stream. */
        file?: string;
      }[];
      /** @description That of the first entry of `srcs`. */
      mimeType: string;
      /** @description Path of the playlist behind the grant. */
      file: string;
      /** @description That of the first entry of `srcs`. */
      streamer: string;
      /** @description That of the first entry of `srcs`. */
      uniqueStreamer: string;
      /** @description Address of a WebVTT track of pictures over the seek bar. */
      storyboard?: string;
      /** @description Address of a WebVTT track of chapters. */
      chapters?: string;
    };
    ProgramContent: {
      /**
       * Format: uuid
       * @description Id of the box item.
       */
      boxId: string;
      /**
       * @description Id of the content: `urn:<namespace>:content:<uuid>`.
       * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
       */
      contentId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * Format: uuid
       * @description The UUID of the content.
       */
      resourceId: string;
      /**
       * @description Length as `minutes:seconds`; minutes may be greater than 59.
       * @example 3:07
       */
      duration: string;
    };
    CastProgram: {
      /**
       * Format: uuid
       * @description Id of the program.
       */
      programId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /** @description Start. */
      startDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description End. */
      endDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /**
       * @description What is shown.
       * @enum {string}
       */
      itemType: 'LIVE' | 'PRERECORDED' | 'BREAK';
      /** @description The cast stream; with `LIVE`. */
      stream?: components['schemas']['CastStream'];
      /** @description The content of a program, with `PRERECORDED`; or the acquired box item, with `FULFILLED`. */
      boxContent?: components['schemas']['ProgramContent'];
      /** @description Seconds from the start of the content. */
      offset?: number;
      /** @description Why the slate is shown instead */
      message?: string;
    };
    DailyProgramming: {
      /** @description The channel. */
      channel: components['schemas']['CastChannel'];
      /**
       * @description The day, `dd/MM/yyyy`.
       * @example 31/12/2026
       */
      targetDate: string;
      /** @description When the first program may start */
      startDateMin: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description When the last program may end */
      endDateMax: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description The programs, in order of time. */
      programs: components['schemas']['CastProgram'][];
    };
    PublicDailyProgram: {
      /**
       * Format: uuid
       * @description Id of the program.
       */
      programId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /** @description Start. */
      startDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description End. */
      endDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /**
       * @description What is shown.
       * @enum {string}
       */
      itemType: 'LIVE' | 'PRERECORDED' | 'BREAK';
    };
    PublicDailyProgramming: {
      /** @description The channel. */
      channel: components['schemas']['PublicCastChannel'];
      /**
       * @description The day, `dd/MM/yyyy`.
       * @example 31/12/2026
       */
      targetDate: string;
      /** @description When the first program may start */
      startDateMin: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description When the last program may end */
      endDateMax: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description The programs, in order of time. */
      programs: components['schemas']['PublicDailyProgram'][];
    };
    CastCalendar: {
      /** @description The days, in order. */
      dailyProgrammings: {
        /**
         * @description The day, `dd/MM/yyyy`.
         * @example 31/12/2026
         */
        targetDate: string;
        /** @description The programs, in order of time. */
        programs: components['schemas']['CastProgram'][];
      }[];
    };
    PublicCastProgram: {
      /**
       * Format: uuid
       * @description Id of the program.
       */
      programId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /** @description Start. */
      startDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description End. */
      endDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /**
       * @description What is shown.
       * @enum {string}
       */
      itemType: 'LIVE' | 'PRERECORDED' | 'BREAK';
      /** @description The channel. */
      channel: components['schemas']['PublicCastChannel'];
    };
    PublicCastProgramPage: {
      /** @description The items, in their order. */
      items: components['schemas']['PublicCastProgram'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    GuideProgram: {
      /**
       * Format: uuid
       * @description Id of the program.
       */
      programId: string;
      /** @description The title. */
      title: string;
      /** @description A longer text about it; in a change empty to remove it. */
      description?: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /** @description Words under which it is found. */
      tags?: string[];
      /**
       * @description What is shown.
       * @enum {string}
       */
      itemType: 'LIVE' | 'PRERECORDED';
      /** @description Start. */
      startDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description End. */
      endDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /**
       * @description `startDate` in UTC
       * @example 2026-11-22T19:30:00.000Z
       */
      startsAt: string;
      /**
       * @description `endDate` in UTC
       * @example 2026-11-22T19:30:00.000Z
       */
      endsAt: string;
    };
    CastGuide: {
      /**
       * Format: uuid
       * @description Id of the channel.
       */
      channelId: string;
      /** @description The name. */
      name: string;
      /**
       * Format: uuid
       * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
       */
      thumbnailId?: string;
      /**
       * @description The time for which `now` is right, in UTC
       * @example 2026-11-22T19:30:00.000Z
       */
      serverTime: string;
      /** @description The program on air; absent in a break and where nothing is programmed. */
      now?: components['schemas']['GuideProgram'];
      /** @description The programs that follow. */
      next: components['schemas']['GuideProgram'][];
    };
    NewWebhook: {
      /**
       * Format: uuid
       * @description Id of the webhook.
       */
      webhookId: string;
      /** @description Where events are sent. */
      url: string;
      /** @description Types of events. */
      events: string[];
      /** @description False: nothing is sent, and no event is recorded for it. */
      enabled: boolean;
      /**
       * @description Why it is off: by its owner, by an answer 410, or because nothing was delivered for a week.
       * @enum {string}
       */
      disabledBy?: 'OWNER' | 'RECEIVER' | 'FAILURES';
      /** @description When it was created. */
      createdDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /**
       * @description `whsec_` and 32 bytes in Base64. Signs the requests, as Standard Webhooks has it. Shown only here.
       * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
       */
      secret: string;
    };
    Webhook: {
      /**
       * Format: uuid
       * @description Id of the webhook.
       */
      webhookId: string;
      /** @description Where events are sent. */
      url: string;
      /** @description Types of events. */
      events: string[];
      /** @description False: nothing is sent, and no event is recorded for it. */
      enabled: boolean;
      /**
       * @description Why it is off: by its owner, by an answer 410, or because nothing was delivered for a week.
       * @enum {string}
       */
      disabledBy?: 'OWNER' | 'RECEIVER' | 'FAILURES';
      /** @description When it was created. */
      createdDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
    };
    WebhookPage: {
      /** @description The items, in their order. */
      items: components['schemas']['Webhook'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    WebhookDelivery: {
      /**
       * Format: uuid
       * @description Id of the delivery: one event on its way to one webhook.
       */
      deliveryId: string;
      /**
       * Format: uuid
       * @description Id of the event: the header `webhook-id`.
       */
      eventId: string;
      /** @description The type of the event. */
      type: string;
      /**
       * @description `FAILED`: given up.
       * @enum {string}
       */
      status: 'WAITING' | 'DELIVERED' | 'FAILED';
      /** @description Attempts that have ended. */
      attempts: number;
      /** @description When it was recorded. */
      createdDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description When the last attempt ended. */
      attemptDate?: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description When the next attempt is due; with `WAITING`. */
      nextAttemptDate?: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description The HTTP status of the last attempt; left out without a response. */
      responseStatus?: number;
      /** @description Why the last attempt has failed. */
      failure?: string;
    };
    WebhookDeliveryPage: {
      /** @description The items, in their order. */
      items: components['schemas']['WebhookDelivery'][];
      /** @description As used; with `pagination: false` the number of items. */
      pageSize: number;
      /** @description The page, from 0. */
      pageIndex: number;
      /** @description Number of all results; of a search on PostgreSQL up to 10,000, which also stands for more. */
      totalCount: number;
      /** @description Number of pages. */
      pageCount: number;
    };
    WebhookDeliveryWithPayload: {
      /**
       * Format: uuid
       * @description Id of the delivery: one event on its way to one webhook.
       */
      deliveryId: string;
      /**
       * Format: uuid
       * @description Id of the event: the header `webhook-id`.
       */
      eventId: string;
      /** @description The type of the event. */
      type: string;
      /**
       * @description `FAILED`: given up.
       * @enum {string}
       */
      status: 'WAITING' | 'DELIVERED' | 'FAILED';
      /** @description Attempts that have ended. */
      attempts: number;
      /** @description When it was recorded. */
      createdDate: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description When the last attempt ended. */
      attemptDate?: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description When the next attempt is due; with `WAITING`. */
      nextAttemptDate?: {
        /**
         * @description `dd/MM/yyyy`, in the time zone of the request.
         * @example 31/12/2026
         */
        date: string;
        /**
         * @description `HH:mm:ss`, in the time zone of the request.
         * @example 20:30:00
         */
        time: string;
      };
      /** @description The HTTP status of the last attempt; left out without a response. */
      responseStatus?: number;
      /** @description Why the last attempt has failed. */
      failure?: string;
      /** @description The body of the request. */
      payload: Record<string, never>;
    };
    Payment: {
      /**
       * Format: uuid
       * @description Id of the payment, which proves it.
       */
      trackingId: string;
      /**
       * @description What was paid for.
       * @enum {string}
       */
      itemKind: 'license' | 'bundle' | 'vod' | 'marketplace' | 'liveEvent';
      /** @description Id of the item. */
      itemId: string;
      /** @description The title. */
      title: string;
      /**
       * @description What was paid.
       * @example 12,50
       */
      amount: string;
      /** @description Three letters. */
      currency: string;
      /**
       * @description The money was returned with `REVERSED`.
       * @enum {string}
       */
      status: 'FULFILLED' | 'REVERSED';
      /** @description The date on which it was paid. */
      fulfilledDate?: string;
    };
    LicenseState: {
      /**
       * @description The plan in force, or the one that has expired.
       * @example Free
       */
      licenseName: string;
      /** @description A paid plan has ended and no other follows. */
      licenseExpired: boolean;
      /** @description Paid months after `renewDate`. */
      availableRenews: number;
      /**
       * @description Year, month, day on which the present month of the license ends
       * @example [
       *       2026,
       *       12,
       *       31
       *     ]
       */
      renewDate: number[];
      /** @description Days since the plan began. */
      daysFromActivation?: number;
      /** @description Days until the plan ends. */
      daysToExpiration?: number;
    };
    OAuthError: {
      /**
       * @description A stable name for the kind of error.
       * @example invalid_token
       */
      error: string;
      /** @description A fixed sentence of the protocol, in English. */
      error_description: string;
      /** @description Which token the path needs, and where to get it, in the language of Accept-Language. With `unauthorized` and `access_denied`. */
      message?: string;
    };
    BadClient: {
      /** @description ISO 8601. */
      timestamp: string;
      /** @description The HTTP status. */
      status: number;
      /** @description Reason phrase of the status. */
      error: string;
      /** @description The path of the request, without its query. */
      path: string;
      /** @description A sentence for people. */
      message: string;
    };
    ServiceError: {
      /** @description Milliseconds since 1970. */
      timestamp: number;
      /** @description The HTTP status. */
      status: number;
      /** @description Reason phrase of the status. */
      error: string;
      /** @description The path of the request, without its query. */
      path: string;
      /**
       * @description A stable name for the kind of error.
       * @example NotFoundException
       */
      exception: string;
      /** @description In the language of Accept-Language. */
      message: string;
      /** @description What was permitted. Only where a limit was exceeded. */
      limit?: {
        /** @description The limit. */
        maximum: number;
        /** @description Of what: `bytes`, `requests`, `uploads`, `minutes` or `chunks`. */
        unit: string;
        /** @description The time in which so many are permitted; left out of others. */
        seconds?: number;
      };
      /** @description Every rejected member. Only with ValidationException. */
      errors?: {
        /**
         * @description Path of the member.
         * @example programs[3].endDate
         */
        field: string;
        /** @description A stable name for the reason. */
        code: string;
        /** @description The reason, in the language of Accept-Language. */
        defaultMessage: string;
        /** @description What was sent, where it is short and no secret. */
        rejectedValue?: unknown;
      }[];
    };
  };
  responses: {
    /** @description The request is not valid, or cannot be read. */
    Invalid: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The grant is not valid, the user’s credentials are wrong, or the request cannot be read. */
    GrantRefused: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['OAuthError'] | components['schemas']['ServiceError'];
      };
    };
    /** @description The client’s credentials are wrong, or the refresh token is not valid. */
    ClientRefused: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['BadClient'] | components['schemas']['OAuthError'];
      };
    };
    /** @description The access token is missing, expired or not valid. `required_token` in `WWW-Authenticate`: `any` or `user`. */
    NoToken: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['OAuthError'];
      };
    };
    /** @description The credentials are missing or wrong. */
    WrongCredentials: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The payment is not completed. */
    PaymentRequired: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description A public token on a private path, or an action that the caller may not take. */
    Forbidden: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['OAuthError'] | components['schemas']['ServiceError'];
      };
    };
    /** @description The item does not exist, or it is not the caller’s. */
    NotFound: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description Something still uses the item, a name is taken, or the state does not permit it. */
    Conflict: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The item has changed since it was read; or the version of tus is not 1.0.0. */
    Changed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The body has not arrived in time; the connection is closed. */
    TimedOut: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The body is too large. */
    TooLarge: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The body has a type or coding that is not read here. */
    WrongType: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description No byte of the requested range exists. */
    NoSuchRange: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The body does not match its checksum. */
    WrongChecksum: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description Too many attempts. */
    TooMany: {
      headers: {
        /** @description Seconds. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description An unexpected error. */
    Failed: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description A part of a protocol that is not offered here. */
    NotOffered: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The service, or one that it needs, is not available. */
    Unavailable: {
      headers: {
        /** @description Seconds. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The storage of the service is full. */
    NoSpace: {
      headers: {
        /** @description Seconds. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
      };
    };
    /** @description The request is not valid, or cannot be read. */
    InvalidPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description The credentials are missing or wrong. */
    WrongCredentialsPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description A public token on a private path, or an action that the caller may not take. */
    ForbiddenPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['OAuthError'] | components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description The item does not exist, or it is not the caller’s. */
    NotFoundPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description The body has not arrived in time; the connection is closed. */
    TimedOutPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description Something still uses the item, a name is taken, or the state does not permit it. */
    ConflictPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description The body is too large. */
    TooLargePage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description The body has a type or coding that is not read here. */
    WrongTypePage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description No byte of the requested range exists. */
    NoSuchRangePage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description Too many attempts. */
    TooManyPage: {
      headers: {
        /** @description Seconds. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description An unexpected error. */
    FailedPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description A part of a protocol that is not offered here. */
    NotOfferedPage: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
    /** @description The service, or one that it needs, is not available. */
    UnavailablePage: {
      headers: {
        /** @description Seconds. */
        'Retry-After'?: number;
        [name: string]: unknown;
      };
      content: {
        'application/json;charset=UTF-8': components['schemas']['ServiceError'];
        'text/html': string;
      };
    };
  };
  parameters: {
    /** @description Language of messages. */
    Language: string;
    /** @description The `ETag` of the day as it was read: where it has changed since, the answer is 412. */
    IfMatch: string;
    /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
    TimeZone: string;
    /** @description The id under which the progress of the upload can be read while it runs. The client chooses it. */
    ProgressId: string;
  };
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  createToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "grant_type": "client_credentials"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /**
           * @description What the token is given for.
           * @enum {string}
           */
          grant_type: 'client_credentials' | 'password' | 'refresh_token';
          /** @description The user code; with `password`. */
          username?: string;
          /** @description The password of the user; with `password`. */
          password?: string;
          /** @description That of the latest response; with `refresh_token`. */
          refresh_token?: string;
          /** @description Where the header has no credentials; beside a header, the same. */
          client_id?: string;
          /** @description With `client_id`, instead of the header. */
          client_secret?: string;
        } & (unknown & unknown);
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['TokenResponse'];
        };
      };
      400: components['responses']['GrantRefused'];
      401: components['responses']['ClientRefused'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  registerUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "userCode": "ada.lovelace",
         *       "password": "the river 1",
         *       "passwordConfirm": "the river 1",
         *       "firstName": "Ada",
         *       "lastName": "Lovelace",
         *       "birthDate": "31/12/1990",
         *       "email": "ada@example.org",
         *       "language": "en",
         *       "conditionsAccepted": true
         *     }
         */
        'application/json': {
          /**
           * @description User code, which is the login name; compared without case.
           * @example ada.lovelace
           */
          userCode: string;
          /** @description 8 to 256 characters. */
          password: string;
          /** @description Equal to `password` */
          passwordConfirm: string;
          /** @description First name, on one line. */
          firstName: string;
          /** @description Last name, on one line. */
          lastName: string;
          /**
           * @description dd/MM/yyyy or yyyy-MM-dd, at least 18 years ago and not before 1900.
           * @example 31/12/1990
           */
          birthDate: string;
          /**
           * Format: email
           * @description E-mail address.
           */
          email: string;
          /**
           * @description Language of mails.
           * @example en
           */
          language: string;
          /**
           * @description The user accepts the terms of use; must be true.
           * @enum {boolean}
           */
          conditionsAccepted: true;
          /**
           * @description Template of the link in the activation mail; every `${token}` is replaced. With it the account must be activated first
           * @example https://example.org/activate?token=${token}
           */
          activationUrl?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['User'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  activateUser: {
    parameters: {
      query: {
        /** @description The token of the mailed link. */
        token: string;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['User'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  renewPassword: {
    parameters: {
      query: {
        /** @description The token of the mailed link. */
        token: string;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['AskedForUser'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  requestPasswordRenewal: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "email": "ada@example.org",
         *       "confirmationUrl": "https://example.org/renew?token=${token}"
         *     }
         */
        'application/json': {
          /**
           * Format: email
           * @description E-mail address.
           */
          email?: string;
          /** @description In place of `email`: one of both is sent. */
          userCode?: string;
          /**
           * @description Template of the mailed link; every `${token}` is replaced
           * @example https://example.org/renew?token=${token}
           */
          confirmationUrl: string;
        } & (
          | {
              email: unknown;
            }
          | {
              userCode: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['AskedForUser'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchUsers: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['FoundUserPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublisher: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description User code, which is the login name; compared without case. */
        userCode: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Publisher'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['User'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "features": {
         *         "livePassword": "the river 1"
         *       }
         *     }
         */
        'application/json': {
          /** @description What describes the user. */
          profile?: {
            /** @description Language of mails. */
            language?: string;
            /**
             * Format: email
             * @description E-mail address.
             */
            email?: string;
            /** @description First name, on one line. */
            firstName?: string;
            /** @description Last name, on one line. */
            lastName?: string;
            /**
             * @description dd/MM/yyyy or yyyy-MM-dd, at least 18 years ago and not before 1900.
             * @example 31/12/1990
             */
            birthDate?: string;
            /**
             * Format: uuid
             * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
             */
            thumbnailId?: string;
            /** @description Title of the user’s public page. */
            pageTitle?: string;
            /** @description Text of the user’s public page. */
            pageDescription?: string;
            /** @description Address of the user’s page there. */
            facebookUrl?: string;
            /** @description Name of the user there. */
            twitterContact?: string;
            /** @description Address of the user’s page there. */
            linkedinUrl?: string;
          };
          /** @description What payments to the user need. */
          finance?: {
            /**
             * Format: email
             * @description Account that receives payments.
             */
            paypalEmail?: string;
            /** @description Company that the user acts for. */
            companyName?: string;
            /** @description VAT number. */
            vatNumber?: string;
            /** @description Tax code. */
            taxCode?: string;
            /** @description The user may act for the company. */
            companyConfirm?: boolean;
            /** @description Billing address; `{}` when empty. */
            billingAddress?: {
              /** @description State or province. */
              state?: string;
              /**
               * @description ISO 3166-1 alpha-2, or the name of the country in English, Italian, Spanish, French, Portuguese or German, whatever its case, accents and punctuation.
               * @example IT
               */
              country?: string;
              /** @description City. */
              city?: string;
              /** @description Street and number. */
              street?: string;
              /** @description Postal code. */
              zipCode?: string;
            };
          };
          /** @description Preferences. */
          features?: {
            /** @description Wants a mail when a content is ready or has failed. */
            transcoderNotifyEnabled?: boolean;
            /** @description False: none of the user’s VOD items is found by the public search. */
            vodPublic?: boolean;
            /** @description Empty: no password. Left out: unchanged */
            livePassword?: string;
          };
          /** @description With it a new e-mail takes effect at once; else when the link mailed to it was followed */
          currentPassword?: string;
        } & (
          | {
              profile: unknown;
            }
          | {
              finance: unknown;
            }
          | {
              features: unknown;
            }
          | {
              currentPassword: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['User'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getUserOverview: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['UserOverview'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  disableUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updatePassword: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "currentPassword": "an old river",
         *       "newPassword": "the river 1",
         *       "passwordConfirm": "the river 1"
         *     }
         */
        'application/json': {
          /** @description The password until now. */
          currentPassword: string;
          /** @description 8 to 256 characters. */
          newPassword: string;
          /** @description Equal to `newPassword` */
          passwordConfirm: string;
        };
      };
    };
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  listLicenses: {
    parameters: {
      query?: {
        /** @description Items of one page, 1 to 100; more is read as 100. */
        pageSize?: number;
        /** @description The page, from 0. */
        pageIndex?: number;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LicensePage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  subscribeToLicense: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Name of the plan, compared without case. */
        licenseName: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "returnUrl": "https://example.org/paid",
         *       "cancelUrl": "https://example.org/paid"
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description Where the buyer’s browser goes after the payment.
           * @example https://example.org/paid
           */
          returnUrl: string;
          /**
           * Format: uri
           * @description Where the browser goes when the buyer does not pay.
           * @example https://example.org/paid
           */
          cancelUrl: string;
          /**
           * @description Repeated in the response.
           * @default false
           */
          mobile?: boolean;
          /**
           * @description Repeated in the response.
           * @default false
           */
          embedded?: boolean;
          /**
           * @description Months that are paid at once; 3, 6 and 12 cost 10, 20 and 30 percent less.
           * @default 1
           * @enum {integer}
           */
          advanceMonthlyPayments?: 1 | 3 | 6 | 12;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LicensePaymentStart'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  activateLicense: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Name of the plan, compared without case. */
        licenseName: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "trackingId": "8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11"
         *     }
         */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['UserOverview'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  downgradeLicense: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['UserOverview'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  importBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The id under which the progress of the upload can be read while it runs. The client chooses it. */
        'X-Service-progressbarId'?: components['parameters']['ProgressId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.org/film.mp4",
         *       "title": "The river"
         *     }
         */
        'application/json': {
          /**
           * @description Of one video or audio file: `http` or `https`, without credentials, as browsers accept it.
           * @example https://example.org/film.mp4
           */
          url: string;
          /** @description The title. */
          title: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /** @description A UUID or content id that becomes the content id, or any other text. */
          contentIdentifier?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BoxItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createResumableUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The id under which the progress of the upload can be read while it runs. The client chooses it. */
        'X-Service-progressbarId'?: components['parameters']['ProgressId'];
        /** @description The version of the protocol: 1.0.0. */
        'Tus-Resumable'?: string;
        /** @description Bytes of the whole file. */
        'Upload-Length'?: string;
        /** @description 1: the bytes of the whole file are not known yet. */
        'Upload-Defer-Length'?: string;
        /** @description Pairs of a key and a value in Base64, with a comma between them. */
        'Upload-Metadata'?: string;
        /** @description Algorithm and digest of the body in Base64: `sha256 47DEQpj8HBSa+...`. Optional. */
        'Upload-Checksum'?: string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/offset+octet-stream': Blob;
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          /** @description The version of the protocol: 1.0.0. */
          'Tus-Resumable'?: string;
          /** @description The address of the upload. */
          Location?: string;
          /** @description Bytes that have arrived: where the client goes on. */
          'Upload-Offset'?: string;
          /** @description An upload that nobody continues is removed then. */
          'Upload-Expires'?: string;
          /** @description The box item. Only where the upload is whole. */
          'Box-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      460: components['responses']['WrongChecksum'];
      500: components['responses']['Failed'];
      501: components['responses']['NotOffered'];
      503: components['responses']['Unavailable'];
      507: components['responses']['NoSpace'];
    };
  };
  terminateResumableUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The version of the protocol: 1.0.0. */
        'Tus-Resumable'?: string;
      };
      path: {
        /** @description Id of an upload that resumes: the end of its address. */
        uploadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          /** @description The version of the protocol: 1.0.0. */
          'Tus-Resumable'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getResumableUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The version of the protocol: 1.0.0. */
        'Tus-Resumable'?: string;
      };
      path: {
        /** @description Id of an upload that resumes: the end of its address. */
        uploadId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          /** @description The version of the protocol: 1.0.0. */
          'Tus-Resumable'?: string;
          /** @description Bytes that have arrived: where the client goes on. */
          'Upload-Offset'?: string;
          /** @description Bytes of the whole file. */
          'Upload-Length'?: string;
          /** @description 1: the bytes of the whole file are not known yet. */
          'Upload-Defer-Length'?: string;
          /** @description Pairs of a key and a value in Base64, with a comma between them. */
          'Upload-Metadata'?: string;
          /** @description An upload that nobody continues is removed then. */
          'Upload-Expires'?: string;
          /** @description The box item. Only where the upload is whole. */
          'Box-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      413: components['responses']['TooLarge'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  continueResumableUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The version of the protocol: 1.0.0. */
        'Tus-Resumable'?: string;
        /** @description Where the body begins in the file. */
        'Upload-Offset'?: string;
        /** @description Bytes of the whole file. */
        'Upload-Length'?: string;
        /** @description Algorithm and digest of the body in Base64: `sha256 47DEQpj8HBSa+...`. Optional. */
        'Upload-Checksum'?: string;
      };
      path: {
        /** @description Id of an upload that resumes: the end of its address. */
        uploadId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/offset+octet-stream': Blob;
      };
    };
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          /** @description The version of the protocol: 1.0.0. */
          'Tus-Resumable'?: string;
          /** @description Bytes that have arrived: where the client goes on. */
          'Upload-Offset'?: string;
          /** @description An upload that nobody continues is removed then. */
          'Upload-Expires'?: string;
          /** @description The box item. Only where the upload is whole. */
          'Box-Id'?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      460: components['responses']['WrongChecksum'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
      507: components['responses']['NoSpace'];
    };
  };
  getUploadProgress: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description The id that the header of the upload has named. */
        progressId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['UploadProgress'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playUpload: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description The id that the header of the upload has named. */
        progressId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['UploadProgressPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The id under which the progress of the upload can be read while it runs. The client chooses it. */
        'X-Service-progressbarId'?: components['parameters']['ProgressId'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The content: a video or audio file.
           */
          file: Blob;
          /** @description The title. */
          title: string;
          /** @description A UUID or content id that becomes the content id, or any other text. */
          contentIdentifier?: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /** @description A tag; may be repeated. */
          tag?: string[];
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BoxItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
      507: components['responses']['NoSpace'];
    };
  };
  getBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BoxItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "From the spring to the sea"
         *     }
         */
        'application/json': {
          /** @description The title. */
          title?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        } & (
          | {
              title: unknown;
            }
          | {
              description: unknown;
            }
          | {
              thumbnailId: unknown;
            }
          | {
              tags: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BoxItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchBoxItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /**
           * @description Only items of this source.
           * @enum {string}
           */
          source?: 'UPLOAD' | 'MARKET_PLACE' | 'LIVE';
          /**
           * Format: uuid
           * @description Leaves out the items of this bundle of the caller.
           */
          excludeBundleId?: string;
          /** @description Only with the source `MARKET_PLACE`. */
          conditions?: {
            /**
             * @description Only items that were acquired under it.
             * @enum {string}
             */
            licenseType?: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
          };
        } & unknown;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BoxItemPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BoxItemPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  reprocessBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BoxItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  watchBoxItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/event-stream': string;
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getChapters: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Chapters'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  setChapters: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "chapters": [
         *         {
         *           "startSeconds": 90.5,
         *           "title": "The river"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          /** @description All chapters; an empty list removes them. */
          chapters: {
            /**
             * @description When it begins, in seconds.
             * @example 90.5
             */
            startSeconds: number;
            /** @description The title. */
            title: string;
          }[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Chapters'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getAudioTracks: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['AudioTracks'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  setAudioTracks: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "tracks": [
         *         {
         *           "trackId": 0,
         *           "language": "pt-BR",
         *           "label": "text"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          /** @description The tracks that are offered, the default one first. The others are not offered any more. */
          tracks: {
            /**
             * @description Its place among the audio streams of the uploaded file, from 0.
             * @example 0
             */
            trackId: number;
            /**
             * @description Language, and where it matters script and country (BCP 47).
             * @example pt-BR
             */
            language: string;
            /** @description What players list it as. */
            label: string;
          }[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['AudioTracks'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createDownloadToken: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the content: `urn:<namespace>:content:<uuid>`. */
        contentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description For `GET /download/content/{contentId}`. */
            token: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  downloadContent: {
    parameters: {
      query?: {
        /** @description The download token. */
        token?: string;
      };
      header?: never;
      path: {
        /** @description Id of the content: `urn:<namespace>:content:<uuid>`. */
        contentId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/octet-stream': Blob;
        };
      };
      /** @description Partial Content */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/octet-stream': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      /** @description Precondition Failed */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      416: components['responses']['NoSuchRangePage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  listCaptions: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CaptionList'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createCaption: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The captions: WebVTT or SRT, in UTF-8.
           */
          file: Blob;
          /**
           * @description Language, and where it matters script and country (BCP 47).
           * @example pt-BR
           */
          language: string;
          /** @description What players list it as. By default the name of the language, in that language. */
          label?: string;
          /**
           * @description `captions` also say which sounds there are.
           * @enum {string}
           */
          kind?: 'captions' | 'subtitles';
          /** @description The captions translate only passages that are not in the language of the audio. Players show them automatically. */
          forced?: boolean;
          /** @description Players show them to who has not chosen. Of one content, those that were set last. */
          default?: boolean;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Caption'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
      507: components['responses']['NoSpace'];
    };
  };
  updateCaption: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
        /** @description Id of the captions. */
        captionId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Language, and where it matters script and country (BCP 47).
           * @example pt-BR
           */
          language?: string;
          /** @description What players list it as. By default the name of the language, in that language. */
          label?: string;
          /**
           * @description `captions` also say which sounds there are.
           * @enum {string}
           */
          kind?: 'captions' | 'subtitles';
          /** @description The captions translate only passages that are not in the language of the audio. Players show them automatically. */
          forced?: boolean;
          /** @description Players show them to who has not chosen. Of one content, those that were set last. */
          default?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Caption'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteCaption: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
        /** @description Id of the captions. */
        captionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCaptionFile: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
        /** @description Id of the captions. */
        captionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/vtt': string;
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createThumbnail: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The image.
           */
          thumbnail: Blob;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * Format: uuid
             * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
             */
            thumbnailId: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
      507: components['responses']['NoSpace'];
    };
  };
  getThumbnail: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it. */
        thumbnailId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/*': Blob;
        };
      };
      /** @description Partial Content */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/*': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      /** @description Precondition Failed */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      416: components['responses']['NoSuchRangePage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getScaledThumbnail: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it. */
        thumbnailId: string;
        /** @description Pixels. */
        width: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/*': Blob;
        };
      };
      /** @description Partial Content */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/*': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      /** @description Precondition Failed */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      416: components['responses']['NoSuchRangePage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  createVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "licenseType": "FREE"
         *     }
         */
        'application/json': {
          /**
           * @description The license type.
           * @example FREE
           * @enum {string}
           */
          licenseType: 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';
          /**
           * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
           * @enum {string}
           */
          ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
          /**
           * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
           * @example 12,50
           */
          pricePerView?: string;
          /**
           * Format: uuid
           * @description Id of the bundle.
           */
          bundleId?: string;
          /** @description False: unlisted. The public search leaves it out; everybody who has the id can use it. */
          public?: boolean;
        } & (unknown & unknown & unknown);
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['VodItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['VodItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "public": false
         *     }
         */
        'application/json': {
          /**
           * @description The license type.
           * @example FREE
           * @enum {string}
           */
          licenseType?: 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';
          /** @description False: unlisted. The public search leaves it out; everybody who has the id can use it. */
          public?: boolean;
          /**
           * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
           * @enum {string}
           */
          ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
          /**
           * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
           * @example 12,50
           */
          pricePerView?: string;
          /**
           * Format: uuid
           * @description Id of the bundle.
           */
          bundleId?: string;
        } & (
          | {
              licenseType: unknown;
            }
          | {
              ccType: unknown;
            }
          | {
              pricePerView: unknown;
            }
          | {
              bundleId: unknown;
            }
          | {
              public: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['VodItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicVodItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchVodItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only public items, or only those that are not. */
          public?: boolean;
          /** @description The license type, and what belongs to it. */
          conditions?: {
            /**
             * @description The license type.
             * @enum {string}
             */
            licenseType?: 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';
            /**
             * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
             * @enum {string}
             */
            ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
            /**
             * Format: uuid
             * @description Id of the bundle.
             */
            bundleId?: string;
          } & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['VodItemPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchPublicVodItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only of this user; compared without case. */
          userCode?: string;
          /** @description The license type, and what belongs to it. */
          conditions?: {
            /**
             * @description The license type.
             * @enum {string}
             */
            licenseType?: 'FREE' | 'CREATIVE_COMMONS' | 'PAY_PER_VIEW' | 'CONTENT_BUNDLE';
            /**
             * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
             * @enum {string}
             */
            ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
            /**
             * Format: uuid
             * @description Id of the bundle.
             */
            bundleId?: string;
          } & (unknown & unknown);
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicVodItemPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicVodItemPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playPublicVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicVodItemPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  previewVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicVodItemPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  payVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "returnUrl": "https://example.org/paid",
         *       "cancelUrl": "https://example.org/paid"
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description Where the buyer’s browser goes after the payment.
           * @example https://example.org/paid
           */
          returnUrl: string;
          /**
           * Format: uri
           * @description Where the browser goes when the buyer does not pay.
           * @example https://example.org/paid
           */
          cancelUrl: string;
          /** @description Ignored here: for license plans only. */
          advanceMonthlyPayments?: number;
          /**
           * @description Repeated in the response.
           * @default false
           */
          mobile?: boolean;
          /**
           * @description Repeated in the response.
           * @default false
           */
          embedded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicVodItemPaymentStart'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  payPublicVodItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the VOD item. */
        vodId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "returnUrl": "https://example.org/paid",
         *       "cancelUrl": "https://example.org/paid"
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description Where the buyer’s browser goes after the payment.
           * @example https://example.org/paid
           */
          returnUrl: string;
          /**
           * Format: uri
           * @description Where the browser goes when the buyer does not pay.
           * @example https://example.org/paid
           */
          cancelUrl: string;
          /** @description Ignored here: for license plans only. */
          advanceMonthlyPayments?: number;
          /**
           * @description Repeated in the response.
           * @default false
           */
          mobile?: boolean;
          /**
           * @description Repeated in the response.
           * @default false
           */
          embedded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicVodItemPaymentStart'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createBundle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Rivers",
         *       "price": "12,50",
         *       "durationUnit": "DAYS",
         *       "duration": 1
         *     }
         */
        'application/json': {
          /** @description The name. */
          name: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Price of one subscription period, at least `MINIMUM_PRICE_CENTS` of the deployment.
           * @example 12,50
           */
          price: string;
          /**
           * @description Unit of `duration`.
           * @enum {string}
           */
          durationUnit: 'DAYS' | 'MONTHS' | 'YEARS';
          /** @description Length of one subscription period, in `durationUnit`. */
          duration: number;
        } & (unknown & unknown & unknown);
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Bundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getBundle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Bundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateBundle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "From the spring to the sea"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Price of one subscription period, at least `MINIMUM_PRICE_CENTS` of the deployment.
           * @example 12,50
           */
          price?: string;
          /**
           * @description Unit of `duration`.
           * @enum {string}
           */
          durationUnit?: 'DAYS' | 'MONTHS' | 'YEARS';
          /** @description Length of one subscription period, in `durationUnit`. */
          duration?: number;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        } & ((
          | {
              name: unknown;
            }
          | {
              description: unknown;
            }
          | {
              thumbnailId: unknown;
            }
          | {
              tags: unknown;
            }
          | {
              price: unknown;
            }
          | {
              durationUnit: unknown;
            }
          | {
              duration: unknown;
            }
        ) &
          unknown &
          unknown &
          unknown);
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Bundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteBundle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicBundle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicBundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchBundles: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BundlePage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchPublicBundles: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only of this user; compared without case. */
          userCode?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicBundlePage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  listBundleItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['OrderedBundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  listPublicBundleItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicOrderedBundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  insertBundleItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "index": 0,
         *       "sourceItems": [
         *         {
         *           "boxId": "8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11"
         *         }
         *       ]
         *     }
         */
        'application/json': {
          /** @description The items come before the one at this position, from 0. */
          index: number;
          /** @description The box items, in order. */
          sourceItems: {
            /** @description Id of the box item. */
            boxId: string;
          }[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['OrderedBundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  moveBundleItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fromIndex": 0,
         *       "toIndex": 0
         *     }
         */
        'application/json': {
          /** @description Position of the item, from 0. */
          fromIndex: number;
          /** @description The item comes before the one at this position, from 0. */
          toIndex: number;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['OrderedBundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  removeBundleItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "index": 0,
         *       "count": 1
         *     }
         */
        'application/json': {
          /** @description Position of the first one, from 0. */
          index: number;
          /** @description How many. */
          count: number;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['OrderedBundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  subscribeToBundle: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "returnUrl": "https://example.org/paid",
         *       "cancelUrl": "https://example.org/paid"
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description Where the buyer’s browser goes after the payment.
           * @example https://example.org/paid
           */
          returnUrl: string;
          /**
           * Format: uri
           * @description Where the browser goes when the buyer does not pay.
           * @example https://example.org/paid
           */
          cancelUrl: string;
          /** @description Ignored here: for license plans only. */
          advanceMonthlyPayments?: number;
          /**
           * @description Repeated in the response.
           * @default false
           */
          mobile?: boolean;
          /**
           * @description Repeated in the response.
           * @default false
           */
          embedded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicBundlePaymentStart'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  activateBundleSubscription: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the bundle. */
        bundleId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "trackingId": "8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11"
         *     }
         */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicBundle'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchBundleSubscriptions: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /**
           * Format: uuid
           * @description Only of this bundle.
           */
          bundleId?: string;
          /**
           * @description Also subscriptions that have ended.
           * @default false
           */
          expiredIncluded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['BundleSubscriptionPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the box item. */
        boxId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "licenseType": "FREE"
         *     }
         */
        'application/json': {
          /**
           * @description The license type.
           * @example FREE
           * @enum {string}
           */
          licenseType: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
          /**
           * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
           * @enum {string}
           */
          ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
          /**
           * @description Price of acquiring the item, at least `MINIMUM_PRICE_CENTS` of the deployment; with `SPOT_PRICE`.
           * @example 12,50
           */
          activationPrice?: string;
          /**
           * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
           * @example 12,50
           */
          pricePerView?: string;
          /**
           * @description The seller’s part of each paid view, in percent with up to two decimals; with `REVENUE_SHARING`.
           * @example 12.5
           */
          earningPercentage?: number;
          /**
           * @description Unit of `duration`.
           * @enum {string}
           */
          durationUnit?: 'DAYS' | 'MONTHS' | 'YEARS';
          /** @description How long the license is valid, in `durationUnit`; without: without end. */
          duration?: number;
          /** @description Whether the acquirer may download the source file. */
          download?: boolean;
        } & (unknown & unknown & unknown & unknown & unknown & unknown & unknown);
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['MarketplaceItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the offer. */
        marketplaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['MarketplaceItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the offer. */
        marketplaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "download": true
         *     }
         */
        'application/json': {
          /**
           * @description The license type.
           * @example FREE
           * @enum {string}
           */
          licenseType?: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
          /**
           * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
           * @enum {string}
           */
          ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
          /**
           * @description Price of acquiring the item, at least `MINIMUM_PRICE_CENTS` of the deployment; with `SPOT_PRICE`.
           * @example 12,50
           */
          activationPrice?: string;
          /**
           * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
           * @example 12,50
           */
          pricePerView?: string;
          /**
           * @description The seller’s part of each paid view, in percent with up to two decimals; with `REVENUE_SHARING`.
           * @example 12.5
           */
          earningPercentage?: number;
          /**
           * @description Unit of `duration`.
           * @enum {string}
           */
          durationUnit?: 'DAYS' | 'MONTHS' | 'YEARS';
          /** @description How long the license is valid, in `durationUnit`; a body with `licenseType` and without it: without end. */
          duration?: number;
          /** @description Whether the acquirer may download the source file. */
          download?: boolean;
        } & ((
          | {
              licenseType: unknown;
            }
          | {
              ccType: unknown;
            }
          | {
              activationPrice: unknown;
            }
          | {
              pricePerView: unknown;
            }
          | {
              earningPercentage: unknown;
            }
          | {
              durationUnit: unknown;
            }
          | {
              duration: unknown;
            }
          | {
              download: unknown;
            }
        ) &
          unknown &
          unknown &
          unknown);
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['MarketplaceItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the offer. */
        marketplaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the offer. */
        marketplaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicMarketplaceItem'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchMarketplaceItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description The license type, and what belongs to it. */
          conditions?: {
            /**
             * @description The license type.
             * @enum {string}
             */
            licenseType?: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
            /**
             * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
             * @enum {string}
             */
            ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
            /** @description Whether the acquirer may download the source file. */
            download?: boolean;
          } & unknown;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['MarketplaceItemPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchPublicMarketplaceItems: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only of this user; compared without case. */
          userCode?: string;
          /** @description Not of this user; compared without case. */
          excludeUserCode?: string;
          /** @description The license type, and what belongs to it. */
          conditions?: {
            /**
             * @description The license type.
             * @enum {string}
             */
            licenseType?: 'FREE' | 'CREATIVE_COMMONS' | 'SPOT_PRICE' | 'PAY_PER_VIEW' | 'REVENUE_SHARING';
            /**
             * @description The kind of Creative Commons license; with `CREATIVE_COMMONS`.
             * @enum {string}
             */
            ccType?: 'BY' | 'BY_SA' | 'BY_ND' | 'BY_NC' | 'BY_NC_SA' | 'BY_NC_ND';
            /** @description Whether the acquirer may download the source file. */
            download?: boolean;
          } & unknown;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicMarketplaceItemPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  acquireMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the offer. */
        marketplaceId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * @description Whether it is acquired.
             * @enum {string}
             */
            result: 'FULFILLED' | 'PAYMENT_REQUIRED';
            /** @description The offer. */
            marketplaceContent: components['schemas']['PublicMarketplaceItem'];
            /** @description The content of a program, with `PRERECORDED`; or the acquired box item, with `FULFILLED`. */
            boxContent?: components['schemas']['BoxItem'];
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  payMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the offer. */
        marketplaceId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "returnUrl": "https://example.org/paid",
         *       "cancelUrl": "https://example.org/paid"
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description Where the buyer’s browser goes after the payment.
           * @example https://example.org/paid
           */
          returnUrl: string;
          /**
           * Format: uri
           * @description Where the browser goes when the buyer does not pay.
           * @example https://example.org/paid
           */
          cancelUrl: string;
          /** @description Ignored here: for license plans only. */
          advanceMonthlyPayments?: number;
          /**
           * @description Repeated in the response.
           * @default false
           */
          mobile?: boolean;
          /**
           * @description Repeated in the response.
           * @default false
           */
          embedded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicMarketplaceItemPaymentStart'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  previewMarketplaceItem: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the offer. */
        marketplaceId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicMarketplaceItemPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  listEarnings: {
    parameters: {
      query?: {
        /** @description Items of one page, 1 to 100; more is read as 100. */
        pageSize?: number;
        /** @description The page, from 0. */
        pageIndex?: number;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Earnings'];
          'text/csv': string;
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Rivers"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Unique. Left out: made from the name of a new item, unchanged for an existing one.
           * @example my.channel
           */
          streamPath?: string;
          /** @description False: unlisted. The public search leaves it out; everybody who has the id can use it. */
          public?: boolean;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "From the spring to the sea"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Unique. Left out: made from the name of a new item, unchanged for an existing one.
           * @example my.channel
           */
          streamPath?: string;
          /** @description False: unlisted. The public search leaves it out; everybody who has the id can use it. */
          public?: boolean;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        } & (
          | {
              name: unknown;
            }
          | {
              description: unknown;
            }
          | {
              thumbnailId: unknown;
            }
          | {
              tags: unknown;
            }
          | {
              streamPath: unknown;
            }
          | {
              public: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchLiveChannels: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only public channels, or only those that are not. */
          public?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveChannelPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchPublicLiveChannels: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only of this user; compared without case. */
          userCode?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveChannelPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  suggestLiveStreamPath: {
    parameters: {
      query?: {
        /** @description The name of the channel or stream */
        base?: string;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description Path to which an encoder publishes; unique, with case. */
            streamPath: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Rivers",
         *       "paymentMode": "FREE",
         *       "eventDate": {
         *         "date": "31/12/2026",
         *         "time": "20:30:00"
         *       },
         *       "endDate": {
         *         "date": "31/12/2026",
         *         "time": "20:30:00"
         *       }
         *     }
         */
        'application/json': {
          /** @description The name. */
          name: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Whether watching is paid.
           * @example FREE
           * @enum {string}
           */
          paymentMode: 'FREE' | 'PAY_PER_VIEW';
          /**
           * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
           * @example 12,50
           */
          pricePerView?: string;
          /** @description Start */
          eventDate:
            | {
                /**
                 * @description dd/MM/yyyy, from 2000 to 2999
                 * @example 31/12/2026
                 */
                date: string;
                /**
                 * @description HH:mm:ss
                 * @example 20:30:00
                 */
                time: string;
              }
            | string;
          /** @description After `eventDate`, by at most 24 hours */
          endDate:
            | {
                /**
                 * @description dd/MM/yyyy, from 2000 to 2999
                 * @example 31/12/2026
                 */
                date: string;
                /**
                 * @description HH:mm:ss
                 * @example 20:30:00
                 */
                time: string;
              }
            | string;
          /** @description False: the public search leaves the event out. */
          publicEvent?: boolean;
          /** @description A recording of the event comes into the publisher’s box. */
          recordEvent?: boolean;
        } & unknown;
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveEvent'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveEvent'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "From the spring to the sea"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Whether watching is paid.
           * @example FREE
           * @enum {string}
           */
          paymentMode?: 'FREE' | 'PAY_PER_VIEW';
          /** @description Start */
          eventDate?:
            | {
                /**
                 * @description dd/MM/yyyy, from 2000 to 2999
                 * @example 31/12/2026
                 */
                date: string;
                /**
                 * @description HH:mm:ss
                 * @example 20:30:00
                 */
                time: string;
              }
            | string;
          /** @description After `eventDate`, by at most 24 hours */
          endDate?:
            | {
                /**
                 * @description dd/MM/yyyy, from 2000 to 2999
                 * @example 31/12/2026
                 */
                date: string;
                /**
                 * @description HH:mm:ss
                 * @example 20:30:00
                 */
                time: string;
              }
            | string;
          /** @description False: the public search leaves the event out. */
          publicEvent?: boolean;
          /** @description A recording of the event comes into the publisher’s box. */
          recordEvent?: boolean;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
          /**
           * @description Price of one view, at least `MINIMUM_PRICE_CENTS` of the deployment; with `PAY_PER_VIEW`.
           * @example 12,50
           */
          pricePerView?: string;
        } & (
          | {
              name: unknown;
            }
          | {
              description: unknown;
            }
          | {
              thumbnailId: unknown;
            }
          | {
              tags: unknown;
            }
          | {
              paymentMode: unknown;
            }
          | {
              pricePerView: unknown;
            }
          | {
              eventDate: unknown;
            }
          | {
              endDate: unknown;
            }
          | {
              publicEvent: unknown;
            }
          | {
              recordEvent: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveEvent'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEvent'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchLiveEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /**
           * Format: uuid
           * @description Only events of this channel.
           */
          channelId?: string;
          /**
           * @description Also events that are over
           * @default false
           */
          pastIncluded?: boolean;
          /** @description The license type, and what belongs to it. */
          conditions?: {
            /**
             * @description Whether watching is paid.
             * @enum {string}
             */
            paymentMode?: 'FREE' | 'PAY_PER_VIEW';
            /**
             * @description Another name of `paymentMode`
             * @enum {string}
             */
            licenseType?: 'FREE' | 'PAY_PER_VIEW';
          };
          /** @description Only public events, or only those that are not. */
          public?: boolean;
          /** @description Another name of `public` */
          publicEvent?: boolean;
          /** @description Only events that are recorded, or only those that are not. */
          recorded?: boolean;
          /** @description Another name of `recorded` */
          recordEvent?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['FoundLiveEventPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchPublicLiveEvents: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /**
           * Format: uuid
           * @description Only events of this channel.
           */
          channelId?: string;
          /**
           * @description Also events that are over
           * @default false
           */
          pastIncluded?: boolean;
          /** @description The license type, and what belongs to it. */
          conditions?: {
            /**
             * @description Whether watching is paid.
             * @enum {string}
             */
            paymentMode?: 'FREE' | 'PAY_PER_VIEW';
            /**
             * @description Another name of `paymentMode`
             * @enum {string}
             */
            licenseType?: 'FREE' | 'PAY_PER_VIEW';
          };
          /** @description Only of this user; compared without case. */
          userCode?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEventPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEventPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEventPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  payLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "returnUrl": "https://example.org/paid",
         *       "cancelUrl": "https://example.org/paid"
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description Where the buyer’s browser goes after the payment.
           * @example https://example.org/paid
           */
          returnUrl: string;
          /**
           * Format: uri
           * @description Where the browser goes when the buyer does not pay.
           * @example https://example.org/paid
           */
          cancelUrl: string;
          /** @description Ignored here: for license plans only. */
          advanceMonthlyPayments?: number;
          /**
           * @description Repeated in the response.
           * @default false
           */
          mobile?: boolean;
          /**
           * @description Repeated in the response.
           * @default false
           */
          embedded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEventPaymentStart'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playPublicLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEventPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playPublicLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /** @description Id of the payment, which proves it. */
          trackingId?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEventPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  payPublicLiveEvent: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "returnUrl": "https://example.org/paid",
         *       "cancelUrl": "https://example.org/paid"
         *     }
         */
        'application/json': {
          /**
           * Format: uri
           * @description Where the buyer’s browser goes after the payment.
           * @example https://example.org/paid
           */
          returnUrl: string;
          /**
           * Format: uri
           * @description Where the browser goes when the buyer does not pay.
           * @example https://example.org/paid
           */
          cancelUrl: string;
          /** @description Ignored here: for license plans only. */
          advanceMonthlyPayments?: number;
          /**
           * @description Repeated in the response.
           * @default false
           */
          mobile?: boolean;
          /**
           * @description Repeated in the response.
           * @default false
           */
          embedded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicLiveEventPaymentStart'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getLiveChannelPlaylist: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found */
      302: {
        headers: {
          /** @description Where to go. */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getLiveEventPlaylist: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the live event. */
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found */
      302: {
        headers: {
          /** @description Where to go. */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      402: components['responses']['PaymentRequired'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  testLiveChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['LiveChannelPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Rivers"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Unique. Left out: made from the name of a new item, unchanged for an existing one.
           * @example my.channel
           */
          streamPath?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "From the spring to the sea"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Unique. Left out: made from the name of a new item, unchanged for an existing one.
           * @example my.channel
           */
          streamPath?: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        } & (
          | {
              name: unknown;
            }
          | {
              description: unknown;
            }
          | {
              thumbnailId: unknown;
            }
          | {
              tags: unknown;
            }
          | {
              streamPath: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicCastChannel'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchCastChannels: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastChannelPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchPublicCastChannels: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only of this user; compared without case. */
          userCode?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicCastChannelPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  suggestCastStreamPath: {
    parameters: {
      query?: {
        /** @description The name of the channel or stream */
        base?: string;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description Path to which an encoder publishes; unique, with case. */
            streamPath: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicCastChannelPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  playPublicCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicCastChannelPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  testCastChannel: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastChannelPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createCastStream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "name": "Rivers"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Unique. Left out: made from the name of a new item, unchanged for an existing one.
           * @example my.channel
           */
          streamPath?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastStream'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastStream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the cast stream. */
        streamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastStream'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateCastStream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the cast stream. */
        streamId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "From the spring to the sea"
         *     }
         */
        'application/json': {
          /** @description The name. */
          name?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /**
           * @description Unique. Left out: made from the name of a new item, unchanged for an existing one.
           * @example my.channel
           */
          streamPath?: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        } & (
          | {
              name: unknown;
            }
          | {
              description: unknown;
            }
          | {
              thumbnailId: unknown;
            }
          | {
              tags: unknown;
            }
          | {
              streamPath: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastStream'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteCastStream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the cast stream. */
        streamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchCastStreams: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastStreamPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  testCastStream: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the cast stream. */
        streamId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastStreamPlay'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getDailyProgramming: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['DailyProgramming'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  replaceDailyProgramming: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The `ETag` of the day as it was read: where it has changed since, the answer is 412. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "programs": [
         *         {
         *           "startDate": {
         *             "date": "31/12/2026",
         *             "time": "20:30:00"
         *           },
         *           "endDate": {
         *             "date": "31/12/2026",
         *             "time": "20:30:00"
         *           }
         *         }
         *       ]
         *     }
         */
        'application/json': {
          /** @description The programs, in order of time. */
          programs: {
            /**
             * Format: uuid
             * @description Of a program of this day, which the entry replaces
             */
            programId?: string;
            /** @description Start. */
            startDate:
              | {
                  /**
                   * @description dd/MM/yyyy, from 2000 to 2999
                   * @example 31/12/2026
                   */
                  date: string;
                  /**
                   * @description HH:mm:ss
                   * @example 20:30:00
                   */
                  time: string;
                }
              | string;
            /** @description End. */
            endDate:
              | {
                  /**
                   * @description dd/MM/yyyy, from 2000 to 2999
                   * @example 31/12/2026
                   */
                  date: string;
                  /**
                   * @description HH:mm:ss
                   * @example 20:30:00
                   */
                  time: string;
                }
              | string;
            /**
             * @description Required without `programId`
             * @enum {string}
             */
            programType?: 'LIVE' | 'PRERECORDED' | 'BREAK';
            /**
             * @description Another name of `programType`
             * @enum {string}
             */
            itemType?: 'LIVE' | 'PRERECORDED' | 'BREAK';
            /** @description `boxId` with PRERECORDED, `streamId` with LIVE */
            sourceId?: string;
            /** @description As in responses: read where `sourceId` is left out */
            boxContent?: {
              /** @description Id of the box item. */
              boxId?: string;
            };
            /** @description As in responses: read where `sourceId` is left out */
            stream?: {
              /** @description Id of the cast stream. */
              streamId?: string;
            };
            /** @description Seconds from the start of the content */
            offset?: number;
            /** @description The title. */
            title?: string;
            /** @description A longer text about it; in a change empty to remove it. */
            description?: string;
            /**
             * Format: uuid
             * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
             */
            thumbnailId?: string;
            /** @description Words under which it is found. */
            tags?: string[];
          }[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['DailyProgramming'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteDailyProgramming: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicDailyProgramming: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicDailyProgramming'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  insertCastPrograms: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The `ETag` of the day as it was read: where it has changed since, the answer is 412. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "sourceItems": [
         *         {
         *           "sourceType": "BREAK",
         *           "duration": 60
         *         }
         *       ]
         *     }
         */
        'application/json': {
          /** @description The programs come before the one at this position, from 0. Left out: at the end. */
          index?: number;
          /**
           * @description The programs, in order.
           * @example [
           *       {
           *         "sourceType": "BREAK",
           *         "duration": 60
           *       }
           *     ]
           */
          sourceItems: ({
            /**
             * @description What is shown.
             * @enum {string}
             */
            sourceType: 'LIVE' | 'PRERECORDED' | 'BREAK';
            /** @description `boxId` with PRERECORDED, `streamId` with LIVE. */
            sourceId?: string;
            /** @description Seconds */
            duration?: number;
            /** @description Seconds from the start of the content */
            offset?: number;
            /** @description The title. */
            title?: string;
          } & (unknown & unknown & unknown))[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['DailyProgramming'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  moveCastProgram: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The `ETag` of the day as it was read: where it has changed since, the answer is 412. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "fromIndex": 0,
         *       "toIndex": 0
         *     }
         */
        'application/json': {
          /** @description Position of the program, from 0. */
          fromIndex: number;
          /** @description The program comes before the one at this position, from 0. */
          toIndex: number;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['DailyProgramming'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  removeCastPrograms: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
        /** @description The `ETag` of the day as it was read: where it has changed since, the answer is 412. */
        'If-Match'?: components['parameters']['IfMatch'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "index": 0,
         *       "count": 1
         *     }
         */
        'application/json': {
          /** @description Position of the first one, from 0. */
          index: number;
          /** @description How many. */
          count: number;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['DailyProgramming'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      412: components['responses']['Changed'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastCalendar: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
        /** @description 1 to 62 */
        dayCount: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastCalendar'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteCastCalendar: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
        /** @description yyyyMMdd, from 2000 to 2999 */
        date: string;
        /** @description 1 to 62 */
        dayCount: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      409: components['responses']['Conflict'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  copyCastCalendar: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "sourceChannelId": "8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11",
         *       "destChannelId": "8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11",
         *       "sourceStartDate": "20261231",
         *       "destStartDate": "20261231",
         *       "sourceDayCount": 1,
         *       "destDayCount": 1
         *     }
         */
        'application/json': {
          /**
           * Format: uuid
           * @description Id of the channel whose days are copied.
           */
          sourceChannelId: string;
          /**
           * Format: uuid
           * @description Id of the channel whose days are replaced.
           */
          destChannelId: string;
          /**
           * @description yyyyMMdd, yyyy-MM-dd or dd/MM/yyyy, from 2000 to 2999
           * @example 20261231
           */
          sourceStartDate: string;
          /**
           * @description yyyyMMdd, yyyy-MM-dd or dd/MM/yyyy, from 2000 to 2999
           * @example 20261231
           */
          destStartDate: string;
          /** @description How many days are copied. */
          sourceDayCount: number;
          /** @description How many days are replaced. */
          destDayCount: number;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastCalendar'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastProgram: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the program. */
        programId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastProgram'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateCastProgram: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the program. */
        programId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "description": "From the spring to the sea"
         *     }
         */
        'application/json': {
          /** @description The title. */
          title?: string;
          /** @description Words under which it is found. */
          tags?: string[];
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        } & (
          | {
              title: unknown;
            }
          | {
              description: unknown;
            }
          | {
              thumbnailId: unknown;
            }
          | {
              tags: unknown;
            }
        );
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastProgram'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getPublicCastProgram: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the program. */
        programId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicCastProgram'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchCastPrograms: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only of this user; compared without case. */
          userCode?: string;
          /**
           * Format: uuid
           * @description Only programs of this channel.
           */
          channelId?: string;
          /**
           * @description Also programs that are over, after the others
           * @default false
           */
          pastIncluded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicCastProgramPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  searchCastProgramsWithSegment: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Anything. */
        segment: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Items of one page, 1 to 100; more is read as 100.
           * @default 20
           */
          pageSize?: number;
          /**
           * @description The page, from 0.
           * @default 0
           */
          pageIndex?: number;
          /**
           * @description False: one page with up to 1,000 results.
           * @default true
           */
          pagination?: boolean;
          /** @description Words to search for; a final `*` searches for words that begin so. */
          queryString?: string;
          /** @description Every one of these tags must be present. */
          tags?: string[];
          /** @description Only of this user; compared without case. */
          userCode?: string;
          /**
           * Format: uuid
           * @description Only programs of this channel.
           */
          channelId?: string;
          /**
           * @description Also programs that are over, after the others
           * @default false
           */
          pastIncluded?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['PublicCastProgramPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastGuide: {
    parameters: {
      query?: {
        /** @description Programs that follow the present one */
        count?: number;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['CastGuide'];
        };
      };
      400: components['responses']['Invalid'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastChannelXmltv: {
    parameters: {
      query?: {
        /** @description Days from now on */
        days?: number;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/xml': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastXmltv: {
    parameters: {
      query?: {
        /** @description Days from now on */
        days?: number;
        /** @description Only the channels of this publisher */
        userCode?: string;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/xml': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastChannelList: {
    parameters: {
      query?: {
        /** @description Only the channels of this publisher */
        userCode?: string;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'audio/x-mpegurl': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastChannelPlaylist: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the channel. */
        channelId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Found */
      302: {
        headers: {
          /** @description Where to go. */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getStreamFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A signed permission, from the address of a play result. */
        grant: string;
        /** @description Path of the playlist or segment. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/vnd.apple.mpegurl': Blob;
          'video/iso.segment': Blob;
          'video/mp4': Blob;
          'text/vtt; charset=utf-8': string;
          'image/jpeg': Blob;
        };
      };
      /** @description Partial Content */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/vnd.apple.mpegurl': Blob;
          'video/iso.segment': Blob;
          'video/mp4': Blob;
          'text/vtt; charset=utf-8': string;
          'image/jpeg': Blob;
        };
      };
      /** @description Found */
      302: {
        headers: {
          /** @description Where to go. */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      403: components['responses']['ForbiddenPage'];
      404: components['responses']['NotFoundPage'];
      /** @description Precondition Failed */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      416: components['responses']['NoSuchRangePage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getSharedStreamFile: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description A signed permission that all viewers share, from the address of a play result. */
        edgeToken: string;
        /** @description Path of the playlist or segment. */
        path: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/vnd.apple.mpegurl': Blob;
          'video/iso.segment': Blob;
          'video/mp4': Blob;
          'text/vtt; charset=utf-8': string;
          'image/jpeg': Blob;
        };
      };
      /** @description Partial Content */
      206: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/vnd.apple.mpegurl': Blob;
          'video/iso.segment': Blob;
          'video/mp4': Blob;
          'text/vtt; charset=utf-8': string;
          'image/jpeg': Blob;
        };
      };
      /** @description Found */
      302: {
        headers: {
          /** @description Where to go. */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      403: components['responses']['ForbiddenPage'];
      404: components['responses']['NotFoundPage'];
      /** @description Precondition Failed */
      412: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      416: components['responses']['NoSuchRangePage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getLivePassword: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
        /** @description User code, which is the login name; compared without case. */
        userCode: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description Password with which the user’s encoders log in. */
            livePassword?: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  checkPlaybackToken: {
    parameters: {
      query?: {
        /** @description Only a token of this live stream is valid; without it, any token of this service is */
        streamName?: string;
      };
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
        /** @description The grant of a playback address. */
        token: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createBoxItemOfUser: {
    parameters: {
      query?: never;
      header?: {
        /** @description The id under which the progress of the upload can be read while it runs. The client chooses it. */
        'X-Service-progressbarId'?: components['parameters']['ProgressId'];
      };
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
        /** @description User code, which is the login name; compared without case. */
        userCode: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'multipart/form-data': {
          /**
           * Format: binary
           * @description The content: a video or audio file.
           */
          file: Blob;
          /** @description The title. */
          title: string;
          /** @description A UUID or content id that becomes the content id, or any other text. */
          contentIdentifier?: string;
          /** @description A longer text about it; in a change empty to remove it. */
          description?: string;
          /** @description A tag; may be repeated. */
          tag?: string[];
          /**
           * Format: uuid
           * @description Id of the thumbnail: in a request one of the caller’s own, in a change empty to remove it.
           */
          thumbnailId?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * Format: uuid
             * @description Id of the box item.
             */
            boxId: string;
            /** @description The title. */
            title: string;
            /**
             * @description Id of the content: `urn:<namespace>:content:<uuid>`.
             * @example urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20
             */
            contentId: string;
            /**
             * Format: uuid
             * @description The UUID of the content.
             */
            resourceId: string;
            /** @description User code of the owner */
            creatorCode: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
      507: components['responses']['NoSpace'];
    };
  };
  getContentCreator: {
    parameters: {
      query: {
        /** @description The object name of a content. */
        streamName: string;
      };
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description User code of the owner */
            creatorCode: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getLiveChannelCreator: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
        /** @description A stream path, with case. */
        streamName: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description User code of the owner */
            creatorCode: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getLiveEventRecorded: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
        /** @description A stream path, with case. */
        streamName: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description The event is to be recorded. */
            recorded: boolean;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastChannelCreator: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
        /** @description A stream path, with case. */
        streamName: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * Format: uuid
             * @description Id of the channel.
             */
            channelCode: string;
            /** @description User code of the owner */
            creatorCode: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getCastEntity: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
        /** @description A stream path, with case. */
        streamName: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * @description What the path belongs to.
             * @enum {string}
             */
            entityType: 'CHANNEL' | 'STREAM';
            /** @description User code of the owner */
            creatorCode: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  reportEdgeUsage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "batchId": "8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11",
         *       "usage": [
         *         {
         *           "address": "text",
         *           "bytes": 0
         *         }
         *       ]
         *     }
         */
        'application/json': {
          /** @description Chosen by the sender, another one for each batch. One that was counted is not counted again. */
          batchId: string;
          /** @description What was sent, by address. */
          usage: {
            /** @description Below `/e/<token>/`, or of a CDN with `?grant=<grant>`; with one token or grant, one address is enough for all. */
            address: string;
            /** @description Of the bodies of the responses. */
            bytes: number;
          }[];
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description False: the batch was counted before. */
            isNew: boolean;
            /** @description Added to the band of publishers. */
            countedBytes: number;
            /** @description Of addresses with another signature, and of publishers who are gone. */
            refusedBytes: number;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  receiveNginxRtmpHook: {
    parameters: {
      query?: {
        /** @description Tells several servers of one kind apart: 1 to 64 of `A-Za-z0-9_.-`. */
        server?: string;
        /** @description MediaMTX: `unavailable` reports the end of a publication, without a body. */
        event?: string;
        /** @description MediaMTX: `MTX_SOURCE_ID`. */
        id?: string;
        /** @description MediaMTX: `MTX_PATH`. */
        path?: string;
      };
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  receiveMediamtxHook: {
    parameters: {
      query?: {
        /** @description Tells several servers of one kind apart: 1 to 64 of `A-Za-z0-9_.-`. */
        server?: string;
        /** @description MediaMTX: `unavailable` reports the end of a publication, without a body. */
        event?: string;
        /** @description MediaMTX: `MTX_SOURCE_ID`. */
        id?: string;
        /** @description MediaMTX: `MTX_PATH`. */
        path?: string;
      };
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  receiveSrsHook: {
    parameters: {
      query?: {
        /** @description Tells several servers of one kind apart: 1 to 64 of `A-Za-z0-9_.-`. */
        server?: string;
        /** @description MediaMTX: `unavailable` reports the end of a publication, without a body. */
        event?: string;
        /** @description MediaMTX: `MTX_SOURCE_ID`. */
        id?: string;
        /** @description MediaMTX: `MTX_PATH`. */
        path?: string;
      };
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * @description 0: allowed; 403: refused.
             * @enum {number}
             */
            code: 0 | 403;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  receiveNodeMediaServerHook: {
    parameters: {
      query?: {
        /** @description Tells several servers of one kind apart: 1 to 64 of `A-Za-z0-9_.-`. */
        server?: string;
        /** @description MediaMTX: `unavailable` reports the end of a publication, without a body. */
        event?: string;
        /** @description MediaMTX: `MTX_SOURCE_ID`. */
        id?: string;
        /** @description MediaMTX: `MTX_PATH`. */
        path?: string;
      };
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  receiveOvenmediaengineHook: {
    parameters: {
      query?: {
        /** @description Tells several servers of one kind apart: 1 to 64 of `A-Za-z0-9_.-`. */
        server?: string;
        /** @description MediaMTX: `unavailable` reports the end of a publication, without a body. */
        event?: string;
        /** @description MediaMTX: `MTX_SOURCE_ID`. */
        id?: string;
        /** @description MediaMTX: `MTX_PATH`. */
        path?: string;
      };
      header?: never;
      path: {
        /** @description INTEGRATION_NAME of the deployment */
        integration: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description Whether the server takes or sends the media. */
            allowed?: boolean;
            /** @description Why not. */
            reason?: string;
          };
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['WrongCredentials'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  listWebhooks: {
    parameters: {
      query?: {
        /** @description Items of one page, 1 to 100; more is read as 100. */
        pageSize?: number;
        /** @description The page, from 0. */
        pageIndex?: number;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['WebhookPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "url": "https://example.org/hooks",
         *       "events": [
         *         "content.ready",
         *         "payment.fulfilled"
         *       ]
         *     }
         */
        'application/json': {
          /**
           * @description Where events are sent: `http` or `https`, without credentials.
           * @example https://example.org/hooks
           */
          url: string;
          /**
           * @description Types of events.
           * @example [
           *       "content.ready",
           *       "payment.fulfilled"
           *     ]
           */
          events: (
            | 'upload.completed'
            | 'content.ready'
            | 'content.complete'
            | 'content.failed'
            | 'vod.published'
            | 'vod.withdrawn'
            | 'payment.fulfilled'
            | 'payment.reversed'
            | 'subscription.started'
            | 'subscription.ended'
            | 'live.started'
            | 'live.ended'
            | 'recording.ready'
            | 'license.changed'
            | 'quota.warning'
          )[];
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['NewWebhook'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Webhook'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/json': {
          /**
           * @description Where events are sent: `http` or `https`, without credentials.
           * @example https://example.org/hooks
           */
          url?: string;
          /**
           * @description Types of events.
           * @example [
           *       "content.ready",
           *       "payment.fulfilled"
           *     ]
           */
          events?: (
            | 'upload.completed'
            | 'content.ready'
            | 'content.complete'
            | 'content.failed'
            | 'vod.published'
            | 'vod.withdrawn'
            | 'payment.fulfilled'
            | 'payment.reversed'
            | 'subscription.started'
            | 'subscription.ended'
            | 'live.started'
            | 'live.ended'
            | 'recording.ready'
            | 'license.changed'
            | 'quota.warning'
          )[];
          /** @description True: switched on. What has waited for less than three days is sent then. */
          enabled?: boolean;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['Webhook'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['NewWebhook'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['WebhookDelivery'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Items of one page, 1 to 100; more is read as 100. */
        pageSize?: number;
        /** @description The page, from 0. */
        pageIndex?: number;
      };
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['WebhookDeliveryPage'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
        /** @description Id of the delivery: one event on its way to one webhook. */
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['WebhookDeliveryWithPayload'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  resendWebhookDelivery: {
    parameters: {
      query?: never;
      header?: {
        /** @description Language of messages. */
        'Accept-Language'?: components['parameters']['Language'];
        /** @description Time zone of dates and times: milliseconds to add to UTC for local time, or an IANA name. */
        'X-Service-timezone'?: components['parameters']['TimeZone'];
      };
      path: {
        /** @description Id of the webhook. */
        webhookId: string;
        /** @description Id of the delivery: one event on its way to one webhook. */
        deliveryId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Accepted */
      202: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['WebhookDelivery'];
        };
      };
      400: components['responses']['Invalid'];
      401: components['responses']['NoToken'];
      403: components['responses']['Forbidden'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      409: components['responses']['Conflict'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  receivePaymentEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description Name of the payment provider. */
        provider: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': Record<string, never>;
      };
    };
    responses: {
      /** @description Done; no body */
      204: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['Invalid'];
      404: components['responses']['NotFound'];
      408: components['responses']['TimedOut'];
      413: components['responses']['TooLarge'];
      415: components['responses']['WrongType'];
      429: components['responses']['TooMany'];
      500: components['responses']['Failed'];
      503: components['responses']['Unavailable'];
    };
  };
  getSandboxCheckout: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The reference of the order. */
        reference: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      400: components['responses']['InvalidPage'];
      /** @description Not Found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['ServiceError'];
          'text/html': string;
        };
      };
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  submitSandboxCheckout: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The reference of the order. */
        reference: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        /**
         * @example {
         *       "action": "pay"
         *     }
         */
        'application/x-www-form-urlencoded': {
          /**
           * @description The pressed button.
           * @enum {string}
           */
          action: 'pay' | 'later' | 'reject' | 'refund';
          /**
           * @description How the provider behaves, for tests.
           * @default PLAIN
           * @enum {string}
           */
          behaviour?: 'PLAIN' | 'LATE' | 'DOUBLE' | 'WRONG_AMOUNT' | 'LOST_ANSWER' | 'SLOW_ANSWER';
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      /** @description See Other */
      303: {
        headers: {
          /** @description Where to go. */
          Location?: string;
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      403: components['responses']['ForbiddenPage'];
      /** @description Not Found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['ServiceError'];
          'text/html': string;
        };
      };
      408: components['responses']['TimedOutPage'];
      413: components['responses']['TooLargePage'];
      415: components['responses']['WrongTypePage'];
      429: components['responses']['TooManyPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getPlayerPage: {
    parameters: {
      query?: {
        /** @description Id of a VOD item. */
        vod?: string;
        /** @description Id of the payment, which proves it. */
        trackingId?: string;
        /** @description Id of a live channel. */
        live?: string;
        /** @description Id of a live event. */
        event?: string;
        /** @description Id of a cast channel. */
        cast?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      400: components['responses']['InvalidPage'];
      /** @description Not Found */
      404: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getPlayerPlayback: {
    parameters: {
      query?: {
        /** @description Id of a VOD item. */
        vod?: string;
        /** @description Id of the payment, which proves it. */
        trackingId?: string;
        /** @description The whole video, or its preview. */
        kind?: 'full' | 'preview';
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description What the page needs to play. */
            playback: {
              /** @description What came of it. */
              result: string;
              /** @description Why, in the language of the request. */
              message?: string;
              /** @description Path of the playlist; empty where nothing can be played. */
              path: string;
              /** @description Path of the track of pictures over the seek bar. */
              storyboard?: string;
              /** @description Path of the track of chapters. */
              chapters?: string;
              /** @description How far the missing renditions are, 0 to 99; only while they are made. */
              preparing?: number;
              /** @description Whether the payment of `trackingId` may still be confirmed. */
              isAwaited?: boolean;
            };
          };
        };
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  payFromPlayer: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *       "vod": "8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11"
         *     }
         */
        'application/json':
          | {
              /**
               * Format: uuid
               * @description Id of a VOD item.
               */
              vod?: string;
              /**
               * Format: uuid
               * @description Id of a live event.
               */
              event?: string;
            }
          | {
              /** @description Id of a live event. */
              event: unknown;
            }
          | {
              /** @description Id of a VOD item. */
              vod: unknown;
            };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description The page of the payment provider. */
            url: string;
            /**
             * Format: uuid
             * @description Id of the payment, which proves it.
             */
            trackingId: string;
          };
        };
      };
      400: components['responses']['InvalidPage'];
      403: components['responses']['ForbiddenPage'];
      404: components['responses']['NotFoundPage'];
      408: components['responses']['TimedOutPage'];
      409: components['responses']['ConflictPage'];
      413: components['responses']['TooLargePage'];
      415: components['responses']['WrongTypePage'];
      429: components['responses']['TooManyPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getPlayerLiveStatus: {
    parameters: {
      query?: {
        /** @description Id of a live channel. */
        live?: string;
        /** @description Id of a live event. */
        event?: string;
        /** @description Id of the payment, which proves it. */
        trackingId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description The present state. */
            status: {
              /**
               * Format: uuid
               * @description Id of the live event.
               */
              eventId: string;
              /** @description The title. */
              title: string;
              /**
               * @description Where the event stands.
               * @enum {string}
               */
              phase: 'BEFORE' | 'WAITING' | 'ON_AIR' | 'OVER';
              /** @description The time of the service, in milliseconds since 1970. */
              now: number;
              /** @description Start, in milliseconds since 1970. */
              startsAt: number;
              /** @description End, in milliseconds since 1970. */
              endsAt: number;
              /** @description What came of it. */
              result: string;
              /** @description Why, in the language of the request. */
              message: string | null;
              /** @description Whether the payment of `trackingId` may still be confirmed. */
              isAwaited?: boolean;
              /** @description Address of the playlist; empty where nothing can be played. */
              address: string;
              /** @description Path of a picture of the last half minute, or null. */
              still: string | null;
              /** @description The first moment that a viewer can go back to, in milliseconds since 1970, or null. */
              rewindFrom: number | null;
              /** @description No viewer can go back further than this. */
              rewindSeconds: number;
              /** @description Label of the button that pays, while the event is for sale. */
              pay: string | null;
              /** @description Address of the page of the recording. */
              recording: string | null;
            };
          };
        };
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getPlayerCastStatus: {
    parameters: {
      query?: {
        /** @description Id of a cast channel. */
        cast?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /** @description The present state. */
            status: {
              /** @description The title. */
              title: string;
              /** @description The time of the service, in milliseconds since 1970. */
              now: number;
              /** @description How long the address is valid. */
              validSeconds: number;
              /** @description What came of it. */
              result: string;
              /** @description Why, in the language of the request. */
              message: string | null;
              /** @description Address of the playlist; empty where nothing can be played. */
              address: string;
              /** @description The programs, in order of time. */
              programs: {
                /** @description The title. */
                title: string;
                /** @description Start, in milliseconds since 1970. */
                startsAt: number;
                /** @description End, in milliseconds since 1970. */
                endsAt: number;
              }[];
            };
          };
        };
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getOembed: {
    parameters: {
      query: {
        /** @description Address of a player page (`embedUrl`). */
        url: string;
        /** @description Greatest width of the frame. */
        maxwidth?: number;
        /** @description Greatest height of the frame. */
        maxheight?: number;
        /** @description Only `json` is answered. */
        format?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * @description Version of oEmbed.
             * @enum {string}
             */
            version: '1.0';
            /**
             * @description Kind of page.
             * @enum {string}
             */
            type: 'video';
            /** @description Name of this service. */
            provider_name: string;
            /** @description Its start page. */
            provider_url: string;
            /** @description Title of what the page plays. */
            title: string;
            /** @description Name of the publisher. */
            author_name: string;
            /** @description A picture. */
            thumbnail_url?: string;
            /** @description Its width in pixels. */
            thumbnail_width?: number;
            /** @description Its height in pixels. */
            thumbnail_height?: number;
            /** @description Width of the frame in pixels. */
            width: number;
            /** @description Height of the frame in pixels. */
            height: number;
            /** @description The frame. */
            html: string;
          };
        };
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      500: components['responses']['FailedPage'];
      /** @description Not Implemented */
      501: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      503: components['responses']['UnavailablePage'];
    };
  };
  getStartPage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      400: components['responses']['InvalidPage'];
      404: components['responses']['NotFoundPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getIcon: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/svg+xml': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getDefaultIcon: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'image/svg+xml': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getRobotsRules: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getDescription: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': Record<string, never>;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getDocumentation: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getClient: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/gzip': Blob;
        };
      };
      /** @description Not Modified */
      304: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getEmailChangePage: {
    parameters: {
      query?: {
        /** @description The token of the mailed link. */
        token?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      /** @description Bad Request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['ServiceError'];
          'text/html': string;
        };
      };
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  confirmEmailChange: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        /** @example {} */
        'application/x-www-form-urlencoded': {
          /** @description The token of the mailed link. */
          token?: string;
        };
      };
    };
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      /** @description Bad Request */
      400: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': components['schemas']['ServiceError'];
          'text/html': string;
        };
      };
      408: components['responses']['TimedOutPage'];
      413: components['responses']['TooLargePage'];
      415: components['responses']['WrongTypePage'];
      429: components['responses']['TooManyPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * @description The process is alive.
             * @enum {string}
             */
            status: 'ok';
          };
        };
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getReadiness: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': {
            /**
             * @description Degraded: requests are served, and something does not work. Stopping: the process is about to end.
             * @enum {string}
             */
            status: 'ready' | 'degraded' | 'not ready' | 'stopping';
            /**
             * @description The only one without which nothing is served.
             * @enum {string}
             */
            database: 'ok' | 'away' | 'not migrated';
            /**
             * @description Degraded: the service runs on without it.
             * @enum {string}
             */
            queue: 'ok' | 'degraded';
            /**
             * @description Degraded: the service runs on without it.
             * @enum {string}
             */
            search: 'ok' | 'degraded';
            /**
             * @description Degraded: the service runs on without it.
             * @enum {string}
             */
            storage: 'ok' | 'degraded';
            /** @description Why something does not work, one sentence for each. */
            reasons: {
              /** @description One sentence; left out where it works. */
              database?: string;
              /** @description One sentence; left out where it works. */
              queue?: string;
              /** @description One sentence; left out where it works. */
              search?: string;
              /** @description One sentence; left out where it works. */
              storage?: string;
            };
            /** @description Name of the payment provider. */
            payments: string;
          };
        };
      };
      400: components['responses']['InvalidPage'];
      500: components['responses']['FailedPage'];
      /** @description Service Unavailable */
      503: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json;charset=UTF-8': Record<string, never>;
          'text/html': string;
        };
      };
    };
  };
  getMetrics: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/plain': string;
        };
      };
      400: components['responses']['InvalidPage'];
      401: components['responses']['WrongCredentialsPage'];
      429: components['responses']['TooManyPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  listMails: {
    parameters: {
      query?: {
        /** @description The page, from 0. */
        page?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      400: components['responses']['InvalidPage'];
      401: components['responses']['WrongCredentialsPage'];
      404: components['responses']['NotFoundPage'];
      429: components['responses']['TooManyPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  getMail: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description File name of the mail. */
        name: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description OK */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'text/html': string;
        };
      };
      400: components['responses']['InvalidPage'];
      401: components['responses']['WrongCredentialsPage'];
      404: components['responses']['NotFoundPage'];
      429: components['responses']['TooManyPage'];
      500: components['responses']['FailedPage'];
      503: components['responses']['UnavailablePage'];
    };
  };
  receive_upload_completed: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'upload.completed';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The box item. */
            boxItem: components['schemas']['BoxItem'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_content_ready: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'content.ready';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The box item. */
            boxItem: components['schemas']['BoxItem'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_content_complete: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'content.complete';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The box item. */
            boxItem: components['schemas']['BoxItem'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_content_failed: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'content.failed';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The box item. */
            boxItem: components['schemas']['BoxItem'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_vod_published: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'vod.published';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description Id of a VOD item. */
            vod: components['schemas']['VodItem'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_vod_withdrawn: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'vod.withdrawn';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description Id of a VOD item. */
            vod: components['schemas']['VodItem'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_payment_fulfilled: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'payment.fulfilled';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /**
             * @description Which side of the payment the owner of the webhook is.
             * @enum {string}
             */
            role: 'BUYER' | 'SELLER';
            /** @description The payment. */
            payment: components['schemas']['Payment'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_payment_reversed: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'payment.reversed';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /**
             * @description Which side of the payment the owner of the webhook is.
             * @enum {string}
             */
            role: 'BUYER' | 'SELLER';
            /** @description The payment. */
            payment: components['schemas']['Payment'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_subscription_started: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'subscription.started';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /**
             * @description Which side of the subscription the owner of the webhook is.
             * @enum {string}
             */
            role: 'SUBSCRIBER' | 'PUBLISHER';
            /** @description The subscription. */
            subscription: components['schemas']['BundleSubscription'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_subscription_ended: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'subscription.ended';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /**
             * @description Which side of the subscription the owner of the webhook is.
             * @enum {string}
             */
            role: 'SUBSCRIBER' | 'PUBLISHER';
            /** @description The subscription. */
            subscription: components['schemas']['BundleSubscription'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_live_started: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'live.started';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The channel. */
            channel?: components['schemas']['LiveChannel'];
            /** @description Id of a live event. */
            event?: components['schemas']['LiveEvent'];
            /** @description The cast stream; with `LIVE`. */
            stream?: components['schemas']['CastStream'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_live_ended: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'live.ended';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The channel. */
            channel?: components['schemas']['LiveChannel'];
            /** @description Id of a live event. */
            event?: components['schemas']['LiveEvent'];
            /** @description The cast stream; with `LIVE`. */
            stream?: components['schemas']['CastStream'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_recording_ready: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'recording.ready';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The box item. */
            boxItem: components['schemas']['BoxItem'];
            /** @description Id of a live event. */
            event?: components['schemas']['LiveEvent'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_license_changed: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'license.changed';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /** @description The license as it is now. */
            license: components['schemas']['LicenseState'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_quota_warning: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'quota.warning';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /**
             * @description Which limit.
             * @enum {string}
             */
            quantity: 'STORAGE' | 'BAND' | 'STREAMING';
            /** @description How much of it is used. */
            percent: number;
            /** @description Usage and limits, as numbers; not part of the protocol. */
            usage: components['schemas']['Usage'];
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
  receive_webhook_test: {
    parameters: {
      query?: never;
      header: {
        /** @description Id of the event: the same at each attempt. */
        'webhook-id': string;
        /** @description Time of the attempt, in seconds since 1970. */
        'webhook-timestamp': string;
        /** @description One or more of `v1,<HMAC-SHA256 in Base64>`, separated by spaces. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json;charset=UTF-8': {
          /**
           * Format: uuid
           * @description The header `webhook-id`: the same at each attempt.
           */
          id: string;
          /**
           * @description The type of the event.
           * @enum {string}
           */
          type: 'webhook.test';
          /**
           * @description Version of the form of this body: 1. Members may be added without another version.
           * @enum {integer}
           */
          version: 1;
          /** @description When it happened: ISO 8601, in UTC. */
          timestamp: string;
          /** @description What it is about: private views, each under the name of its kind. */
          data: {
            /**
             * Format: uuid
             * @description Id of the webhook.
             */
            webhookId: string;
          };
        };
      };
    };
    responses: {
      /** @description The receiver is no more: the webhook is switched off. */
      410: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Received. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Not received: it is sent again. */
      default: {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
