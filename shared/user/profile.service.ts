import { lockOwnThumbnails } from '../content/thumbnail.service.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { encryptText } from '../platform/security/encryption.js';
import { verifyPassword } from '../platform/security/passwords.js';
import { ValidationError } from '../platform/errors.js';
import { WrongPasswordError } from './account.service.js';
import { changeEmail, requestEmailChange } from './emailChange.service.js';
import type { BillingAddress, User } from './user.model.js';
import { rejectingTaken } from './registration.service.js';
import { changeUser, readUser } from './user.queries.js';

/** Body of a profile update (`docs/contract.md#users`), validated by `api/user/user.schemas.ts`. */
export interface UserUpdate {
  readonly profile?: {
    readonly firstName?: string | undefined;
    readonly lastName?: string | undefined;
    /** yyyy-MM-dd */
    readonly birthDate?: string | undefined;
    readonly email?: string | undefined;
    readonly language?: string | undefined;
    readonly thumbnailId?: string | undefined;
    readonly pageTitle?: string | undefined;
    readonly pageDescription?: string | undefined;
    readonly facebookUrl?: string | undefined;
    readonly twitterContact?: string | undefined;
    readonly linkedinUrl?: string | undefined;
  };
  readonly finance?: {
    readonly paypalEmail?: string | undefined;
    readonly companyName?: string | undefined;
    readonly companyConfirm?: boolean | undefined;
    readonly vatNumber?: string | undefined;
    readonly taxCode?: string | undefined;
    readonly billingAddress?: BillingAddress | undefined;
  };
  readonly features?: {
    readonly transcoderNotifyEnabled?: boolean | undefined;
    readonly vodPublic?: boolean | undefined;
    readonly livePassword?: string | undefined;
  };
  /** With the password, a new e-mail address takes effect at once; without it, after its confirmation. */
  readonly currentPassword?: string | undefined;
}

/**
 * Changes the caller's profile, finance data and features: undefined members are unchanged, and empty texts are removed. A new
 * `email` takes effect after its confirmation (`emailChange.service.ts`), or at once with `currentPassword`. Throws ValidationError
 * if the thumbnail does not belong to the caller, or a password was sent and the e-mail is taken; WrongPasswordError;
 * TooManyRequestsError for too many changes of the e-mail.
 */
export async function updateUser(ctx: Context, userId: string, update: UserUpdate): Promise<User> {
  const { profile = {}, finance = {}, features = {} } = update;
  const { email = '' } = profile;
  const provenHash = await provenPasswordHash(ctx, userId, update);
  const emailTaken = { field: 'profile.email', code: 'taken', key: 'user.emailTaken', rejectedValue: email };
  return rejectingTaken({ users_email: emailTaken }, () =>
    ctx.db.transaction(async (tx) => {
      const user = await readUser(ctx, userId, tx);
      await assertOwnThumbnail(ctx, tx, user, profile.thumbnailId);
      if (isOtherEmail(user, email)) {
        if (provenHash === undefined) await requestEmailChange(ctx, tx, user, email);
        else if (provenHash === user.passwordHash) await changeEmail(ctx, tx, user, email);
        else throw new WrongPasswordError();
      }
      const changed = await changeUser(ctx, tx, userId, {
        ...profileColumns(user, profile),
        ...financeColumns(user, finance),
        ...featureColumns(ctx, user, features),
      });
      await ctx.search.markDirty(tx, 'user', userId);
      return changed;
    }),
  );
}

/**
 * The hash against which `currentPassword` was verified; undefined unless it was sent with a new e-mail. Throws WrongPasswordError.
 * Runs before the transaction, because it takes a tenth of a second.
 */
async function provenPasswordHash(ctx: Context, userId: string, update: UserUpdate): Promise<string | undefined> {
  if (update.currentPassword === undefined) return undefined;
  const user = await readUser(ctx, userId);
  if (!isOtherEmail(user, update.profile?.email ?? '')) return undefined;
  if (!(await verifyPassword(ctx, update.currentPassword, user.passwordHash))) throw new WrongPasswordError();
  return user.passwordHash;
}

/** E-mail addresses are unique without case: another case is the same address. Empty: no address was sent. */
function isOtherEmail(user: User, email: string): boolean {
  return email !== '' && user.email.toLowerCase() !== email.toLowerCase();
}

/** A text after a change: undefined leaves it unchanged, and an empty text removes it. */
function textAfter(present: string | null, sent: string | undefined): string | null {
  return sent === undefined ? present : sent || null;
}

function profileColumns(user: User, profile: NonNullable<UserUpdate['profile']>) {
  return {
    firstName: profile.firstName ?? user.firstName,
    lastName: profile.lastName ?? user.lastName,
    birthDate: profile.birthDate ?? user.birthDate,
    language: profile.language ?? user.language,
    thumbnailId: textAfter(user.thumbnailId, profile.thumbnailId),
    pageTitle: textAfter(user.pageTitle, profile.pageTitle),
    pageDescription: textAfter(user.pageDescription, profile.pageDescription),
    facebookUrl: textAfter(user.facebookUrl, profile.facebookUrl),
    twitterContact: textAfter(user.twitterContact, profile.twitterContact),
    linkedinUrl: textAfter(user.linkedinUrl, profile.linkedinUrl),
  };
}

function financeColumns(user: User, finance: NonNullable<UserUpdate['finance']>) {
  const address = { ...user.billingAddress, ...finance.billingAddress };
  return {
    paypalEmail: textAfter(user.paypalEmail, finance.paypalEmail),
    companyName: textAfter(user.companyName, finance.companyName),
    companyConfirm: finance.companyConfirm ?? user.companyConfirm,
    vatNumber: textAfter(user.vatNumber, finance.vatNumber),
    taxCode: textAfter(user.taxCode, finance.taxCode),
    billingAddress: Object.fromEntries(Object.entries(address).filter(([, text]) => text)),
  };
}

function featureColumns(ctx: Context, user: User, features: NonNullable<UserUpdate['features']>) {
  const { livePassword } = features;
  return {
    transcoderNotifyEnabled: features.transcoderNotifyEnabled ?? user.transcoderNotifyEnabled,
    vodPublic: features.vodPublic ?? user.vodPublic,
    ...(livePassword === undefined
      ? {}
      : { livePassword: livePassword === '' ? null : encryptText(ctx.config.encryptionKey, user.id, livePassword) }),
  };
}

/** Throws ValidationError unless the thumbnail is already the user’s choice, or was uploaded by the user. */
async function assertOwnThumbnail(
  ctx: Context,
  tx: Transaction,
  user: User,
  thumbnailId: string | undefined,
): Promise<void> {
  if (!thumbnailId || thumbnailId === user.thumbnailId) return;
  if ((await lockOwnThumbnails(ctx, tx, user.id, [thumbnailId])).size > 0) return;
  throw new ValidationError([
    { field: 'profile.thumbnailId', code: 'thumbnail', key: 'user.thumbnail', rejectedValue: thumbnailId },
  ]);
}
