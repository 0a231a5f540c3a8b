import { Router, type RequestHandler } from 'express';
import type { Route } from './route.js';

/** A route, ready to handle requests. */
export interface TableEntry extends Pick<Route, 'method' | 'path'> {
  readonly handle: RequestHandler;
}

/** A segment of a path pattern that matches other text. */
const isParameter = (segment: string): boolean => /[:*{]/.test(segment);

/**
 * Handles requests of one method by the first route that matches, or passes them on. Routers compare a path with one pattern
 * after the other. So there is a router for each beginning (`/api/vod`), with those routes that paths with this beginning can match:
 * the time does not depend on the number of all routes.
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
  const others = routerOf(ofMethod.filter(({ path }) => !beginnings.has(beginningOf(path))));
  return (request, response, next) => void (routers.get(beginningOf(request.path)) ?? others)(request, response, next);
}

/** The first two segments. */
function beginningOf(path: string): string {
  return /^\/[^/]*(?:\/[^/]+)?/.exec(path)?.[0] ?? '';
}

/** Whether a pattern of two segments can match a beginning. */
function canBegin(pattern: string, beginning: string): boolean {
  if (pattern === beginning) return true;
  const segments = beginning.split('/');
  return isParameter(pattern) && pattern.split('/').every((one, index) => isParameter(one) || one === segments[index]);
}

function routerOf(entries: readonly TableEntry[]): Router {
  // Case sensitive, as `accessOf` is: the prefix that decided who may call is the prefix that matches.
  const router = Router({ caseSensitive: true });
  for (const { method, path, handle } of entries) router[method](path, handle);
  return router;
}
