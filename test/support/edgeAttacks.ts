/** Queries that a cache and the service behind it may interpret differently. */
export const edgeQueries: readonly string[] = [
  ...['dvr=1', 'DVR=1', 'Dvr=1', '%64vr=1', 'dvr=%31', 'dvr=%2531', '%2564vr=1', 'dvr=1%0A', 'dvr=1%00', 'dvr=+1'],
  ...['dvr', 'dvr=', 'dvr==1', 'dvr%3D1', 'dvr=1%26x=1', 'dvr=1;x=1', 'x=1;dvr=1', '?dvr=1', '??dvr=1', 'dvr=1#x'],
  ...['dvr=1&dvr=0', 'dvr=0&dvr=1', 'dvr=&dvr=1', '%64vr=1&dvr=0', 'dvr[]=1', '&&dvr=1&&', 'x=1&dvr=1', 'dvr=01'],
  ...[
    'session=a&dvr=1',
    'session=dvr%3D1',
    'session=a%26dvr=1',
    'dvr=%EF%BC%91',
    'dvr=%',
    '%=1',
    'dvr=%u0031',
    '%FF=1',
  ],
  ...['_HLS_skip=YES', '%5FHLS_skip=YES', '_HLS_skip=v2', '_HLS_skip=yes', '_HLS_SKIP=YES', '_HLS_skip=%59ES'],
  ...['_HLS_skip=YES&dvr=1', 'dvr=1&_HLS_skip=v2', '_HLS_skip=NO&_HLS_skip=YES', '_HLS_skip=YES&_HLS_skip=NO'],
  ...['_HLS_msn=3', '_hls_msn=3', '%5fHLS_msn=3', '_HLS_msn=%33', '_HLS_msn=0003', '_HLS_msn=+3', '_HLS_msn=3+'],
  ...['_HLS_msn=', '_HLS_msn', '_HLS_msn=x', '_HLS_msn=-1', '_HLS_msn=3.0', '_HLS_msn=1e1', '_HLS_msn=0x3'],
  ...['_HLS_msn=999999999', '_HLS_msn=9999999999', '_HLS_msn=3&_HLS_msn=x', '_HLS_msn=x&_HLS_msn=3', '_HLS_msn=3%0A'],
  ...['_HLS_part=1', '_HLS_part=x', '_HLS_msn=3&_HLS_part=', '_HLS_msn=3&_HLS_part=2', '_HLS_part=2&_HLS_msn=3'],
  ...['_HLS_msn=3&_HLS_part=99', '_HLS_msn=3&_HLS_part=999999999', '_HLS_msn=3&_hls_part=2', '_HLS_msn=3|2|YES|1'],
  ...['_HLS_msn=3&dvr=1', 'dvr=1&_HLS_msn=3', '_HLS_msn=3&%64vr=1&_HLS_skip=YES', '_HLS_msn=x&dvr=1'],
];

/** Other spellings of a path of a stream. */
export const edgePaths: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `./${path}`,
  (path) => `x/../${path}`,
  ...['//', '/./', '/x/../', '/%2e/', '/%2E%2e/', '%2f', '%2F', '\\', '/;x/', '/%00/', '/..;/', '/.hidden/'].map(
    (between) => (path: string) => path.replace('/240p/', `${between}240p/`),
  ),
  ...['.', '..', '/', '/.', '%20', '%00', ';', ';x=1', '#', '%3Fdvr=1', '%23', '|1', '&dvr=1'].map(
    (end) => (path: string) => path + end,
  ),
  (path) => path.replace('/240p/', '/%3240p/'),
  (path) => path.replace('s0', '%730'),
  (path) => `${path}/${'a'.repeat(600)}`,
];

export interface EdgeAttack {
  /** Sends the request target as an absolute URL with this origin. */
  readonly host?: string;
  readonly method?: string;
  /** Name, value, name, value. */
  readonly headers?: readonly string[];
}

/** Requests whose responses would differ from the usual one if their headers or methods counted. */
export const edgeHeaders: readonly EdgeAttack[] = [
  {},
  ...[
    ['range', 'bytes=0-3'],
    ['range', 'bytes=-2'],
    ['range', 'bytes=900000-'],
    ['range', 'bytes=0-1', 'if-range', '"x"'],
    ['if-none-match', '*'],
    ['if-match', '"x"'],
    ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['accept-encoding', 'gzip'],
    ['accept-encoding', 'br;q=1, identity;q=0'],
    ['accept', 'application/json'],
    ['accept-language', 'it'],
    ['x-forwarded-host', 'evil.example', 'x-forwarded-proto', 'ftp', 'x-forwarded-prefix', '/evil'],
    ['x-forwarded-for', '203.0.113.9', 'forwarded', 'for=203.0.113.9;host=evil.example'],
    ['x-original-url', '/api/public/license', 'x-rewrite-url', '/api/public/license'],
    ['x-http-method-override', 'HEAD', 'x-method-override', 'DELETE'],
    ['x-accel-redirect', '/protected/x', 'x-accel-expires', '0'],
    ['x-request-id', 'chosen-by-somebody', 'traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['x-edge-secret', 'wrong'],
    ['authorization', 'Bearer x', 'cookie', 'a=b'],
    ['cache-control', 'no-store', 'pragma', 'no-cache'],
    ['expect', '100-continue'],
    ['connection', 'close, x-edge-secret'],
  ].map((headers) => ({ headers })),
  { host: 'http://evil.example' },
  { method: 'HEAD' },
  { method: 'HEAD', headers: ['range', 'bytes=0-3'] },
  { method: 'OPTIONS', headers: ['origin', 'https://evil.example'] },
  { method: 'POST' },
  { method: 'DELETE' },
];
