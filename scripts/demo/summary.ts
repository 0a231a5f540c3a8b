import type { Config } from '../../shared/platform/config.js';
import { streamingBaseUrl } from '../../shared/streaming/streamPath.service.js';
import type { Demo } from './demoState.js';

/** What `npm start` prints when it is ready: addresses, credentials, and shell commands to try. */
export function summary(config: Config, demo: Demo | null): string {
  const base = config.service.publicUrl;
  const { oauth, operator, integration } = config;
  const rows: [string, string][] = [
    ...(demo ? ([['Plays at', `${base}/embed/?vod=${demo.vodId}`]] as [string, string][]) : []),
    ['API', base],
    ['API docs', `${base}/docs`],
    ['Bull Board', `${base}/admin/queues`],
    [
      'Encoder',
      `${streamingBaseUrl(config)}   stream key: the stream path of a channel; log in with user code and live password`,
    ],
    ['Live demo', 'npm run demo:live'],
    ['Cast demo', 'npm run demo:cast'],
    ['', ''],
    ['OAuth client', `${oauth.clients[0].id} / ${oauth.clients[0].secret}`],
    ...(demo ? ([['Demo user', `${demo.userCode} / ${demo.password}`]] as [string, string][]) : []),
    ['Operator', `${operator.user} / ${operator.password}`],
    ['Integration', `${integration.user} / ${integration.password}`],
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

/** The commands of one shell, in order. The token of a user opens public paths too. */
function commands({ service: { publicUrl }, oauth }: Config, demo: Demo | null): string[] {
  const login = quoted(`${oauth.clients[0].id}:${oauth.clients[0].secret}`);
  const grant = demo
    ? `-d grant_type=password -d username=${demo.userCode} --data-urlencode ${quoted(`password=${demo.password}`)}`
    : '-d grant_type=client_credentials';
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  const search = `'{"pageSize":10,"pageIndex":0,"queryString":"video"}' ${publicUrl}/api/public/search/vod/contents`;
  return [
    `TOKEN=$(curl -s -u ${login} ${grant} ${publicUrl}/oauth/token${memberOf('access_token')})`,
    `curl -s ${bearer} -d ${search}`,
    ...(demo ? [`curl -s ${bearer} -d '{}' ${publicUrl}/api/public/vod/${demo.vodId}/play`, '', ...ownFilm()] : []),
  ];

  function ownFilm(): string[] {
    return [
      'A film of your own: upload the file film.mp4, publish it as soon as it is ready, and open the address.',
      `BOX=$(curl ${bearer} -F 'title=My film' -F file=@film.mp4 ${publicUrl}/api/box${memberOf('boxId')})`,
      `while curl -s ${bearer} ${publicUrl}/api/box/$BOX | grep -o PENDING; do sleep 1; done`,
      `VOD=$(curl -s ${bearer} -d '{"licenseType":"FREE"}' ${publicUrl}/api/box/$BOX/vod${memberOf('vodId')})`,
      `echo "${publicUrl}/embed/?vod=$VOD"`,
    ];
  }
}

/** Takes a member out of a JSON response. */
function memberOf(name: string): string {
  return ` | sed 's/.*"${name}": *"\\([^"]*\\)".*/\\1/'`;
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
