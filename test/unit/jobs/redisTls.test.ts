import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect } from 'chai';
import { readConfig } from '../../../shared/settings.js';
import { createLogger } from '../../../shared/platform/createLogger.js';
import { queueOptionsOf } from '../../../shared/platform/librarySettings.js';
import { openQueues } from '../../../shared/platform/queue/openQueues.js';
import { testEnvironment } from '../../support/environment.js';
import { rejection } from '../../support/rejection.js';

/** A self-signed certificate for these tests only, valid for a hundred years. */
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg919Wjpj6ddmWbxyt
z7X/3H3qXO8MCHiJuMhhGNr97zmhRANCAAQ/g1F0VKjp5dJyBPrd4OdDY1Q0tGYu
QAe5TmAvUbWg0S2me+8DjgfQfvX9sudRFxslbONe6dn5D/dlWPTZMRwR
-----END PRIVATE KEY-----
`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBgDCCASegAwIBAgIUXxGIderFR/Sdy11w9NM2OO61aekwCgYIKoZIzj0EAwIw
FTETMBEGA1UEAwwKcmVkaXMudGVzdDAgFw0yNjExMjExNjM3MjRaGA8yMTI2MTAy
ODE2MzcyNFowFTETMBEGA1UEAwwKcmVkaXMudGVzdDBZMBMGByqGSM49AgEGCCqG
SM49AwEHA0IABD+DUXRUqOnl0nIE+t3g50NjVDS0Zi5AB7lOYC9RtaDRLaZ77wOO
B9B+9f2y51EXGyVs417p2fkP92VY9NkxHBGjUzBRMB0GA1UdDgQWBBRwHjLtZaNj
J4r8iPM/v+vD1PKgoTAfBgNVHSMEGDAWgBRwHjLtZaNjJ4r8iPM/v+vD1PKgoTAP
BgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0cAMEQCIFtoQ/PQQnmq2uxguu+e
H7IKnEda+6eIX0WRvTOJKcEJAiAs2LyvkEav4WGIYDHtjYSuskac0mXb2lVWvsD+
MNUYyQ==
-----END CERTIFICATE-----
`;

/** The part of a Redis server that the check needs: it responds OK to every command. */
function response(socket: Socket): void {
  socket.on('error', () => socket.destroy());
  socket.on('data', (commands) => socket.write('+OK\r\n'.repeat((commands.toString().match(/^\*\d/gm) ?? []).length)));
}

describe('a Redis server with a self-signed certificate', () => {
  let server: Server;

  afterEach(() => server.close());

  async function check(scheme: string, settings: Record<string, string>): Promise<void> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const REDIS_URL = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const environment = { ...testEnvironment('postgres://127.0.0.1/none', '/tmp/unused'), REDIS_URL, ...settings };
    const queues = await openQueues({
      ...queueOptionsOf(readConfig('web', environment)),
      log: createLogger({ process: 'test', level: 'silent' }),
    });
    try {
      await queues.check();
    } finally {
      await queues.close();
    }
  }

  it('is rejected', async () => {
    server = createTlsServer({ key, cert }, response);
    expect(await rejection(check('rediss', {}))).to.match(/self-signed certificate/);
  });

  it('is accepted if REDIS_TLS_VERIFY is off', async () => {
    server = createTlsServer({ key, cert }, response);
    await check('rediss', { REDIS_TLS_VERIFY: 'false' });
  });

  it('is accessed without TLS if the address has no TLS', async () => {
    server = createServer(response);
    await check('redis', { REDIS_TLS_VERIFY: 'false' });
  });
});
