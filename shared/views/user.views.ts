import type { Publisher } from '../license/publisher.queries.js';
import type { Context } from '../platform/context.js';
import { formatPlainDate } from '../platform/formats/format.js';
import type { Language } from '../platform/i18n.js';
import { countryName } from '../user/countries.js';
import { livePasswordOf } from '../user/livePassword.js';
import type { BillingAddress, User } from '../user/user.model.js';

/** Leaves out empty members (`docs/contract.md#conventions`). */
export function withoutEmpty<Members extends Record<string, string | null | undefined>>(
  members: Members,
): Partial<Record<keyof Members, string>> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as never;
}

/** User of `docs/contract.md#fields-user`, shown to the user only. */
export function userView(ctx: Context, user: User, language: Language) {
  return {
    userCode: user.userCode,
    profile: {
      language: user.language,
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      birthDate: formatPlainDate(user.birthDate),
      ...withoutEmpty({
        thumbnailId: user.thumbnailId,
        pageTitle: user.pageTitle,
        pageDescription: user.pageDescription,
        facebookUrl: user.facebookUrl,
        twitterContact: user.twitterContact,
        linkedinUrl: user.linkedinUrl,
      }),
    },
    finance: {
      ...withoutEmpty({
        paypalEmail: user.paypalEmail,
        companyName: user.companyName,
        vatNumber: user.vatNumber,
        taxCode: user.taxCode,
      }),
      billingAddress: billingAddressView(user.billingAddress, language),
    },
    features: {
      transcoderNotifyEnabled: user.transcoderNotifyEnabled,
      vodPublic: user.vodPublic,
      ...withoutEmpty({ livePassword: livePasswordOf(ctx, user) }),
    },
  };
}

export function billingAddressView(address: BillingAddress, language: Language) {
  const { state, country, city, street, zipCode } = address;
  return withoutEmpty({
    state,
    country,
    countryName: country ? countryName(country, language) : undefined,
    city,
    street,
    zipCode,
  });
}

/** Publisher of `docs/contract.md#fields-publisher`: the public data of a user. */
export function publisherView({ user, licenseExpired }: Publisher) {
  return {
    userCode: user.userCode,
    licenseExpired,
    ...withoutEmpty({
      pageTitle: user.pageTitle,
      pageDescription: user.pageDescription,
      thumbnailId: user.thumbnailId,
      facebookUrl: user.facebookUrl,
      twitterContact: user.twitterContact,
      linkedinUrl: user.linkedinUrl,
    }),
  };
}

/**
 * Response of both steps of a password reset: a User that contains only the user code. In the first step it is the code that the
 * caller sent, so that the response does not show whether the account exists.
 */
export function passwordResetView(userCode = '') {
  return {
    userCode,
    profile: { language: '', email: '', firstName: '', lastName: '', birthDate: '' },
    finance: { billingAddress: {} },
    features: { transcoderNotifyEnabled: false, vodPublic: true },
  };
}

/** A user in the response of a search: `docs/contract.md#users`. */
export function foundUserView({ user, licenseExpired }: Publisher) {
  return {
    userCode: user.userCode,
    licenseExpired,
    ...withoutEmpty({
      pageTitle: user.pageTitle,
      pageDescription: user.pageDescription,
      thumbnailId: user.thumbnailId,
    }),
  };
}
