import { expect } from 'chai';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import { routeTable, type TableEntry } from '../../../api/http/routeTable.js';
import { routes } from '../../../api/routes.js';

const methods = ['get', 'post', 'delete'] as const;

describe('the route table', () => {
  /** The pattern that handles a path, or null. */
  function matched(handler: RequestHandler, method: string, path: string, found: { pattern: string | null }) {
    found.pattern = null;
    let error: unknown;
    const request = { method: method.toUpperCase(), url: path, path } as Request;
    void handler(request, {} as Response, (thrown: unknown) => (error = thrown));
    return error ? 'error' : found.pattern;
  }

  it('finds the same route as a comparison with all patterns in order', () => {
    const found: { pattern: string | null } = { pattern: null };
    const entries: TableEntry[] = routes.map(({ method, path }) => ({
      ...{ method, path },
      handle: () => void (found.pattern = path),
    }));
    for (const method of methods) {
      const table = routeTable(method, entries);
      const all = Router({ caseSensitive: true });
      for (const entry of entries.filter((one) => one.method === method)) all[method](entry.path, entry.handle);
      for (const path of paths())
        expect(matched(table, method, path, found), `${method} ${path}`).to.equal(matched(all, method, path, found));
    }
  });

  /** Paths of all routes, and variants of them that match other routes or none. */
  function paths(): string[] {
    const filled = routes.flatMap(({ path }) => {
      const one = path.replace(/\*path/, 'a/b.m3u8').replaceAll(/:\w+/g, 'x1');
      const literal = path.replace(/\*path/, 'contents').replaceAll(/:\w+/g, 'search');
      return [one, literal];
    });
    return [...new Set(filled)].flatMap((path) => [
      ...[path, `${path}/`, `${path}//`, `/${path}`, `${path}/more`, path.replace('/', '//')],
      ...[path.toUpperCase(), path.replace('a', '%61'), `${path}%`, path.slice(0, path.lastIndexOf('/')) || '/'],
    ]);
  }
});
