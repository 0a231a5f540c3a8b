import fc from 'fast-check';
import { hostileTexts } from './hostileValues.js';
import { Known, type Tree } from './jsonTree.js';

/** The JSON Schema keywords that the OpenAPI document uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly Tree[];
  readonly const?: Tree;
  readonly oneOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly Tree[];
}

/** Maps members and parameters to the names of their fixture values. */
const knownNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      ...['boxId', 'vodId', 'bundleId', 'marketplaceId', 'thumbnailId', 'contentId', 'userCode', 'trackingId'],
      ...['licenseName', 'token', 'grant', 'password', 'refresh_token', 'progressId', 'queryString', 'tags'],
      ...['activationUrl', 'provider', 'path', 'channelId', 'eventId', 'streamPath', 'date', 'time', 'integration'],
      ...['castChannelId', 'streamId', 'programId', 'day'],
    ].map((name) => [name, name]),
  ),
  ...{ excludeBundleId: 'bundleId', excludeUserCode: 'userCode', username: 'userCode', currentPassword: 'password' },
  ...{
    streamName: 'streamPath',
    vod: 'vodId',
    cast: 'castChannelId',
    returnUrl: 'url',
    cancelUrl: 'url',
    price: 'price',
    activationPrice: 'price',
    pricePerView: 'price',
  },
  ...{
    confirmationUrl: 'activationUrl',
    reference: 'reference',
    language: 'language',
    country: 'country',
    birthDate: 'birthDate',
    email: 'email',
  },
};

/** Values that usually match a schema; a name with fixture values usually gets one of them. */
export function fromSchema(schema: JsonSchema, name = ''): fc.Arbitrary<Tree> {
  const fitting = fittingTo(schema, name);
  const known = knownNames[name];
  if (known === undefined || isOf(schema, 'array') || isOf(schema, 'object')) return fitting;
  const value = fc.nat(20).map((number): Tree => new Known(known, number));
  return fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fitting });
}

function isOf(schema: JsonSchema, type: string): boolean {
  return [schema.type ?? []].flat().includes(type);
}

function fittingTo(schema: JsonSchema, name: string): fc.Arbitrary<Tree> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  const choices = (schema.oneOf ?? schema.anyOf ?? []).filter((one) => Object.keys(one).length > 0);
  const [first, ...others] = choices;
  if (first && !schema.type) return fc.oneof(fromSchema(first, name), ...others.map((one) => fromSchema(one, name)));
  if (isOf(schema, 'object') || schema.properties) return objectOf(schema);
  if (isOf(schema, 'array')) {
    const { minItems: minLength = 0, maxItems = 5 } = schema;
    return fc.array(fromSchema(schema.items ?? {}, name), {
      minLength,
      maxLength: Math.max(minLength, Math.min(5, maxItems)),
    });
  }
  if (isOf(schema, 'integer') || isOf(schema, 'number')) return numberOf(schema);
  if (isOf(schema, 'boolean')) return fc.constantFrom<Tree>(true, false, 'true', 'false');
  return textOf(schema);
}

/** Required members always, others rarely: many combinations of optional members are invalid. */
function objectOf({ properties = {}, required = [] }: JsonSchema): fc.Arbitrary<Tree> {
  const members = Object.entries(properties).map(([name, schema]) => {
    const value = fromSchema(schema, name);
    return required.includes(name)
      ? value.map((one) => [name, one] as const)
      : fc.option(value, { freq: 2 }).map((one) => [name, one] as const);
  });
  return fc
    .tuple(...members)
    .map((all) => Object.fromEntries(all.filter(([name, value]) => value !== null || required.includes(name))));
}

function numberOf({ minimum = -10, maximum = 1_000_000, ...schema }: JsonSchema): fc.Arbitrary<Tree> {
  const small = fc.integer({ min: Math.ceil(minimum), max: Math.floor(Math.min(maximum, minimum + 12)) });
  const any = fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) });
  const parts = isOf(schema, 'number') ? [fc.double({ min: minimum, max: maximum, noNaN: true })] : [];
  return fc.oneof(small, any, any.map(String), ...parts) as fc.Arbitrary<Tree>;
}

function textOf(schema: JsonSchema): fc.Arbitrary<Tree> {
  const { minLength = 0, maxLength = 1_000, examples = [] } = schema;
  const most = Math.min(Math.max(minLength, maxLength), 3_000);
  const shaped =
    schema.format === 'uuid'
      ? fc.uuid()
      : schema.format === 'email'
        ? fc.emailAddress()
        : schema.pattern
          ? matching(schema.pattern)
          : fc.oneof(
              fc.string({ minLength, maxLength: Math.min(most, 20 + minLength) }),
              fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(most, 20 + minLength) }),
              fc.constantFrom(...hostileTexts).map((text) => text.slice(0, maxLength)),
              fc.constant('x'.repeat(most)),
            );
  return examples.length > 0 ? fc.oneof(fc.constantFrom(...examples), shaped) : shaped;
}

/** fast-check does not support lookahead; the patterns that use it describe URLs. */
function matching(pattern: string): fc.Arbitrary<string> {
  return pattern.includes('(?') ? fc.oneof(fc.webUrl(), fc.string()) : fc.stringMatching(new RegExp(pattern));
}
