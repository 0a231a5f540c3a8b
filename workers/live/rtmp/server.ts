import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import type { Logger } from '../../../shared/platform/log.js';
import { AdobeChallenges } from './adobeChallenge.js';
import { Connection } from './connection.js';
import type { PublishDecisions, Refusal } from './decisions.js';
import { ConnectionCounter, defaultRtmpLimits, type RtmpLimits } from './limits.js';

/** Files in PEM format. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
}

export interface RtmpServerOptions<Owner> extends PublishDecisions<Owner> {
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** With a certificate the server speaks RTMPS only. */
  readonly tls?: CertificateFiles;
  readonly limits?: Partial<RtmpLimits>;
  readonly log: Logger;
  now(this: void): Date;
  /** Signs challenges. Processes behind one address need the same; a random one by default. */
  readonly challengeKey?: Buffer;
  /** For metrics. The refusal is already logged. */
  onRefused?(refusal: Refusal): void;
}

export interface RtmpServer {
  readonly port: number;
  /** Open connections, published or not. */
  readonly connections: number;
  /** Reads the certificate files again, for new connections. On an error the old certificate stays. */
  reloadCertificate(): Promise<void>;
  /** Ends all publications with `server closed`, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts an RTMP server that takes streams and plays none. The application `live` asks encoders for a login with Adobe's
 * challenge; `key` takes `<stream path>?user=<user>&pass=<password>`. Rejects with the error of the listening socket
 * (`EADDRINUSE`), or of the certificate files.
 */
export async function startRtmpServer<Owner>(options: RtmpServerOptions<Owner>): Promise<RtmpServer> {
  const { host, port, tls, log, now } = options;
  const limits = { ...defaultRtmpLimits, ...options.limits };
  const challenges = new AdobeChallenges(options.challengeKey ?? randomBytes(32), () => now().getTime());
  const counter = new ConnectionCounter(limits);
  const connections = new Set<Connection<Owner>>();
  const sockets = new Set<Socket>();
  const onRefused = (refusal: Refusal): void => options.onRefused?.(refusal);
  const serve = (socket: Socket): void => {
    const remoteAddress = socket.remoteAddress ?? 'unknown';
    const connection = new Connection({
      socket,
      remoteAddress,
      limits,
      now,
      log,
      challenges,
      decisions: options,
      onRefused,
    });
    connections.add(connection);
    void connection.serve().finally(() => connections.delete(connection));
  };
  /** Counts a connection before anything is read from it, also before its TLS handshake. */
  const count = (socket: Socket): void => {
    const remoteAddress = socket.remoteAddress ?? 'unknown';
    const release = counter.open(remoteAddress);
    if (!release) {
      log.debug({ remoteAddress }, 'RTMP connection refused: too many connections');
      onRefused({ reason: 'too many connections', remoteAddress });
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      release();
    });
  };
  const server = tls ? await secureServer(tls, limits, serve) : createServer();
  server.prependListener('connection', count);
  if (!tls) server.on('connection', (socket: Socket) => void (socket.destroyed || serve(socket)));
  await listen(server, host, port);
  server.on('error', (err) => log.error({ err }, 'RTMP server error'));
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return counter.total;
    },
    async reloadCertificate() {
      if (tls && server instanceof TlsServer) server.setSecureContext(await readCertificate(tls));
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const connection of connections) connection.end('server closed');
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function secureServer(
  tls: CertificateFiles,
  limits: RtmpLimits,
  serve: (socket: Socket) => void,
): Promise<Server> {
  const server = createTlsServer({ ...(await readCertificate(tls)), handshakeTimeout: limits.publishDeadlineMs });
  server.on('secureConnection', serve);
  // The socket of a failed handshake must not stay open.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return server;
}

async function readCertificate({ certificate, key }: CertificateFiles): Promise<{ cert: Buffer; key: Buffer }> {
  const [cert, privateKey] = await Promise.all([readFile(certificate), readFile(key)]);
  const pair = { cert, key: privateKey };
  // Throws where the files do not fit together.
  createSecureContext(pair);
  return pair;
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
