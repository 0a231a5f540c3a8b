import { Router, type RequestHandler } from 'express';
import type { Route } from './route.js';

/** A route, ready to handle requests. */
export interface TableEntry extends Pick<Route, 'method' | 'path'> {
  readonly handle: RequestHandler;
}

/** Whether a segment of a path pattern matches any text. */
const isParameter = (segment: string): boolean => /[:*{]/.test(segment);

/**
 * Handles requests of one method with the first route that matches, or passes them on. A router compares a path with its patterns
 * one after the other. There is therefore one router for each prefix (`/api/vod`), with the routes that can match it, so that the
 * time does not depend on the number of all routes.
 */
export function routeTable(method: Route['method'], entries: readonly TableEntry[]): RequestHandler {
  const ofMethod = entries.filter((entry) => entry.method === method);
  const beginnings = new Set(ofMethod.map(({ path }) => beginningOf(path)).filter((path) => !isParameter(path)));
  const routers = new Map(
    [...beginnings].map((beginning) => [
      beginning,
      routerOf(ofMethod.filter(({ path }) => canBegin(beginningOf(path), beginning))),
    ]),
  );
  const fallback = routerOf(ofMethod.filter(({ path }) => !beginnings.has(beginningOf(path))));
  return (request, response, next) =>
    void (routers.get(beginningOf(request.path)) ?? fallback)(request, response, next);
}

/** The first two segments. */
function beginningOf(path: string): string {
  return /^\/[^/]*(?:\/[^/]+)?/.exec(path)?.[0] ?? '';
}

/** Whether a pattern of two segments can match a prefix of two segments. */
function canBegin(pattern: string, beginning: string): boolean {
  if (pattern === beginning) return true;
  const segments = beginning.split('/');
  return (
    isParameter(pattern) && pattern.split('/').every((part, index) => isParameter(part) || part === segments[index])
  );
}

function routerOf(entries: readonly TableEntry[]): Router {
  // Case-sensitive, like `accessOf`, so that access checks and routing agree on the prefix.
  const router = Router({ caseSensitive: true });
  for (const { method, path, handle } of entries) router[method](path, handle);
  return router;
}
