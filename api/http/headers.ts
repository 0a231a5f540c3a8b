import cors from 'cors';
import type { RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { Config } from '../../shared/platform/config.js';

/** `docs/contract.md#errors`: with every token and every OAuth refusal. */
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

/** Paths whose answers are JSON alone, by an exact type and with no sniffing: nothing in them can act as a page. */
const dataPath = /^\/(api|oauth|rest)\//;

/**
 * Headers that keep browsers from doing what was not meant. Pages that run scripts or may be framed set their own
 * policy over these. Pictures and streams are meant for other origins, so no resource or embedder policy stands in
 * the way. JSON, which is most of the traffic, needs three of them.
 */
export function securityHeaders(config: Config): RequestHandler {
  const isSecure = config.service.publicUrl.startsWith('https:');
  const transportSecurity = 'max-age=31536000';
  const forPages = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    crossOriginEmbedderPolicy: false,
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xXssProtection: false,
    frameguard: { action: 'deny' },
    strictTransportSecurity: isSecure && { maxAge: 31_536_000, includeSubDomains: false },
  });
  return (request, response, next) => {
    if (!dataPath.test(request.path)) return forPages(request, response, next);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('X-Frame-Options', 'DENY');
    if (isSecure) response.setHeader('Strict-Transport-Security', transportSecurity);
    next();
  };
}

/** Headers that a page of another origin may read. */
const exposedHeaders = [
  'WWW-Authenticate',
  'Retry-After',
  'X-Request-Id',
  'Content-Length',
  'Content-Range',
  'Accept-Ranges',
  'Content-Disposition',
  'ETag',
  'Allow',
];

/** Any origin may call with a token of its own (`docs/contract.md#choices-requests`); cookies play no part, so nothing is lent. */
export function crossOrigin(): RequestHandler {
  const preflight = cors({ origin: '*', methods: ['GET', 'HEAD', 'POST', 'DELETE'], maxAge: 86_400 });
  const exposed = exposedHeaders.join(',');
  return (request, response, next) => {
    if (request.method === 'OPTIONS') return preflight(request, response, next);
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (request.headers.origin !== undefined) response.setHeader('Access-Control-Expose-Headers', exposed);
    next();
  };
}
