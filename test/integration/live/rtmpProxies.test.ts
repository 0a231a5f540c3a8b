import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { startNginx, type Nginx } from '../../support/nginx.js';
import { freePort } from '../../support/deployment.js';
import { proxyHeaderBytes, tcp4, RtmpClient } from '../../support/rtmp/rtmpClient.js';
import { alice, keyOf, startTestRtmp, type TestRtmp } from '../../support/rtmp/testServer.js';
import { itWith, requirements, nginxModules } from '../../support/requirements.js';
import { printedBlocks, replacedIn } from '../../support/projectFile.js';

const version1 = Buffer.from('PROXY TCP4 192.0.2.7 203.0.113.1 56324 1935\r\n');
const version2 = proxyHeaderBytes({ family: 0x11, content: Buffer.concat([tcp4('192.0.2.7'), Buffer.alloc(20)]) });

describe('RTMP connections through a proxy', () => {
  let server: TestRtmp;
  let nginx: Nginx | undefined;
  const sockets: Socket[] = [];

  const start = async (options: Parameters<typeof startTestRtmp>[0]): Promise<void> => {
    server = await startTestRtmp(options);
  };
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await nginx?.close();
    nginx = undefined;
    await server?.stop();
  });

  async function publish(port: number, options: Parameters<typeof RtmpClient.connect>[1]): Promise<void> {
    const client = await RtmpClient.connect(port, options);
    sockets.push(client.socket);
    expect((await client.publish('key', keyOf(alice))).get('code')).to.equal('NetStream.Publish.Start');
  }
  const addresses = (): string[] => server.taken.map(({ publication }) => publication.remoteAddress);

  it('take the encoder’s address from a header of version 1 or 2', async () => {
    await start({ proxyHosts: ['127.0.0.0/8'] });
    for (const preface of [version1, version2]) await publish(server.port, { preface });
    await publish(server.port, { preface: Buffer.from('PROXY UNKNOWN\r\n'), localAddress: '127.0.0.2' });
    expect(addresses()).to.deep.equal(['192.0.2.7', '192.0.2.7', '127.0.0.2']);
  });

  it('accept a header that arrives in two parts, split at any byte', async () => {
    await start({ proxyHosts: ['127.0.0.1'] });
    const bytes = Buffer.concat([version2, Buffer.from([3]), Buffer.alloc(2 * 1536)]);
    const answered = Array.from({ length: version2.length + 1 }, async (_, at) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', noDelay: true });
      sockets.push(socket);
      await once(socket, 'connect');
      socket.write(bytes.subarray(0, at));
      await new Promise((resolve) => setImmediate(resolve));
      socket.write(bytes.subarray(at));
      const [reply] = (await once(socket, 'data')) as [Buffer];
      expect(reply[0], `split at ${at}`).to.equal(3);
    });
    await Promise.all(answered);
    expect(server.refusals).to.deep.equal([]);
  });

  it('are rejected without a header from a proxy, with a damaged header, and with a header from any other host', async () => {
    await start({ proxyHosts: ['127.0.0.1'] });
    const refusal = async (options: Parameters<typeof RtmpClient.connect>[1]): Promise<unknown> => {
      const client = await RtmpClient.connect(server.port, options);
      sockets.push(client.socket);
      await client.whenClosed();
      return server.refusals.at(-1);
    };
    expect(await refusal({})).to.deep.equal({ reason: 'no PROXY header', remoteAddress: '127.0.0.1' });
    expect(await refusal({ preface: Buffer.from('PROXY TCP4 a b c d\r\n') })).to.include({
      reason: 'invalid PROXY header',
    });
    for (const preface of [version1, version2])
      expect(await refusal({ preface, localAddress: '127.0.0.2' })).to.deep.equal({
        reason: 'PROXY header from a host that is not configured as a proxy',
        remoteAddress: '127.0.0.2',
      });
  });

  it('are limited by the encoder’s address: idle connections of another address do not block a valid encoder', async () => {
    await start({ proxyHosts: ['127.0.0.1'], limits: { pendingConnectionsPerAddress: 2, pendingConnections: 4 } });
    const silent = Array.from({ length: 10 }, () => connect(server.port, '127.0.0.1'));
    sockets.push(...silent);
    for (const socket of silent) {
      socket.on('error', () => {});
      await once(socket, 'connect');
      socket.write(proxyHeaderBytes({ family: 0x11, content: tcp4('198.51.100.9') }));
    }
    await publish(server.port, { preface: version1 });
    await eventually(() => expect(server.connections).to.equal(3));
    expect(new Set(server.refusals.map(({ remoteAddress }) => remoteAddress))).to.deep.equal(new Set(['198.51.100.9']));
  });

  itWith(requirements.nginxStream, 'are accepted from nginx', async function () {
    await start({ proxyHosts: ['127.0.0.1'] });
    const port = await freePort();
    nginx = await startNginx('', port, await streamProxy({ port, upstreamPort: server.port }));
    await publish(port, { localAddress: '127.0.0.9' });
    expect(addresses()).to.deep.equal(['127.0.0.9']);
  });
});

/** The lines of `docs/deploy.md` for a load balancer of encoders, with other ports. */
async function streamProxy(own: { port: number; upstreamPort: number }): Promise<string> {
  const lines = (await printedBlocks('deploy', 'nginx')).find((text) => text.startsWith('stream {')) ?? '';
  const site = replacedIn(lines, 'deploy.md', [
    ['listen 1935;', `listen 127.0.0.1:${own.port};`],
    ['server 10.0.0.11:1935;', `server 127.0.0.1:${own.upstreamPort};`],
    ['server 10.0.0.12:1935;', ''],
  ]);
  return `load_module ${nginxModules.stream};\n${site}`;
}
