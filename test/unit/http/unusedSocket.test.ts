import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { removeUnusedSocket } from '../../../api/http/unusedSocket.js';

describe('The socket of a web process', () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'socket-'));
    path = join(folder, 'http.sock');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const isThere = (): Promise<boolean> =>
    lstat(path).then(
      () => true,
      () => false,
    );

  it('is removed if a killed process has left it behind', async () => {
    const listen = `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`;
    const killed = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(await isThere()).to.equal(true);
    await removeUnusedSocket(path);
    expect(await isThere()).to.equal(false);
    await removeUnusedSocket(path);
  });

  it('is kept if a process listens on it or if the file is not a socket', async () => {
    const server = createServer();
    server.listen(path);
    await once(server, 'listening');
    await removeUnusedSocket(path);
    expect(await isThere()).to.equal(true);
    server.close();
    await once(server, 'close');
    await writeFile(path, '');
    await removeUnusedSocket(path);
    expect(await isThere()).to.equal(true);
  });
});
