import type { Context } from '../../shared/platform/context.js';
import { formatPlainDate } from '../../shared/platform/format.js';
import type { Language } from '../../shared/platform/i18n.js';
import { countryName } from '../../shared/user/countries.js';
import { livePasswordOf } from '../../shared/user/updateUser.js';
import type { BillingAddress, User } from '../../shared/user/user.model.js';

/** Members that are empty are left out (`interface.md 1`). */
function given<Members extends Record<string, string | null | undefined>>(
  members: Members,
): Partial<Record<keyof Members, string>> {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as never;
}

/** User of `interface.md 2`, for the user alone. */
export function userView(ctx: Context, user: User, language: Language) {
  return {
    userCode: user.userCode,
    profile: {
      language: user.language,
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      birthDate: formatPlainDate(user.birthDate),
      ...given({
        thumbnailId: user.thumbnailId,
        pageTitle: user.pageTitle,
        pageDescription: user.pageDescription,
        facebookUrl: user.facebookUrl,
        twitterContact: user.twitterContact,
        linkedinUrl: user.linkedinUrl,
      }),
    },
    finance: {
      ...given({
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
      ...given({ livePassword: livePasswordOf(ctx, user) }),
    },
  };
}

function billingAddressView(address: BillingAddress, language: Language) {
  const { state, country, city, street, zipCode } = address;
  return given({
    state,
    country,
    countryName: country ? countryName(country, language) : undefined,
    city,
    street,
    zipCode,
  });
}

/** Publisher of `interface.md 2`: what everybody may see of a user. */
export function publisherView(user: User, licenseExpired = false) {
  return {
    userCode: user.userCode,
    licenseExpired,
    ...given({
      pageTitle: user.pageTitle,
      pageDescription: user.pageDescription,
      thumbnailId: user.thumbnailId,
      facebookUrl: user.facebookUrl,
      twitterContact: user.twitterContact,
      linkedinUrl: user.linkedinUrl,
    }),
  };
}
