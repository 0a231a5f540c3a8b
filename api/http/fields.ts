import Joi, {
  type AlternativesSchema,
  type AnySchema,
  type ArraySchema,
  type BooleanSchema,
  type NumberSchema,
  type Schema,
  type StringSchema,
} from 'joi';
import {
  formatPrice,
  isUuid,
  parseDate,
  parseIsoTime,
  parsePrice,
  type SentTime,
} from '../../shared/platform/formats/format.js';
import { documented, notBlank } from './documented.js';
import { blank, reject, rejectAs, validationContextOf } from '../../shared/platform/validation.js';

/**
 * Schemas of members that many requests and responses share. Request members are optional unless `.required()` is
 * called; null counts as not sent.
 */

/** A text that must not be blank. */
export function text(maxLength: number): StringSchema {
  return Joi.string().trim().max(maxLength).meta(documented(notBlank));
}

/** A text that may be blank; blank counts as not sent. */
export function optionalText(maxLength: number): StringSchema {
  return Joi.string().trim().max(maxLength).empty('');
}

/** The id of an entity in a body or as a path parameter: a UUID in any case, converted to lower case. */
export function id(): StringSchema {
  return Joi.string().trim().lowercase().guid({ separator: '-', wrapper: false });
}

/** An id that no item has (RFC 9562, 5.9). */
export const nilUuid = '00000000-0000-0000-0000-000000000000';

/**
 * An id of an item in a query or a body. A malformed id becomes the nil UUID, so that its response is the same as for an unknown
 * id (`docs/contract.md#choices-errors`).
 */
export function idOrNil(schema: StringSchema): StringSchema {
  return schema.custom((sent: string) => (isUuid(sent) ? sent.toLowerCase() : nilUuid));
}

/** Blank counts as not sent. */
export function flag(): BooleanSchema {
  return Joi.boolean().empty(blank);
}

/** Blank counts as not sent. */
export function integer(): NumberSchema {
  return Joi.number().integer().empty(blank);
}

/** A number, not necessarily an integer. Blank counts as not sent. */
export function decimal(): NumberSchema {
  return Joi.number().empty(blank);
}

/** One of these values; blank counts as not sent. */
export function choice(values: readonly string[]): AnySchema<string> {
  return Joi.valid(...values)
    .empty(blank)
    .meta(documented({ type: 'string' }));
}

/** A position in a list, from 0. */
export function position(description: string): NumberSchema {
  return integer().min(0).description(description);
}

const isoDay = '2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])';
const isoHour = '([01][0-9]|2[0-3]):[0-5][0-9]';

const day = Joi.string()
  .trim()
  .custom((value: string, helpers) => {
    // Years from 2000 to 2999 keep the date well-formed in every time zone.
    const isValid = /\/2\d{3}$/.test(value) && parseDate(value) !== undefined;
    return isValid ? value : reject(helpers, 'validation.date');
  })
  .meta(documented({ pattern: '^(0[1-9]|[12][0-9]|3[01])/(0[1-9]|1[0-2])/2[0-9]{3}$' }))
  .description('dd/MM/yyyy, from 2000 to 2999')
  .example('31/12/2026');

const timeOfDay = rejectAs(
  Joi.string()
    .trim()
    .pattern(/^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/),
  'validation.time',
  ['string.pattern.base'],
)
  .description('HH:mm:ss')
  .example('20:30:00');

const dateTimeObject = Joi.object({ date: day.required(), time: timeOfDay.required() });

const isoTime = rejectAs(Joi.string().trim(), 'validation.dateTime', ['string.base'])
  .custom((value: string, helpers) => {
    const time = parseIsoTime(value);
    return time !== undefined && value.startsWith('2') ? time : reject(helpers, 'validation.dateTime');
  })
  .meta(
    documented({
      pattern: `^${isoDay}(T${isoHour}(:[0-5][0-9](\\.[0-9]{1,9})?)?(Z|[+-]${isoHour})?)?$`,
    }),
  )
  .description(
    'ISO 8601: a moment with `Z` or an offset, else a time in the time zone of the request. A date without a time is its midnight. Fractions of a second are ignored.',
  )
  .example('2026-12-31T20:30');

/**
 * A date-time object of `docs/contract.md#conventions`, in the caller's local time, or an ISO 8601 text; `readTimes` converts
 * both to a moment.
 */
export function dateTime(): AlternativesSchema<SentTime> {
  return Joi.alternatives().conditional('.', { is: Joi.object(), then: dateTimeObject, otherwise: isoTime });
}

/** Tags without duplicates, in the order of the request. */
export function tags(): ArraySchema {
  return Joi.array()
    .items(Joi.string().trim().max(100).empty(''))
    .sparse()
    .max(50)
    .custom((value: (string | undefined)[]) => [...new Set(value.filter(Boolean))]);
}

const highestPriceCents = 99_999_999;

/**
 * A price such as "12,50", converted to cents; at least `MINIMUM_PRICE_CENTS`. Also accepts a decimal point, no decimals, and a
 * JSON number.
 */
export function price(): AnySchema<number> {
  return Joi.any()
    .empty(blank)
    .custom((value: unknown, helpers) => {
      const isText = typeof value === 'string' || typeof value === 'number';
      const cents = isText ? parsePrice(String(value).trim()) : undefined;
      const { minPriceCents } = validationContextOf(helpers).config.payments;
      const fits = cents !== undefined && cents >= minPriceCents && cents <= highestPriceCents;
      return fits ? cents : reject(helpers, 'validation.price', { minimum: formatPrice(minPriceCents) });
    })
    .meta(documented({ type: 'string', pattern: '^([1-9][0-9]{0,5}([.,][0-9]{1,2})?|0[.,](0[1-9]|[1-9][0-9]?))$' }))
    .example('12,50');
}

/**
 * A member that is used only with these values of a sibling member, by default `licenseType`. With other values it is ignored,
 * because forms also send their hidden inputs (`docs/contract.md#choices-requests`). Blank counts as not sent.
 */
export function onlyWith(values: string | readonly string[], then: Schema, sibling = 'licenseType'): AnySchema {
  return dependent(sibling, values, then, Joi.any().strip());
}

/** The same for a change: a body without the sibling is checked by the service against the stored row. */
export function unlessOther(values: string | readonly string[], then: Schema, sibling = 'licenseType'): AnySchema {
  return Joi.any()
    .empty(blank)
    .when(sibling, { is: Joi.valid(...[values].flat()), then, otherwise: Joi.any().strip() });
}

/** A filter that is rejected unless the sibling filter `licenseType` has this value. */
export function filterWith(licenseType: string, then: Schema): AnySchema {
  const rejected = Joi.any().custom((_given, helpers) => reject(helpers, 'vod.onlyWithLicense', { licenseType }));
  return dependent('licenseType', licenseType, then, rejected);
}

function dependent(sibling: string, values: string | readonly string[], then: Schema, otherwise: Schema): AnySchema {
  return Joi.any()
    .empty(blank)
    .when(sibling, { is: Joi.valid(...[values].flat()).required(), then, otherwise });
}

/** Members of responses, in their exact format. Tests validate every response with them. */
export const wire = {
  id: () => Joi.string().guid({ separator: '-', wrapper: false }),
  date: () =>
    Joi.string()
      .pattern(/^\d{2}\/\d{2}\/\d{4}$/)
      .example('31/12/2026'),
  dateTime: () =>
    Joi.object({
      date: wire.date().required(),
      time: Joi.string()
        .pattern(/^\d{2}:\d{2}:\d{2}$/)
        .required()
        .example('20:30:00'),
    }),
  duration: () =>
    Joi.string()
      .pattern(/^\d+:[0-5]\d$/)
      .description('Length as `minutes:seconds`; minutes may be greater than 59.')
      .example('3:07'),
  contentId: () =>
    Joi.string()
      .pattern(/^urn:.+:content:[0-9a-f-]{36}$/)
      .example('urn:video:content:6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20'),
  tags: () => Joi.array().items(Joi.string()),
  price: () =>
    Joi.string()
      .pattern(/^\d+,\d{2}$/)
      .example('12,50'),
};

/**
 * For `.meta`: the name in `/openapi.json` of a schema that wraps another one. A page of `VodItem` is named `VodItemPage`.
 */
export function namedAfter(schema: Schema, ending: string): { className: string } {
  const metas = (schema.$_terms['metas'] ?? []) as readonly { readonly className?: string }[];
  const name = metas.findLast(({ className }) => className !== undefined)?.className;
  if (name === undefined) throw new Error(`a schema without a name has no name with ${ending}`);
  return { className: `${name}${ending}` };
}

/** A publisher in responses: `docs/contract.md#fields-publisher`. */
export const publisherResponse = Joi.object({
  userCode: Joi.string().required(),
  licenseExpired: Joi.boolean().required(),
  pageTitle: Joi.string(),
  pageDescription: Joi.string(),
  thumbnailId: wire.id(),
  facebookUrl: Joi.string(),
  twitterContact: Joi.string(),
  linkedinUrl: Joi.string(),
}).meta({ className: 'Publisher' });

/** The file part of an upload: the result of the form's `store`. */
export const filePart = rejectAs(Joi.object().unknown().required(), 'upload.required', ['any.required']);
