import fc from 'fast-check';
import { correctBodies, toleratedBodies } from './bodies.js';
import { fromSchema } from './fromSchema.js';
import { hostileTexts, hostileValue, spoil, type Spoil } from './hostileValues.js';
import type { Operation } from '../support/description.js';
import type { Tree } from './jsonTree.js';

/** One generated request, before tokens and ids are filled in. */
export interface FuzzCase {
  readonly caller: Caller;
  readonly path: readonly Tree[];
  /** The changes of the complete path. */
  readonly route: 'plain' | 'slash' | 'doubled' | 'dots' | 'encoded' | 'long';
  readonly query: readonly (readonly [string, Tree])[];
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Tree | null;
  readonly spoils: readonly Spoil[];
  /** The changes of the body's bytes. */
  readonly frame: Frame;
}

export type Caller = 'right' | 'other' | 'public' | 'nobody' | 'garbage' | 'basic' | 'inQuery' | 'twice';
const frames = [
  ...([
    'empty',
    'cut',
    'junk',
    'null',
    'encodedTwice',
    'list',
    'mark',
    'bytes',
    'large',
    'compressed',
    'form',
  ] as const),
] as const;
export type Frame = 'plain' | (typeof frames)[number];

function mostly<Value>(usual: Value, ...others: readonly Value[]): fc.Arbitrary<Value> {
  return fc.oneof({ weight: 14, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) });
}

/** Requests of an operation: most are correct except in one position. */
export function casesOf(operation: Operation): fc.Arbitrary<FuzzCase> {
  const inside = (where: string) => operation.parameters.filter((one) => one.in === where);
  const path = inside('path').map(({ name, schema }) =>
    fc.oneof(
      { weight: 6, arbitrary: fromSchema(schema, fixtureOf(operation, name)) },
      { weight: 1, arbitrary: hostileValue },
    ),
  );
  return fc.record<FuzzCase>({
    caller: mostly<Caller>('right', 'other', 'other', 'public', 'nobody', 'garbage', 'basic', 'inQuery', 'twice'),
    path: fc.tuple(...path),
    route: mostly<FuzzCase['route']>('plain', 'slash', 'doubled', 'dots', 'encoded', 'long'),
    query: queryOf(operation),
    headers: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: oddHeaders }),
    body: bodyOf(operation),
    spoils: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(spoil, { minLength: 1, maxLength: 3 }) },
    ),
    frame: mostly<Frame>('plain', 'encodedTwice', ...frames),
  });
}

/** Cast channels and days share the names of other parameters. */
function fixtureOf({ name: operation }: Operation, parameter: string): string {
  if (!operation.includes('/cast/')) return parameter;
  return { channelId: 'castChannelId', date: 'day' }[parameter] ?? parameter;
}

function bodyOf({ name, body }: Operation): fc.Arbitrary<Tree | null> {
  const correct = [...(correctBodies[name] ?? []), ...(toleratedBodies[name] ?? [])];
  if (!body) return mostly<Tree | null>(null, {}, { a: 1 });
  const described = fromSchema(body.schema);
  if (correct.length === 0) return described;
  return fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...correct) }, { weight: 1, arbitrary: described });
}

function queryOf({ parameters }: Operation): fc.Arbitrary<[string, Tree][]> {
  const own = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => fromSchema(schema, name).map((value): [string, Tree] => [name, value]));
  const names = [...parameters.map(({ name }) => name), 'access_token', 'a[b]', 'a[]', '__proto__', 'a.b', '', 'page'];
  const stray = fc.tuple(fc.constantFrom(...names), hostileValue);
  return fc.oneof(
    { weight: 6, arbitrary: fc.tuple(...own) },
    {
      weight: 1,
      arbitrary: fc.tuple(...own).chain((all) => fc.array(stray, { maxLength: 3 }).map((more) => [...all, ...more])),
    },
    { weight: 1, arbitrary: fc.array(stray, { maxLength: 3 }) },
  );
}

/** Only texts whose characters are permitted in headers. */
const headerTexts = hostileTexts.filter((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text) && text.length < 1_000);

const contentTypes = [
  ...[
    ...['application/json', 'text/plain', 'application/xml', 'application/json; charset=utf-16'],
    'application/json;charset=x',
  ],
  ...['multipart/form-data', 'multipart/form-data; boundary=', 'multipart/form-data; boundary=x', '', ';', 'a/b/c'],
  ...['application/x-www-form-urlencoded', 'application/json, application/json', 'image/png'],
];

/** Valid and invalid values by header. */
const headerValues: Readonly<Record<string, readonly string[]>> = {
  'Accept-Language': ['it', 'pt-BR,pt;q=0.9', 'xx', '*', 'en;q=nan', 'it;q=0', 'a,'.repeat(500), '-', ';;;,,,'],
  'X-Service-timezone': [
    ...['3600000', '-43200000', 'Europe/Rome', 'africa/cairo', 'Etc/GMT+12', 'NaN', '1e400'],
    ...['99999999999999999999', '1.5', '-', '0x10', '8640000000000001'],
  ],
  'X-Service-progressbarId': ['a', '../x', 'x'.repeat(500), '%00', '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20'],
  'Content-Type': contentTypes,
  'Content-Encoding': ['gzip', 'br', 'deflate', 'x', 'identity'],
  Accept: ['text/html', 'text/csv', '*/*;q=0', 'application/xml', ',', 'text/event-stream'],
  Range: ['bytes=0-', 'bytes=-1', 'bytes=9-1', 'bytes=0-0,2-3', 'x=1', 'bytes=99999999999999999999-'],
  'If-None-Match': ['*', '"x"', 'W/"x"', ''],
  'If-Modified-Since': ['Thu, 01 Jan 1970 00:00:00 GMT', 'yesterday'],
  'X-Forwarded-For': ['127.0.0.1', '::1', 'x, y', '999.999.999.999'],
  'X-Forwarded-Proto': ['https', 'x'],
  'X-HTTP-Method-Override': ['DELETE', 'GET'],
  Host: ['evil.example.org', 'x:99999', ''],
  Origin: ['null', 'https://evil.example.org'],
  Cookie: ['a=b', '__proto__=1'],
};

const oddHeaders: fc.Arbitrary<(readonly [string, string])[]> = fc.array(
  fc
    .constantFrom(...Object.keys(headerValues))
    .chain((name) =>
      fc
        .oneof(
          { weight: 4, arbitrary: fc.constantFrom(...(headerValues[name] ?? [])) },
          { weight: 1, arbitrary: fc.constantFrom(...headerTexts) },
        )
        .map((value) => [name, value] as const),
    ),
  { minLength: 1, maxLength: 3 },
);
