import Joi, { type ObjectSchema } from 'joi';
import type { UserUpdate } from '../../shared/user/profile.service.js';
import type { Registration } from '../../shared/user/registration.service.js';
import { countryCodeOf } from '../../shared/user/countries.js';
import { formatPlainDate, parsePlainDate } from '../../shared/platform/formats/format.js';
import { validationContextOf, reject, rejectAs } from '../../shared/platform/validation.js';
import { documented, noAlternatives, requires } from '../http/documented.js';
import { changeBody } from '../http/changeBody.js';
import { flag, id, optionalText, text, wire } from '../http/fields.js';
import { linkTemplate } from './linkTemplate.js';

/** Rules of `docs/contract.md#choices-users`. */
const minAgeYears = 18;
const maxPassword = 256;

const userCode = rejectAs(
  Joi.string()
    .min(4)
    .max(50)
    .pattern(/^[a-zA-Z][a-zA-Z0-9]*(\.[a-zA-Z][a-zA-Z0-9]*)*$/),
  'user.userCodeForm',
  ['string.pattern.base'],
);

/** One line: names are inserted into mails, where further lines could imitate text of the service. */
const name = text(64).custom((value: string, helpers) =>
  /[\p{Cc}\u2028\u2029]/u.test(value) ? reject(helpers, 'validation.characters') : value,
);
const email = Joi.string().trim().max(128).email({ tlds: false });
const password = Joi.string().min(8).max(maxPassword);

/** dd/MM/yyyy or yyyy-MM-dd of an adult; converted to yyyy-MM-dd. */
const birthDate = Joi.string()
  .trim()
  .custom((value: string, helpers) => {
    const date = parsePlainDate(/^\d{4}-\d{2}-\d{2}$/.test(value) ? formatPlainDate(value) : value);
    if (date === undefined || date < '1900-01-01') return reject(helpers, 'user.date');
    const latest = validationContextOf(helpers).clock.now();
    latest.setUTCFullYear(latest.getUTCFullYear() - minAgeYears);
    return date <= latest.toISOString().slice(0, 10) ? date : reject(helpers, 'user.adult', { years: minAgeYears });
  })
  .meta(
    documented({
      pattern:
        '^((0[1-9]|[12][0-9]|3[01])/(0[1-9]|1[0-2])/(19|20)[0-9]{2}|(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))$',
    }),
  )
  .description(`dd/MM/yyyy or yyyy-MM-dd, at least ${minAgeYears} years ago and not before 1900.`)
  .example('31/12/1990');

export const registerBody: ObjectSchema<Registration> = Joi.object({
  userCode: userCode.required().example('ada.lovelace'),
  password: password.required(),
  passwordConfirm: Joi.string().valid(Joi.ref('password')).required().strip().description('Equal to `password`'),
  firstName: name.required(),
  lastName: name.required(),
  birthDate: birthDate.required(),
  email: email.required(),
  language: text(35).required().example('en'),
  conditionsAccepted: rejectAs(flag().valid(true), 'user.conditions', ['any.only'])
    .required()
    .strip()
    .meta(documented({ enum: [true] }))
    .description('The user accepts the terms of use; must be true.'),
  activationUrl: linkTemplate()
    .empty('')
    .example('https://example.org/activate?token=${token}')
    .description(
      'Template of the link in the activation mail; every `${token}` is replaced. If sent, the account must be activated first',
    ),
});

/** A text of the account; an empty text removes it. */
const removable = (maxLength: number) => Joi.string().trim().max(maxLength).allow('');

/** URLs of other sites: http(s), or without a scheme, as users type them. Other schemes could run scripts. */
const pageAddress = rejectAs(
  removable(500).pattern(/^(https?:\/\/|(?![A-Za-z][A-Za-z0-9+.-]*:))/),
  'validation.webAddress',
  ['string.pattern.base'],
);

/** A code or a name; converted to the code. */
const country = removable(100)
  .custom((value: string, helpers) => countryCodeOf(value) ?? reject(helpers, 'user.country'))
  .example('IT')
  .description(
    'ISO 3166-1 alpha-2, or the name of the country in English, Italian, Spanish, French, Portuguese or German, whatever its case, accents and punctuation.',
  );

/** The members that make a profile complete. */
const profile = {
  email,
  firstName: name,
  lastName: name,
  birthDate,
};
const profileTexts = {
  pageTitle: removable(200),
  pageDescription: removable(5000),
  facebookUrl: pageAddress,
  twitterContact: removable(200),
  linkedinUrl: pageAddress,
};
const financeTexts = {
  paypalEmail: email.allow(''),
  companyName: removable(200),
  vatNumber: removable(50),
  taxCode: removable(50),
};
const addressTexts = {
  state: removable(100),
  country,
  city: removable(100),
  street: removable(200),
  zipCode: removable(20),
};

const emptyTexts = (texts: object) => Object.fromEntries(Object.keys(texts).map((member) => [member, '']));

/**
 * A body with a complete profile replaces the account, except `finance` and `features` if they are left out: texts that it leaves
 * out of a part are cleared. Every other body is partial (`docs/contract.md#choices-users`).
 */
function completeAccount(update: UserUpdate): UserUpdate {
  const { profile: sent = {}, finance } = update;
  if (!Object.keys(profile).every((member) => member in sent)) return update;
  const address = { ...emptyTexts(addressTexts), ...finance?.billingAddress };
  return {
    ...update,
    profile: { ...emptyTexts(profileTexts), thumbnailId: '', ...sent },
    ...(finance ? { finance: { ...emptyTexts(financeTexts), ...finance, billingAddress: address } } : {}),
  };
}

export const userUpdateBody = changeBody(
  Joi.object<UserUpdate>({
    profile: Joi.object({
      language: optionalText(35),
      ...profile,
      thumbnailId: id().allow(''),
      ...profileTexts,
    }).required(),
    finance: Joi.object({ ...financeTexts, companyConfirm: flag(), billingAddress: Joi.object(addressTexts) }),
    features: Joi.object({
      transcoderNotifyEnabled: flag(),
      vodPublic: flag(),
      livePassword: Joi.string().max(100).allow('').description('Empty: no password. Left out: unchanged'),
    }),
    currentPassword: Joi.string()
      .max(maxPassword)
      .empty('')
      .description(
        'If sent, a new e-mail address takes effect immediately; otherwise when its mailed link is confirmed',
      ),
  }),
  { example: { features: { livePassword: 'the river 1' } } },
).custom(completeAccount);

export interface PasswordUpdate {
  readonly currentPassword: string;
  readonly newPassword: string;
}

export const passwordUpdateBody: ObjectSchema<PasswordUpdate> = Joi.object({
  currentPassword: Joi.string()
    .max(maxPassword)
    .required()
    .meta(documented({ minLength: 1 }))
    .description('The current password.'),
  newPassword: password.required().description('8 to 256 characters.'),
  passwordConfirm: Joi.string().valid(Joi.ref('newPassword')).required().strip().description('Equal to `newPassword`'),
});

export interface PasswordResetBody {
  readonly userCode?: string;
  readonly email?: string;
  readonly confirmationUrl: string;
}

/** Exactly one of e-mail and user code. Any user code is accepted: the response does not show whether it exists. */
export const passwordResetBody: ObjectSchema<PasswordResetBody> = Joi.object({
  email: email.empty(''),
  userCode: Joi.string()
    .trim()
    .max(128)
    .empty('')
    .when('email', { is: Joi.exist(), then: Joi.forbidden(), otherwise: Joi.required() })
    .meta(documented(noAlternatives))
    .description('Instead of `email`: send exactly one of them.'),
  confirmationUrl: linkTemplate()
    .required()
    .example('https://example.org/renew?token=${token}')
    .description('Template of the mailed link; every `${token}` is replaced'),
})
  .meta(documented({ allOf: [{ oneOf: [requires('email'), requires('userCode')] }] }))
  .example({ email: 'ada@example.org', confirmationUrl: 'https://example.org/renew?token=${token}' });

/** The token of a mailed link. */
export const mailTokenQuery = Joi.object<{ token: string }>({
  token: Joi.string()
    .required()
    .meta(documented({ minLength: 1 }))
    .description('The token of the mailed link.'),
});

/** Response of both steps of a password reset: a User with only the user code. */
export const passwordResetResponse = Joi.object({
  userCode: Joi.string().allow('').required(),
  profile: Joi.object({
    language: Joi.valid('').required(),
    email: Joi.valid('').required(),
    firstName: Joi.valid('').required(),
    lastName: Joi.valid('').required(),
    birthDate: Joi.valid('').required(),
  }).required(),
  finance: Joi.object({ billingAddress: Joi.object({}).required() }).required(),
  features: Joi.object({
    transcoderNotifyEnabled: Joi.boolean().required(),
    vodPublic: Joi.boolean().required(),
  }).required(),
}).meta({ className: 'AskedForUser' });

/** A user in the response of a search: `docs/contract.md#users`. */
export const foundUserResponse = Joi.object({
  userCode: Joi.string().required(),
  licenseExpired: Joi.boolean().required(),
  pageTitle: Joi.string(),
  pageDescription: Joi.string(),
  thumbnailId: wire.id(),
}).meta({ className: 'FoundUser' });

/** Address of `docs/contract.md#fields-address`. */
export const billingAddressResponse = Joi.object({
  state: Joi.string(),
  country: Joi.string().length(2),
  countryName: Joi.string(),
  city: Joi.string(),
  street: Joi.string(),
  zipCode: Joi.string(),
}).meta({ className: 'Address' });

/** User of `docs/contract.md#fields-user`. */
export const userResponse = Joi.object({
  userCode: Joi.string().required(),
  profile: Joi.object({
    language: Joi.string().required(),
    email: Joi.string().required(),
    firstName: Joi.string().required(),
    lastName: Joi.string().required(),
    birthDate: wire.date().required(),
    thumbnailId: wire.id(),
    pageTitle: Joi.string(),
    pageDescription: Joi.string(),
    facebookUrl: Joi.string(),
    twitterContact: Joi.string(),
    linkedinUrl: Joi.string(),
  }).required(),
  finance: Joi.object({
    paypalEmail: Joi.string(),
    companyName: Joi.string(),
    vatNumber: Joi.string(),
    taxCode: Joi.string(),
    billingAddress: billingAddressResponse.required(),
  }).required(),
  features: Joi.object({
    transcoderNotifyEnabled: Joi.boolean().required(),
    vodPublic: Joi.boolean().required(),
    livePassword: Joi.string(),
  }).required(),
}).meta({ className: 'User' });
