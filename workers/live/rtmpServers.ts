import { createHmac } from 'node:crypto';
import { unwatchFile, watchFile } from 'node:fs';
import type { Context } from '../../shared/platform/context.js';
import { startRtmpServer, type PublishDecisions, type RtmpServer, type RtmpServerOptions } from '../rtmp/index.js';

export interface RtmpServers {
  /** Port of the server without TLS. */
  readonly port: number;
  /** Ends all publications and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts the RTMP server and, if `RTMPS_PORT` is set, the one with TLS. Its certificate is reloaded when one of its files changes.
 * Rejects with a message for the operator if a port or the certificate cannot be opened.
 */
export async function startRtmpServers<Owner>(
  ctx: Context,
  decisions: PublishDecisions<Owner> & Pick<RtmpServerOptions<Owner>, 'onRefused'>,
  watchEveryMs = 10_000,
): Promise<RtmpServers> {
  const { host, port, proxyHosts, tls } = ctx.config.live.rtmp;
  const common = {
    ...decisions,
    host,
    proxyHosts,
    log: ctx.log,
    now: () => ctx.clock.now(),
    challengeKey: challengeKeyOf(ctx),
  };
  const plain = await startRtmpServer({ ...common, port }).catch(fail(`RTMP_PORT ${port}`));
  ctx.log.info({ host, port: plain.port }, 'RTMP server listening');
  if (!tls) return plain;
  const files = { certificate: tls.certificateFile, key: tls.keyFile };
  const secure = await startRtmpServer({ ...common, port: tls.port, tls: files }).catch(async (error: unknown) => {
    await plain.close();
    return fail(`RTMPS_PORT ${tls.port}`)(error);
  });
  ctx.log.info({ host, port: secure.port }, 'RTMPS server listening');
  const unwatch = watchFiles(Object.values(files), watchEveryMs, () => reloadCertificate(ctx, secure));
  return {
    port: plain.port,
    async close() {
      unwatch();
      await Promise.all([plain.close(), secure.close()]);
    },
  };
}

/** The key is the same in all processes, because an encoder may answer a challenge in another process. */
function challengeKeyOf({ config }: Context): Buffer {
  return createHmac('sha256', Buffer.from(config.encryptionKey, 'hex')).update('v1|rtmp-challenge').digest();
}

function fail(what: string): (error: unknown) => never {
  return (error) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Error(`${what} cannot be opened: ${code ?? message}`, { cause: error });
  };
}

function reloadCertificate({ log }: Context, server: RtmpServer): void {
  server.reloadCertificate().then(
    () => log.info('certificate reloaded'),
    // Certificate and key are written one after the other; the reload after the second change succeeds.
    (err: unknown) => log.warn({ err }, 'certificate not reloaded: the previous one stays in use'),
  );
}

/** Files are polled, because a certificate is often a symbolic link whose target changes. */
function watchFiles(files: readonly string[], everyMs: number, onChange: () => void): () => void {
  for (const file of files) watchFile(file, { interval: everyMs, persistent: false }, onChange);
  return () => {
    for (const file of files) unwatchFile(file, onChange);
  };
}
