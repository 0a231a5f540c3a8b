/**
 * Rules that joi checks with references or functions, as JSON Schema for `/openapi.json`. The values of `.meta`:
 * `text.meta(documented({ pattern }))`. Tests compare documented and enforced rules (`test/contract/requests.test.ts`).
 */
type JsonSchema = Readonly<Record<string, unknown>>;

/** Keywords that are added to the documented schema. */
export function documented(keywords: JsonSchema): { swagger: JsonSchema } {
  return { swagger: keywords };
}

/** Removes the alternatives that joi's `when` documents, if other keywords already express them. */
export const noAlternatives: JsonSchema = { anyOf: undefined, oneOf: undefined };

/** A text that is not blank. */
export const notBlank: JsonSchema = { minLength: 1, pattern: '\\S' };

/** These members are required. They are also listed as properties, because tools expect a schema to have its required members. */
export function requires(...names: readonly string[]): JsonSchema {
  return { properties: Object.fromEntries(names.map((name) => [name, {}])), required: names };
}

/** `{ if: the member has this value, then: ... }` */
function ifEqual(member: string, value: string, then: JsonSchema): JsonSchema {
  return { if: { properties: { [member]: { const: value } }, required: [member] }, then };
}

/** The members that each value of a member needs: `needs('licenseType', { PAY_PER_VIEW: ['pricePerView'] })`. */
export function needs(member: string, required: Readonly<Record<string, readonly string[]>>): JsonSchema[] {
  return Object.entries(required).map(([value, names]) => ifEqual(member, value, requires(...names)));
}

/** A filter that is permitted only with this value of `licenseType`. */
export function filterNeeds(filter: string, licenseType: string): JsonSchema {
  return {
    if: requires(filter),
    then: { properties: { licenseType: { const: licenseType } }, required: ['licenseType'] },
  };
}

/** The maximum `duration` with each `durationUnit`. */
export function durationLimits(limits: Readonly<Record<string, number>>): JsonSchema[] {
  return Object.entries(limits).map(([unit, maximum]) =>
    ifEqual('durationUnit', unit, { properties: { duration: { maximum } } }),
  );
}
