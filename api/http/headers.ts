import cors from 'cors';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Config } from '../../shared/platform/config.js';

/** `interface.md 7`: with every token and every OAuth refusal. */
const oauthHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-XSS-Protection': '1; mode=block',
};

export function setOAuthHeaders(response: Response): void {
  for (const [name, value] of Object.entries(oauthHeaders)) response.setHeader(name, value);
}

/**
 * Headers for answers that are data. Pages that run scripts or may be framed set their own policy over these.
 * Pictures and streams are meant for other origins, so no resource or embedder policy stands in the way.
 */
export function securityHeaders(config: Config): RequestHandler {
  return helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    crossOriginEmbedderPolicy: false,
    originAgentCluster: false,
    frameguard: { action: 'deny' },
    strictTransportSecurity: config.service.publicUrl.startsWith('https:') && { maxAge: 31_536_000, includeSubDomains: false },
  });
}

/** Any origin may call with a token of its own (`decisions.md 2`); cookies play no part, so nothing is lent. */
export function crossOrigin(): RequestHandler {
  return cors({
    origin: '*',
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    exposedHeaders: [
      'WWW-Authenticate',
      'Retry-After',
      'X-Request-Id',
      'Content-Length',
      'Content-Range',
      'Accept-Ranges',
      'Content-Disposition',
      'ETag',
      'Allow',
    ],
    maxAge: 86_400,
  });
}
