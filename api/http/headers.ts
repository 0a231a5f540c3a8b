import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import cors from 'cors';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Config } from '../../shared/platform/config.js';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { accessOf } from './access.js';

/** Headers of every token response and every OAuth error: `docs/contract.md#errors`. */
const oauthHeaders: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store',
  Pragma: 'no-cache',
  'X-Frame-Options': 'DENY',
  'X-Content-Type-Options': 'nosniff',
  'X-XSS-Protection': '1; mode=block',
};

export function setOAuthHeaders(response: ServerResponse): void {
  for (const [name, value] of Object.entries(oauthHeaders)) response.setHeader(name, value);
}

/**
 * Security headers. Pages that run scripts or may be framed replace the policy with their own. Resource, opener and embedder
 * policies permit other origins to use images and streams. Most requests go to the authenticated prefixes: their responses are
 * JSON with an exact type, which browsers never run as a page, so three headers suffice.
 */
export function securityHeaders(config: Config): RequestHandler {
  const forPages = openHeaders(config);
  const transportSecurity = forPages.get('strict-transport-security');
  return (request, response, next) => {
    if (accessOf(request.path) === 'open') response.setHeaders(forPages);
    else {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      response.setHeader('X-Frame-Options', 'DENY');
      if (transportSecurity !== undefined) response.setHeader('Strict-Transport-Security', transportSecurity);
    }
    next();
  };
}

/**
 * The security headers of open paths, with names in lower case. They do not depend on the request, so helmet writes them
 * once.
 */
export function openHeaders(config: Config): Map<string, string> {
  const isSecure = config.service.publicUrl.startsWith('https:');
  const write = helmet({
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    crossOriginOpenerPolicy: false,
    crossOriginEmbedderPolicy: false,
    originAgentCluster: false,
    dnsPrefetchControl: false,
    ieNoOpen: false,
    permittedCrossDomainPolicies: false,
    xXssProtection: false,
    xPoweredBy: false,
    frameguard: { action: 'deny' },
    strictTransportSecurity: isSecure && { maxAge: 31_536_000, includeSubDomains: false },
  });
  const request = new IncomingMessage(withErrorListener(new Socket()));
  const response = new ServerResponse(request);
  write(request, response, () => {});
  return new Map(response.getHeaderNames().map((name) => [name, String(response.getHeader(name))]));
}

/** Response headers that scripts of other origins may read. */
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
  'Location',
  'Box-Id',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Checksum-Algorithm',
  'Upload-Offset',
  'Upload-Length',
  'Upload-Defer-Length',
  'Upload-Metadata',
  'Upload-Expires',
];
const exposed = exposedHeaders.join(',');

/**
 * Pages of any origin may call with their own token (`docs/contract.md#choices-requests`). The service uses no cookies, so no
 * origin gains the rights of another.
 */
export function crossOrigin(): RequestHandler {
  const preflight = cors({ origin: '*', methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'], maxAge: 86_400 });
  return (request, response, next) => {
    if (request.method === 'OPTIONS') return preflight(request, response, next);
    allowOrigins(request, response);
    next();
  };
}

/** The CORS headers of a response, except for a preflight. */
export function allowOrigins(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (request.headers.origin !== undefined) exposeHeaders(response);
}

/** Also needed for a request without an origin if a shared cache may keep the response. */
export function exposeHeaders(response: ServerResponse): void {
  response.setHeader('Access-Control-Expose-Headers', exposed);
}
