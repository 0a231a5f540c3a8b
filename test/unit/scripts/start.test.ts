import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadCredentials } from '../../../scripts/embedded/credentials.js';
import { readableLine } from '../../../scripts/embedded/logLine.js';
import { findMediaTools } from '../../../scripts/embedded/mediaTools.js';
import { chooseRtmpPort } from '../../../scripts/embedded/rtmpPort.js';
import { readConfig } from '../../../shared/settings.js';
import { rejection } from '../../support/eventually.js';

describe('credentials', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-credentials-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const path = (): string => join(folder, 'credentials.json');

  it('are generated once, completely, and readable only by the owner', async () => {
    const made = loadCredentials(folder, {});
    expect(readConfig('web', { ...made, DATABASE_URL: 'postgres://here/db' }).oauth.clients[0].id).to.equal('web');
    expect((await stat(path())).mode & 0o777).to.equal(0o600);
    expect(loadCredentials(folder, {})).to.deep.equal(made);
  });

  it('are read from the environment if it contains them, and then not stored', async () => {
    const given = loadCredentials(folder, { OPERATOR_PASSWORD: 'from outside', OAUTH_CLIENT_SECRET: '' });
    expect(given).to.include({ OPERATOR_PASSWORD: 'from outside', OAUTH_CLIENT_SECRET: '' });
    expect(JSON.parse(await readFile(path(), 'utf8'))).not.to.have.any.keys('OPERATOR_PASSWORD', 'OAUTH_CLIENT_SECRET');
    expect(loadCredentials(folder, {}).OPERATOR_PASSWORD).to.have.lengthOf.above(16);
  });

  it('are extended for a later version without a change of existing ones', async () => {
    await writeFile(path(), JSON.stringify({ OPERATOR_PASSWORD: 'old' }));
    expect(loadCredentials(folder, {}).OPERATOR_PASSWORD).to.equal('old');
    expect(JSON.parse(await readFile(path(), 'utf8'))).to.include({
      OPERATOR_PASSWORD: 'old',
      OPERATOR_USER: 'operator',
    });
  });

  it('never replace a damaged file', async () => {
    await writeFile(path(), '{"OPERATOR_');
    expect(() => loadCredentials(folder, {})).to.throw(/credentials\.json is corrupt/);
  });
});

describe('the port for encoders', () => {
  const host = '127.0.0.1';
  let dataDir: string;
  let said: string[];
  const taken: Server[] = [];

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'video-platform-port-'));
    said = [];
  });
  afterEach(async () => {
    for (const server of taken.splice(0)) server.close();
    await rm(dataDir, { recursive: true });
  });

  const choose = (configured: number | null = null): Promise<number> =>
    chooseRtmpPort({ dataDir, host, configured, say: (line) => void said.push(line) });

  async function take(port: number): Promise<number> {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    taken.push(server);
    return (server.address() as AddressInfo).port;
  }

  it('is the same at the next start, or another one if that port is in use', async () => {
    const first = await choose();
    expect(await choose()).to.equal(first);
    said = [];
    await take(first);
    const second = await choose();
    expect(second).not.to.equal(first);
    expect(said).to.deep.equal([`Port ${first} is in use: encoders publish to port ${second}.`]);
    expect(await choose()).to.equal(second);
  });

  it('is the configured one, or an error if that port is in use', async () => {
    const port = await take(0);
    const error = await rejection(choose(port));
    expect(error.message).to.equal(
      `Port ${port} of 127.0.0.1 cannot be opened for encoders (EADDRINUSE): set RTMP_PORT or RTMP_HOST.`,
    );
    taken.pop()?.close();
    expect(await choose(port)).to.equal(port);
  });
});

const encoders = 'echo " V....D libx264  H.264"; echo " A....D aac  AAC"';

describe('media tools', () => {
  let folder: string;
  let printed: string[];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-tools-'));
    printed = [];
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const find = (env: Record<string, string> = {}) =>
    findMediaTools({ PATH: folder, ...env }, (line) => printed.push(line));

  async function program(name: string, script: string): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }

  async function errorOf(env: Record<string, string> = {}): Promise<string> {
    try {
      await find(env);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('no error');
  }

  it('are found on the PATH if both are in one folder', async () => {
    const ffmpegPath = await program('ffmpeg', `echo "ffmpeg version 6.1.1"; ${encoders}`);
    const ffprobePath = await program('ffprobe', 'echo ok');
    expect(await find()).to.deep.equal({ ffmpegPath, ffprobePath });
    expect(printed).to.deep.equal([]);
  });

  it('may be a development version, which has no version number', async () => {
    await program('ffmpeg', `echo "ffmpeg version N-117-gabcdef"; ${encoders}`);
    await program('ffprobe', 'echo ok');
    expect(await find()).to.have.property('ffmpegPath', join(folder, 'ffmpeg'));
  });

  it('cause an error if they are too old, lack an encoder, or are broken', async () => {
    await program('ffprobe', 'echo ok');
    await program('ffmpeg', `echo "ffmpeg version 4.3.6-0+deb11u1"; ${encoders}`);
    expect(await errorOf()).to.match(/is ffmpeg 4\.3\.6-0\+deb11u1, but 4\.4 or later is required/);
    await program('ffmpeg', 'echo "ffmpeg version n7.1"; echo " A....D aac  AAC"');
    expect(await errorOf()).to.match(/has no encoder libx264/);
    await program('ffmpeg', 'exit 127');
    expect(await errorOf()).to.match(/ffmpeg does not run/);
  });

  it('cause an error without ffprobe', async () => {
    await program('ffmpeg', `echo "ffmpeg version 6.1.1"; ${encoders}`);
    expect(await errorOf()).to.match(/no ffprobe next to .*FFPROBE_PATH/);
  });

  it('are installed by the package manager, with a message, if it needs no confirmation', async () => {
    await program('sudo', 'case "$1 $2" in "-n true") exit 0;; esac; shift; exec "$@"');
    await program(
      'apt-get',
      `echo "$@" >> ${folder}/asked
       [ "$1" = install ] || exit 0
       printf '#!/bin/sh\\necho "ffmpeg version 5.1.9"; ${encoders}\\n' > ${folder}/ffmpeg
       printf '#!/bin/sh\\necho ok\\n' > ${folder}/ffprobe
       /bin/chmod 755 ${folder}/ffmpeg ${folder}/ffprobe`,
    );
    expect(await find()).to.have.property('ffmpegPath', join(folder, 'ffmpeg'));
    expect(printed).to.deep.equal(['ffmpeg is missing: installing it with apt-get ...']);
    expect(await readFile(join(folder, 'asked'), 'utf8')).to.equal(
      'update\ninstall -y --no-install-recommends ffmpeg\n',
    );
  });

  it('cause an error with the install command if the package manager fails', async () => {
    await program('sudo', 'exit 1');
    await program('apk', 'echo "ERROR: no network" >&2; exit 1');
    expect(await errorOf()).to.match(
      /^ffmpeg (is missing|could not be installed \(ERROR: no network\)); run: (sudo -n )?apk add --no-cache ffmpeg$/,
    );
  });

  it('cause an error without a known package manager', async () =>
    expect(await errorOf()).to.match(/^ffmpeg is missing: install it .*FFMPEG_PATH/));
});

const line = (entry: object): string =>
  readableLine(
    'web',
    JSON.stringify({ level: 30, time: '2026-01-02T03:04:05.678Z', process: 'web', ...entry }),
    false,
  ).slice(9);

describe('a readable log line', () => {
  it('contains process, level, message and the other members', () =>
    expect(line({ msg: 'job done', job: 'content.ingest', seconds: 1.23456, queues: ['mail'] })).to.equal(
      'web    info  job done job=content.ingest seconds=1.235 queues=["mail"]',
    ));

  it('summarizes a request', () => {
    const request = {
      req: { method: 'GET', path: '/api/box' },
      res: { status: 200 },
      responseTime: 12.4,
      msg: 'request completed',
    };
    expect(line({ ...request, requestId: 'abc' })).to.equal('web    info  GET /api/box 200 12 ms');
  });

  it('shows the stack of an error below the line', () =>
    expect(line({ level: 50, msg: 'failed', err: { message: 'no', stack: 'Error: no\n    at here' } })).to.equal(
      'web    error failed\n    Error: no\n        at here',
    ));

  it('passes on a line that is not a log entry', () => {
    expect(readableLine('worker', 'plain words', false).slice(9)).to.equal('worker plain words');
    expect(readableLine('worker', '{"level":"high"}', false)).to.match(/ worker \{"level":"high"\}$/);
    expect(readableLine('worker', '{broken', false)).to.match(/ worker \{broken$/);
  });

  it('has colors only on a terminal', () => {
    expect(readableLine('web', 'x', true)).to.include('\u001B[');
    expect(readableLine('web', 'x', false)).not.to.include('\u001B[');
  });
});
