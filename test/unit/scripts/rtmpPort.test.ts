import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { chooseRtmpPort } from '../../../scripts/embedded/rtmpPort.js';
import { rejection } from '../../support/rejection.js';

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

  const choose = (given: number | null = null): Promise<number> =>
    chooseRtmpPort({ dataDir, host, given, say: (line) => void said.push(line) });

  async function take(port: number): Promise<number> {
    const server = createServer().listen(port, host);
    await once(server, 'listening');
    taken.push(server);
    return (server.address() as AddressInfo).port;
  }

  it('is the same at the next start, and another one where that is taken', async () => {
    const first = await choose();
    expect(await choose()).to.equal(first);
    said = [];
    await take(first);
    const second = await choose();
    expect(second).not.to.equal(first);
    expect(said).to.deep.equal([`Port ${first} is taken: encoders publish to port ${second}.`]);
    expect(await choose()).to.equal(second);
  });

  it('is the given one, or an error where that is taken', async () => {
    const port = await take(0);
    const error = await rejection(choose(port));
    expect(error.message).to.equal(
      `Port ${port} of 127.0.0.1 cannot be opened for encoders (EADDRINUSE): set RTMP_PORT or RTMP_HOST.`,
    );
    taken.pop()?.close();
    expect(await choose(port)).to.equal(port);
  });
});
