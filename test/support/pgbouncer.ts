import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { printedBlocks, replacedIn } from './printedBlocks.js';
import { eventually } from './eventually.js';
import { freePort } from './processes.js';

/** A running PgBouncer in front of a database. */
export interface TestPooler {
  /** The address of the database through the pooler. */
  readonly url: string;
  close(): Promise<void>;
}

/** Starts PgBouncer with the configuration of `docs/deploy.md`, with another server, port and number of connections. */
export async function startPgbouncer(databaseUrl: string, connections: number): Promise<TestPooler> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-pgbouncer-'));
  const [server, port] = [new URL(databaseUrl), await freePort()];
  const name = server.pathname.slice(1);
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `"${server.username}" "${decodeURIComponent(server.password)}"\n`);
  const [printed = ''] = await printedBlocks('deploy', 'ini');
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(
    settings,
    replacedIn(printed, 'deploy.md', [
      [
        'video = host=10.0.0.5 port=5432 dbname=video',
        `${name} = host=${server.hostname} port=${server.port} dbname=${name}`,
      ],
      ['listen_port = 6432', `listen_port = ${port}`],
      ['/etc/pgbouncer/userlist.txt', users],
      ['default_pool_size = 20', `default_pool_size = ${connections}`],
    ]) + 'unix_socket_dir =\n',
  );
  for (const path of [folder, users, settings]) await chmod(path, 0o755);
  // It does not run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', ['-q', ...user, settings], { stdio: ['ignore', 'ignore', 'pipe'] });
  let printedLines = '';
  child.stderr.on('data', (data: Buffer) => (printedLines += data.toString()));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer has ended: ${printedLines}`);
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect').finally(() => socket.destroy());
  });
  return {
    url: url.href,
    async close() {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, 'exit');
        child.kill('SIGINT');
        await exit;
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}
