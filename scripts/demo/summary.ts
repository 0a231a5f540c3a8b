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

function commands({ service: { publicUrl }, oauth }: Config, demo: Demo | null): string[] {
  const login = quoted(`${oauth.clients[0].id}:${oauth.clients[0].secret}`);
  const json = `-H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json'`;
  return [
    `TOKEN=$(curl -s -u ${login} -d grant_type=client_credentials ${publicUrl}/oauth/token | sed 's/.*"access_token": *"\\([^"]*\\)".*/\\1/')`,
    `curl -s ${json} -d '{"pageSize":10,"pageIndex":0,"queryString":"video"}' ${publicUrl}/api/public/search/vod/contents`,
    ...(demo ? [`curl -s ${json} -d '{}' ${publicUrl}/api/public/vod/${demo.vodId}/play`] : []),
  ];
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
