import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { Config } from '../../shared/platform/config.js';
import { spoilt } from './hostileValues.js';
import type { Operation } from '../support/description.js';
import type { Caller, Frame, FuzzCase } from './requests.js';
import { isList, isObject, writeJson, writeText, type Names, type Tree } from './jsonTree.js';
import { image, type Target } from './publisher.js';
import type { Fixtures } from './fixtures.js';

/** A request as sent over the wire. */
export interface WireRequest {
  readonly method: string;
  /** The literal path, including the base path. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer | null;
}

const largeBytes = 1_100_000;

/** Builds the request of a case: placeholders are replaced with values of the current fixtures. */
export function assemble(operation: Operation, one: FuzzCase, here: Fixtures, { ctx, url }: Target): WireRequest {
  const fixtures = { ...here, names: { ...here.names, ...freshNames() } };
  const caller = callerOf(operation, one.caller, fixtures, ctx.config);
  const query = [
    ...one.query.map(([name, value]) => [name, writeText(value, fixtures.names)] as const),
    ...caller.query,
  ];
  const base = new URL(url).pathname.replace(/\/$/, '');
  const content = contentOf(operation, one, fixtures.names);
  const own =
    content && !one.headers.some(([name]) => name === 'Content-Type') ? [['Content-Type', content.type] as const] : [];
  return {
    method: operation.method,
    path: base + pathOf(operation, one, fixtures.names) + written(query),
    headers: [...caller.headers, ...own, ...(content?.headers ?? []), ...one.headers],
    body: content?.bytes ?? null,
  };
}

/** A user code and an e-mail address that are not in use. */
function freshNames(): Names {
  const code = `fresh${randomBytes(6).toString('hex')}`;
  return { freshCode: [code], freshEmail: [`${code}@example.org`], freshPath: [code] };
}

/** Lone surrogates have no percent-encoded form: Buffer replaces them. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function pathOf({ path }: Operation, one: FuzzCase, names: Names): string {
  // Never empty: an empty segment is the path of another operation with other responses.
  const values = one.path.map((value) => writeText(value, names).slice(0, 1_000) || ' ');
  const filled = path.replace(/\{\w+\}/g, () => {
    const value = values.shift() ?? '';
    // The route `encoded` sends values unencoded where a URL allows their characters: invalid encodings, `..`.
    return one.route === 'encoded' && /^[!-~]*$/.test(value) && !/[?#]/.test(value) ? value : encoded(value);
  });
  switch (one.route) {
    case 'slash':
      return `${filled}/`;
    case 'doubled':
      return `/${filled.replaceAll('/', '//')}`;
    case 'dots':
      return `/x/..${filled}/.`;
    case 'long':
      return `${filled}?${'x'.repeat(6_000)}=1`;
    default:
      return filled;
  }
}

function written(query: readonly (readonly [string, string])[]): string {
  if (query.length === 0) return '';
  return `?${query.map(([name, value]) => `${encoded(name)}=${encoded(value.slice(0, 1_000))}`).join('&')}`;
}

type Pairs = readonly (readonly [string, string])[];

function callerOf(
  { access, path }: Operation,
  caller: Caller,
  { tokens }: Fixtures,
  { oauth, operator, integration }: Pick<Config, 'oauth' | 'operator' | 'integration'>,
): { readonly headers: Pairs; readonly query: Pairs } {
  const asHeader = (value: string): Pairs => [['Authorization', value]];
  const basicOf = (name: string, secret: string): string =>
    `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
  const basic = basicOf(oauth.clients[0].id, oauth.clients[0].secret);
  // Some open paths accept operator credentials; the others ignore credentials.
  const right = {
    basic: path.startsWith('/rest/') ? basicOf(integration!.user, integration!.password) : basic,
    open: basicOf(operator.user, operator.password),
    public: `Bearer ${tokens.public}`,
    user: `Bearer ${tokens.user}`,
  }[access];
  switch (caller) {
    case 'right':
      return { headers: asHeader(right), query: [] };
    case 'other':
      return { headers: asHeader(`Bearer ${tokens.other}`), query: [] };
    case 'public':
      return { headers: asHeader(`Bearer ${tokens.public}`), query: [] };
    case 'nobody':
      return { headers: [], query: [] };
    case 'garbage':
      return { headers: asHeader('Bearer \u00ff%00..'), query: [] };
    case 'basic':
      return { headers: asHeader(basic), query: [] };
    case 'inQuery':
      return { headers: [], query: [['access_token', tokens.user]] };
    case 'twice':
      return {
        headers: asHeader(right),
        query: [
          ['access_token', tokens.other],
          ['access_token', tokens.user],
        ],
      };
  }
}

interface Content {
  readonly type: string;
  readonly bytes: Buffer;
  readonly headers?: Pairs;
}

function contentOf(operation: Operation, one: FuzzCase, names: Names): Content | null {
  if (one.body === null) return null;
  const tree = one.spoils.reduce<Tree>(spoilt, one.body);
  const type = one.frame === 'form' ? 'multipart/form-data' : (operation.body?.type ?? 'application/json');
  const content =
    type === 'multipart/form-data'
      ? formOf(tree, operation, names)
      : { type, bytes: Buffer.from(type === 'application/json' ? writeJson(tree, names) : urlEncoded(tree, names)) };
  return { ...content, ...framed(content.bytes, one.frame) };
}

function framed(bytes: Buffer, frame: Frame): Pick<Content, 'bytes' | 'headers'> {
  const text = (value: string) => ({ bytes: Buffer.from(value) });
  switch (frame) {
    case 'empty':
      return text('');
    case 'cut':
      return { bytes: bytes.subarray(0, Math.floor(bytes.length / 2)) };
    case 'junk':
      return text('{"a":');
    case 'null':
      return text('null');
    case 'encodedTwice':
      return text(JSON.stringify(bytes.toString()));
    case 'list':
      return { bytes: Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')]) };
    case 'mark':
      return { bytes: Buffer.concat([Buffer.from('\ufeff'), bytes]) };
    case 'bytes':
      return { bytes: Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, ...bytes.subarray(0, 50)]) };
    case 'large':
      return { bytes: Buffer.concat([bytes, Buffer.alloc(largeBytes, ' ')]) };
    case 'compressed':
      return { bytes: gzipSync(bytes), headers: [['Content-Encoding', 'gzip']] };
    default:
      return { bytes };
  }
}

function urlEncoded(tree: Tree, names: Names): string {
  if (!isObject(tree)) return writeText(tree, names);
  return membersOf(tree)
    .map(([name, value]) => `${encoded(name)}=${encoded(writeText(value, names))}`)
    .join('&');
}

/** A list becomes one field with several values. */
function membersOf(tree: { readonly [name: string]: Tree }): [string, Tree][] {
  return Object.entries(tree).flatMap(([name, value]): [string, Tree][] =>
    isList(value) ? value.map((one) => [name, one]) : [[name, value]],
  );
}

/** A multipart form. The file field is the one whose schema has a `contentMediaType`. */
function formOf(tree: Tree, { body }: Operation, names: Names): Content {
  const boundary = `----${randomBytes(8).toString('hex')}`;
  const file =
    Object.entries(body?.schema.properties ?? {}).find(([, schema]) => 'contentMediaType' in schema)?.[0] ?? 'file';
  const members = isObject(tree) ? membersOf(tree) : [];
  const part = (name: string, more: string, value: Buffer): Buffer[] => [
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name.replace(/["\r\n]/g, '%22')}"${more}\r\n\r\n`,
    ),
    value,
    Buffer.from('\r\n'),
  ];
  const isSpoilt = members.some(([name, value]) => name === file && typeof value !== 'string');
  const bytes = Buffer.concat([
    ...members
      .filter(([name]) => name !== file)
      .flatMap(([name, value]) => part(name, '', Buffer.from(writeText(value, names)))),
    ...(isSpoilt ? [] : part(file, '; filename="dot.png"\r\nContent-Type: image/png', image)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, bytes };
}
