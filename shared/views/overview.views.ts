import { countBoxItems } from '../box/box.queries.js';
import { overviewOf, type LicenseState } from '../license/overview.queries.js';
import { usageOf, type Usage } from '../license/usage.service.js';
import type { Context } from '../platform/context.js';
import { formatDate, formatGigabytes, formatPercent } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import type { Language } from '../platform/i18n.js';
import { livePasswordOf } from '../user/livePassword.js';
import { billingAddressView, withoutEmpty } from './user.views.js';

const dayMs = 86_400_000;

/** The caller: language of country names, and time zone of dates. Every request has these members. */
interface Caller {
  readonly ctx: Context;
  readonly userId: string;
  readonly language: Language;
  readonly zone: TimeZone;
}

/** User overview of `docs/contract.md#fields-overview`, shown to the user only. Throws NotFoundError. */
export async function ownOverview({ ctx, userId, language, zone }: Caller) {
  const [{ user, license, usage }, videosCount] = await Promise.all([
    overviewOf(ctx, userId),
    countBoxItems(ctx, userId),
  ]);
  const billingAddress = billingAddressView(user.billingAddress, language);
  return {
    userCode: user.userCode,
    ...licenseMembers(license, ctx.clock.now(), zone),
    videosCount,
    storage: formatGigabytes(usage.storedBytes),
    band: formatGigabytes(usage.bandBytes),
    storagePercent: percentOf(usage.storedBytes, usage.storageLimitBytes),
    bandPercent: percentOf(usage.bandBytes, usage.bandLimitBytes),
    ...withoutEmpty({
      paypalEmail: user.paypalEmail,
      vatNumber: user.vatNumber,
      taxCode: user.taxCode,
      livePassword: livePasswordOf(ctx, user),
      thumbnailId: user.thumbnailId,
    }),
    ...(Object.keys(billingAddress).length > 0 ? { billingAddress } : {}),
    usage: usageView(usage),
  };
}

/** The used amounts of a user's license. */
export async function ownUsageView({ ctx, userId }: Pick<Caller, 'ctx' | 'userId'>) {
  return usageView(await usageOf(ctx, userId));
}

/** State of a license of `docs/contract.md#fields-event-license`. */
export function licenseMembers(
  { name, expired, activatedAt, expiresAt, ...renewal }: LicenseState,
  now: Date,
  zone: TimeZone,
) {
  const days = (from: Date, to: Date, round: (days: number) => number): number =>
    Math.max(0, round((to.getTime() - from.getTime()) / dayMs));
  return {
    licenseName: name,
    licenseExpired: expired,
    availableRenews: renewal.availableRenews,
    renewDate: formatDate(renewal.renewsAt, zone).split('/').toReversed().map(Number),
    ...(activatedAt ? { daysFromActivation: days(activatedAt, now, Math.floor) } : {}),
    ...(expiresAt ? { daysToExpiration: days(now, expiresAt, Math.ceil) } : {}),
  };
}

function usageView(usage: Usage) {
  const { originalBytes, renditionBytes, thumbnailBytes, reservedBytes, storageLimitBytes } = usage;
  return {
    originalBytes,
    renditionBytes,
    thumbnailBytes,
    reservedBytes,
    storageLimitBytes,
    bandBytes: usage.bandBytes,
    bandLimitBytes: usage.bandLimitBytes,
    uploads: usage.uploads,
    uploadLimit: usage.maxUploadNumber,
    mediaMinutes: Math.floor(usage.mediaSeconds / 60),
    mediaMinutesLimit: usage.mediaMinutesLimit,
    streamingMinutes: Math.floor(usage.streamingSeconds / 60),
    streamingMinutesLimit: usage.streamingHoursLimit * 60,
  };
}

function percentOf(bytes: number, limitBytes: number): string {
  return formatPercent(limitBytes === 0 ? 100 : (bytes / limitBytes) * 100);
}
