import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { NetworkList } from '../../shared/platform/formats/network.js';
import type { Logger } from 'pino';
import { AdobeChallenges } from './adobeChallenge.js';
import { Connection } from './connection.js';
import type { PublishDecisions, Refusal } from './decisions.js';
import { defaultRtmpLimits, type RtmpLimits } from './limits.js';
import { LoginRequests } from './loginRequests.js';
import { Reception } from './reception.js';
import { RefusalLog } from './refusalLog.js';

/** Files in PEM format. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface RtmpServerOptions<Owner> extends PublishDecisions<Owner> {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** With a certificate the server speaks RTMPS only. */
  readonly tls?: CertificateFiles;
  /** Addresses and networks of proxies, which must begin each connection with a PROXY header. Default: none. */
  readonly proxyHosts?: readonly string[];
  readonly limits?: Partial<RtmpLimits>;
  readonly log: Logger;
  now(this: void): Date;
  /** Key that signs challenges. Processes behind one address need the same key. Default: random. */
  readonly challengeKey?: Buffer;
  /** For metrics. The refusal is already logged. */
  onRefused?(refusal: Refusal): void;
}

export interface RtmpServer {
  readonly port: number;
  /** Open connections, published or not. */
  readonly connections: number;
  /** Reloads the certificate files for new connections. After an error, the old certificate stays in use. */
  reloadCertificate(): Promise<void>;
  /** Ends all publications with `server closed`, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts an RTMP server that receives streams but does not play them. The application `live` requires a login with Adobe's
 * challenge; `key` accepts `<stream path>?user=<user>&pass=<password>`. Rejects with the error of the listening socket
 * (`EADDRINUSE`), or of the certificate files.
 */
export async function startRtmpServer<Owner>(options: RtmpServerOptions<Owner>): Promise<RtmpServer> {
  const { host, port, tls, log, now } = options;
  const limits = { ...defaultRtmpLimits, ...options.limits };
  const challenges = new AdobeChallenges(options.challengeKey ?? randomBytes(32), () => now().getTime());
  const connections = new Set<Connection<Owner>>();
  const sockets = new Set<Socket>();
  const refusals = new RefusalLog(options);
  const loginRequests = new LoginRequests();
  const reception = new Reception({ limits, proxies: new NetworkList(options.proxyHosts ?? []), refusals });
  let secureContext = tls && (await readCertificate(tls));
  const serve = async (accepted: Socket): Promise<void> => {
    sockets.add(accepted);
    accepted.once('close', () => sockets.delete(accepted));
    const arrival = await reception.receive(accepted);
    if (!arrival) return;
    const socket = secureContext
      ? withErrorListener(new TLSSocket(accepted, { isServer: true, secureContext }))
      : accepted;
    const connection = new Connection({
      ...arrival,
      ...{ socket, limits, now, log, challenges, refusals, loginRequests },
      decisions: options,
    });
    connections.add(connection);
    await connection.serve();
    connections.delete(connection);
  };
  const server = withErrorListener(
    createServer((socket) => {
      serve(socket).catch((err: unknown) => {
        log.error({ err }, 'RTMP connection failed');
        socket.destroy();
      });
    }),
  );
  await listen(server, host, port);
  server.on('error', (err) => log.error({ err }, 'RTMP server error'));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return sockets.size;
    },
    async reloadCertificate() {
      if (tls) secureContext = await readCertificate(tls);
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.end('server closed');
      for (const socket of sockets) socket.destroy();
      await closed;
      loginRequests.close();
      refusals.close();
    },
  };
}

/** Throws if certificate and key do not match. */
async function readCertificate({ certificate, key }: CertificateFiles): Promise<SecureContext> {
  const [cert, privateKey] = await Promise.all([readFile(certificate), readFile(key)]);
  return createSecureContext({ cert, key: privateKey });
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
