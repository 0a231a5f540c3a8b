import type { Migration } from './migration.js';
import { platform } from './0001-platform.js';
import { user } from './0002-user.js';
import { search } from './0003-search.js';
import { license } from './0004-license.js';
import { content } from './0005-content.js';
import { box } from './0006-box.js';
import { vod } from './0007-vod.js';
import { oauth } from './0008-oauth.js';
import { download } from './0009-download.js';
import { clock } from './0010-clock.js';
import { ledger } from './0011-ledger.js';
import { payment } from './0012-payment.js';
import { licensePeriod } from './0013-license-period.js';
import { bundle } from './0014-bundle.js';
import { marketplace } from './0015-marketplace.js';
import { entitlement } from './0016-entitlement.js';
import { searchDigest } from './0017-search-digest.js';
import { paymentReversed } from './0018-payment-reversed.js';
import { earnings } from './0019-earnings.js';
import { sandboxRefunded } from './0020-sandbox-refunded.js';
import { soldItems } from './0021-sold-items.js';
import { loginNetworks } from './0022-login-networks.js';
import { media } from './0023-media.js';
import { searchTypos } from './0024-search-typos.js';
import { accountProofs } from './0025-account-proofs.js';
import { live } from './0026-live.js';
import { liveParts } from './0027-live-parts.js';
import { cast } from './0028-cast.js';
import { quick } from './0029-quick.js';
import { returns } from './0030-returns.js';
import { accounts } from './0031-accounts.js';
import { jobs } from './0032-jobs.js';
import { mediaEnd } from './0033-media-end.js';

/** All migrations, oldest first. They only extend the schema: processes of the previous release still run. */
export const migrations: readonly Migration[] = [
  platform,
  user,
  search,
  license,
  content,
  box,
  vod,
  oauth,
  download,
  clock,
  ledger,
  payment,
  licensePeriod,
  bundle,
  marketplace,
  entitlement,
  searchDigest,
  paymentReversed,
  earnings,
  sandboxRefunded,
  soldItems,
  loginNetworks,
  media,
  searchTypos,
  accountProofs,
  live,
  liveParts,
  cast,
  quick,
  returns,
  accounts,
  jobs,
  mediaEnd,
];
