import { resolve } from 'node:path';
import type { Config } from '../../shared/platform/config.js';
import { streamingBaseUrl } from '../../shared/streaming/streamPath.service.js';
import type { Demo } from './demoState.js';

/** The output of `npm start` when it is ready: addresses, credentials, and shell commands to try. */
export function summary(config: Config, demo: Demo | null): string {
  const base = config.service.publicUrl;
  const { oauth, operator, integration } = config;
  // Without these settings, npm commands expect a running `npm start` with `.data` of the checkout at port 3000.
  const onThese = [
    config.dataDir === resolve('.data') ? '' : `DATA_DIR=${quoted(config.dataDir)} `,
    config.http.port === 3000 ? '' : `PORT=${config.http.port} `,
  ].join('');
  const rows: [string, string][] = [
    ...(demo ? ([['Plays at', `${base}/embed/?vod=${demo.vodId}`]] as [string, string][]) : []),
    ['API', base],
    ['API docs', `${base}/docs`],
    ['Bull Board', `${base}/admin/queues`],
    [
      'Encoder',
      `${streamingBaseUrl(config)}   stream key: the stream path of a channel; log in with user code and live password`,
    ],
    ['Live demo', `${onThese}npm run demo:live`],
    ['Cast demo', `${onThese}npm run demo:cast`],
    ['', ''],
    ['OAuth client', `${oauth.clients[0].id} / ${oauth.clients[0].secret}`],
    ...(demo ? ([['Demo user', `${demo.userCode} / ${demo.password}`]] as [string, string][]) : []),
    ['Operator', `${operator.user} / ${operator.password}`],
    ...(integration ? ([['Integration', `${integration.user} / ${integration.password}`]] as [string, string][]) : []),
    ['Data', config.dataDir],
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`.trimEnd());
  return [
    '',
    ...table,
    '',
    ...commands(config, demo).map((line) => `  ${line}`),
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n');
}

/** The commands for one shell, in order. README.md and docs/integrate.md use the first line, too. */
function commands({ service: { publicUrl }, oauth }: Config, demo: Demo | null): string[] {
  const variables = {
    SERVICE: publicUrl,
    CLIENT: oauth.clients[0].id,
    SECRET: oauth.clients[0].secret,
    ...(demo && { USER_CODE: demo.userCode, PASSWORD: demo.password }),
  };
  const exported = Object.entries(variables).map(([name, value]) => ` ${name}=${quoted(value)}`);
  const grant = demo
    ? '-d grant_type=password --data-urlencode "username=$USER_CODE" --data-urlencode "password=$PASSWORD"'
    : '-d grant_type=client_credentials';
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const search = `'{"pageSize":10,"pageIndex":0,"queryString":"video"}' "$SERVICE/api/public/search/vod/contents"`;
  return [
    `export${exported.join('')}`,
    `TOKEN=$(${curl} -u "$CLIENT:$SECRET" ${grant} "$SERVICE/oauth/token"${memberOf('access_token')})`,
    `${curl} ${bearer} -d ${search}`,
    ...(demo ? [`${curl} ${bearer} -d '{}' "$SERVICE/api/public/vod/${demo.vodId}/play"`, '', ...ownFilm(bearer)] : []),
  ];
}

/** A user's token is valid on public paths, too. */
function ownFilm(bearer: string): string[] {
  return [
    'Your own film: upload the file film.mp4, publish it as soon as it is ready, and open the address.',
    `BOX=$(${curl} ${bearer} -F 'title=My film' -F file=@film.mp4 "$SERVICE/api/box"${memberOf('boxId')})`,
    `while ${curl} ${bearer} "$SERVICE/api/box/$BOX" | grep -o PENDING; do sleep 1; done`,
    `VOD=$(${curl} ${bearer} -d '{"licenseType":"FREE"}' "$SERVICE/api/box/$BOX/vod"${memberOf('vodId')})`,
    'echo "$SERVICE/embed/?vod=$VOD"',
  ];
}

/** Without a progress meter, but with errors; a response ends with its line. */
const curl = "curl -sSw '\\n'";

/** Extracts a member of a JSON response. */
function memberOf(name: string): string {
  return ` | sed 's/.*"${name}": *"\\([^"]*\\)".*/\\1/'`;
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
