import crypto from 'crypto';

// nginx runs all of this file for each request.
const address =
  /^\/e\/[A-Za-z0-9]{1,64}\.(full|preview|live|cast|file|track)\.([A-Za-z0-9_]{1,64})\.([0-9]{9,12})\.([A-Za-z0-9_-]{22})\/([A-Za-z0-9._\/-]{1,512})(?:\?(.*))?$/;
const folders = {
  full: /^content\/[0-9a-f-]+\/g[0-9]+\//,
  preview: /^content\/[0-9a-f-]+\/g[0-9]+\/preview\//,
  live: /^live\/[0-9a-f-]+\//,
  cast: /^cast\/[0-9a-f-]+\//,
  file: /^.+$/,
  track: /^.+$/,
};

// What a valid token opens, by its kind and path: with `query`, the cache key. Empty: 403.
function path(request) {
  const found = address.exec(request.variables.request_uri);
  const secret = request.variables.edge_secret;
  if (!found || !secret || Number(found[3]) * 1000 <= Date.now()) return '';
  const folder = folders[found[1]].exec(found[5]);
  // A path has one spelling: no empty segment, and none that begins with a dot.
  if (!folder || /(?:^|\/)(?:[.\/]|$)/.test(found[5])) return '';
  const signed = ['edge|v1', found[1], found[2], found[3], folder[0]].join('|');
  const digest = crypto.createHmac('sha256', secret).update(signed).digest();
  return isSame(digest.slice(0, 16).toString('base64url'), found[4]) ? `${found[1]}/${found[5]}` : '';
}

// The query for the origin and for the cache key, in its only spelling. Live playlists alone have one.
function query(request) {
  const found = address.exec(request.variables.request_uri);
  if (!found || found[1] !== 'live' || !found[6]) return '';
  const list = /^live\/[^\/]+\/(master|[0-9]{1,4}p)\.m3u8$/.exec(found[5]);
  return list ? normalized(parametersOf(found[6]), list[1] === 'master') : '';
}

// Known names with valid values in a fixed order. What the origin rejects is reduced to the one parameter that it rejects.
function normalized(sent, isMaster) {
  const number = /^[0-9]{1,9}$/;
  const parameters = [];
  if (!isMaster) {
    if ('_HLS_msn' in sent && !number.test(sent._HLS_msn)) return '?_HLS_msn=';
    if ('_HLS_part' in sent && !number.test(sent._HLS_part)) return '?_HLS_part=';
    if ('_HLS_part' in sent && !('_HLS_msn' in sent)) return '?_HLS_part=0';
    if ('_HLS_msn' in sent) parameters.push(`_HLS_msn=${Number(sent._HLS_msn)}`);
    if ('_HLS_part' in sent) parameters.push(`_HLS_part=${Number(sent._HLS_part)}`);
    if (sent._HLS_skip === 'YES' || sent._HLS_skip === 'v2') parameters.push('_HLS_skip=YES');
  }
  if (sent.dvr === '1') parameters.push('dvr=1');
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

// As URLSearchParams.get: the first value of each known name, decoded once.
function parametersOf(query) {
  const values = {};
  query
    .replace(/^\?/, '')
    .split('&')
    .forEach((parameter) => {
      const end = parameter.indexOf('=');
      const name = decoded(end < 0 ? parameter : parameter.slice(0, end));
      if (!['_HLS_msn', '_HLS_part', '_HLS_skip', 'dvr'].includes(name) || name in values) return;
      values[name] = end < 0 ? '' : decoded(parameter.slice(end + 1));
    });
  return values;
}

function decoded(text) {
  return text.replace(/\+/g, ' ').replace(/%([0-9A-Fa-f]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

// In a time that does not depend on where they differ.
function isSame(one, other) {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at += 1) difference |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return difference === 0;
}

export default { path, query };
