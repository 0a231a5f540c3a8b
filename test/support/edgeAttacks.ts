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
