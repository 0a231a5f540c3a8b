import Joi, { type ObjectSchema } from 'joi';
import type { UserUpdate } from '../../shared/user/profile.service.js';
import type { Registration } from '../../shared/user/registration.service.js';
import { countryCodeOf } from '../../shared/user/countries.js';
import { parsePlainDate } from '../../shared/platform/formats/format.js';
import { validationContextOf, reject, rejectAs } from '../../shared/platform/validation.js';
import { documented, noAlternatives, requires } from '../http/documented.js';
import { flag, id, optionalText, text, wire } from '../http/fields.js';
import { linkTemplate } from './linkTemplate.js';

/** Rules of `docs/contract.md#choices-users`. */
const leastAgeYears = 18;
const longestPassword = 256;

const userCode = rejectAs(
  Joi.string()
    .min(4)
    .max(50)
    .pattern(/^[a-zA-Z][a-zA-Z0-9]*(\.[a-zA-Z][a-zA-Z0-9]*)*$/),
  'user.userCodeForm',
  ['string.pattern.base'],
);

/** One line: names are inserted into mails, where further lines could pretend to be text of the service. */
const name = text(64).custom((given: string, helpers) =>
  /[\p{Cc}\u2028\u2029]/u.test(given) ? reject(helpers, 'validation.characters') : given,
);
const email = Joi.string().trim().max(128).email({ tlds: false });
const password = Joi.string().min(8).max(longestPassword);

/** dd/MM/yyyy of an adult; becomes yyyy-MM-dd. */
const birthDate = Joi.string()
  .trim()
  .custom((given: string, helpers) => {
    const date = parsePlainDate(given);
    if (date === undefined || date < '1900-01-01') return reject(helpers, 'validation.date');
    const latest = validationContextOf(helpers).clock.now();
    latest.setUTCFullYear(latest.getUTCFullYear() - leastAgeYears);
    return date <= latest.toISOString().slice(0, 10) ? date : reject(helpers, 'user.adult', { years: leastAgeYears });
  })
  .meta(documented({ pattern: '^(0[1-9]|[12][0-9]|3[01])/(0[1-9]|1[0-2])/(19|20)[0-9]{2}$' }))
  .description(`dd/MM/yyyy, at least ${leastAgeYears} years ago`)
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
      'Template of the link in the activation mail; every `${token}` is replaced. With it the account must be activated first',
    ),
});

/** URLs of other sites: http(s), or without a scheme, as people write them. Other schemes could run scripts. */
const pageAddress = rejectAs(
  optionalText(500).pattern(/^(https?:\/\/|(?![A-Za-z][A-Za-z0-9+.-]*:))/),
  'validation.webAddress',
  ['string.pattern.base'],
);

/** A code or a name; becomes the code. */
const country = optionalText(100)
  .custom((given: string, helpers) => countryCodeOf(given) ?? reject(helpers, 'user.country'))
  .example('IT')
  .description(
    'ISO 3166-1 alpha-2, or the name of the country in English, Italian, Spanish, French, Portuguese or German',
  );

const profile = Joi.object({
  language: optionalText(35),
  email: email.required(),
  firstName: name.required(),
  lastName: name.required(),
  birthDate: birthDate.required(),
  thumbnailId: id().empty(''),
  pageTitle: optionalText(200),
  pageDescription: optionalText(5000),
  facebookUrl: pageAddress,
  twitterContact: optionalText(200),
  linkedinUrl: pageAddress,
});

const finance = Joi.object({
  paypalEmail: email.empty(''),
  companyName: optionalText(200),
  companyConfirm: flag(),
  vatNumber: optionalText(50),
  taxCode: optionalText(50),
  billingAddress: Joi.object({
    state: optionalText(100),
    country,
    city: optionalText(100),
    street: optionalText(200),
    zipCode: optionalText(20),
  }),
});

export const userUpdateBody = Joi.object<UserUpdate>({
  profile: profile.required(),
  finance,
  features: Joi.object({
    transcoderNotifyEnabled: flag(),
    vodPublic: flag(),
    livePassword: Joi.string().max(100).allow('').description('Empty: no password. Left out: unchanged'),
  }),
  currentPassword: Joi.string()
    .max(longestPassword)
    .empty('')
    .description('With it a new e-mail takes effect at once; else when the link mailed to it was followed'),
});

export interface PasswordUpdate {
  readonly currentPassword: string;
  readonly newPassword: string;
}

export const passwordUpdateBody: ObjectSchema<PasswordUpdate> = Joi.object({
  currentPassword: Joi.string()
    .max(longestPassword)
    .required()
    .meta(documented({ minLength: 1 }))
    .description('The password until now.'),
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
    .description('Only where email is not given'),
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

/** Response of both steps of a password reset: a User in which the user code alone is filled in. */
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
