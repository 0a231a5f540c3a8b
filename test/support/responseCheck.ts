import type { ServerResponse } from 'node:http';
import { openapiOf, pathTemplate } from '../../api/http/openapiDocument.js';
import type { Route } from '../../api/http/route.js';
import { operationsOf, type Description, type Operation, findFault, type SentResponse } from './description.js';
import { AsyncLocalStorage } from 'node:async_hooks';
import { concurrency } from '../../shared/platform/concurrency.js';
import type { Context } from '../../shared/platform/context.js';
import { passwordThreads } from '../../shared/platform/security/passwordThreads.js';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Every response that a test receives is compared with `/openapi.json`: status, content type and, for JSON, the
 * body. A difference fails the test.
 */

let described: ReadonlyMap<string, Operation> | undefined;
let faults: string[] = [];

/** Throws if the response is not documented. */
export function assertDocumented(route: Route | undefined, response: SentResponse): void {
  const fault = faultOf(route, response);
  if (fault !== null) throw new Error(fault);
}

/** Checks the responses that a server in this process sends to any client; `takeResponseFaults` returns the errors. */
export function observeResponse(route: Route | undefined, response: ServerResponse): void {
  if (!route) return;
  const end = response.end.bind(response) as (...parameters: unknown[]) => ServerResponse;
  let isWritten = false;
  const write = response.write.bind(response) as (...parameters: unknown[]) => boolean;
  response.write = (...parameters: unknown[]) => {
    isWritten = true;
    return write(...parameters);
  };
  response.end = (...parameters: unknown[]) => {
    const [body] = parameters;
    const isPlain = !isWritten && response.getHeader('content-encoding') === undefined;
    const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
    const fault = faultOf(route, {
      status: response.statusCode,
      type: (response.getHeader('content-type') as string | undefined) ?? null,
      text: !isPlain ? undefined : isWhole ? String(body) : '',
    });
    if (fault !== null) faults.push(fault);
    return end(...parameters);
  };
}

/** Records that a request of this route has consulted a limit. */
function noteLimit(route: Route): void {
  const operation = operationOf(route);
  if (operation && !('429' in operation.responses))
    faults.push(`${operation.name} consults a limit and does not document 429. Declare it in its route (isLimited).`);
}

/** The errors found since the previous call. */
export function takeResponseFaults(): readonly string[] {
  const taken = faults;
  faults = [];
  return taken;
}

/** `POST /api/box/{boxId}`: the name of a route's operation. */
export function operationName(route: Pick<Route, 'method' | 'path'>): string {
  return `${route.method.toUpperCase()} ${pathTemplate(route)}`;
}

/** The OpenAPI document with default settings. */
export function describedService(): Description {
  return openapiOf({ name: 'Service', publicUrl: 'https://video.example.org' }) as unknown as Description;
}

function faultOf(route: Route | undefined, response: SentResponse): string | null {
  if (!route) return null;
  const operation = operationOf(route);
  const fault = operation ? findFault(operation, response) : null;
  return fault === null
    ? null
    : `${operationName(route)} responded with ${fault}. Declare it in its route (errors, otherResponses, response).`;
}

/** Undefined for page files, which are not described. */
function operationOf(route: Route): Operation | undefined {
  described ??= new Map(operationsOf(describedService()).map((operation) => [operation.name, operation]));
  return described.get(operationName(route));
}

/**
 * A route that consults a limit must document 429, even if no test reaches the limit. Limits are slots of `Concurrency`,
 * password hashes, and attempts in `attempt_counts`.
 */
const requests = new AsyncLocalStorage<Route | undefined>();

/** Attributes all further work of this event to a request of this route. */
export function beginRequest(route: Route | undefined): void {
  requests.enterWith(route);
}

const watched = new WeakSet<object>();

/** Records the requests that consult the limits of a context. */
export function watchLimits(ctx: Context): void {
  watch(concurrency(ctx), 'enter');
  watch(concurrency(ctx), 'runInSlot');
  watch(passwordThreads(ctx), 'derive');
  watch(ctx.db, 'rows', (statement) => String(statement).includes('INSERT INTO attempt_counts'));
}

function watch<Watched extends object>(
  object: Watched,
  method: keyof Watched & string,
  isLimit: (first: unknown) => boolean = () => true,
): void {
  const called = object[method] as (...parameters: unknown[]) => unknown;
  if (watched.has(called)) return;
  const recorded = (...parameters: unknown[]): unknown => {
    const route = requests.getStore();
    if (route && isLimit(parameters[0])) noteLimit(route);
    return called.apply(object, parameters);
  };
  watched.add(recorded);
  object[method] = recorded as never;
}

/** Folder of this test run, created and removed by `npm test`. Undefined if mocha was started in another way. */
const folder = process.env['TEST_RUN_DIR'];
const noted = new Set<string>();
/** Every operation documents these (408, 413 and 415: with a body), and tests of the HTTP framework receive them for all. */
const ofAllOperations = new Set(['400', '408', '413', '415', '429', '500', '503']);

/** Records that a test has received a status of an operation. */
export function noteStatus(route: Route | undefined, status: number): void {
  if (!route || folder === undefined) return;
  const line = `${operationName(route)} ${status}`;
  if (noted.has(line)) return;
  noted.add(line);
  appendFileSync(join(folder, `statuses-${process.pid}`), `${line}\n`);
}

/** Documented statuses that no test of this run has received, one line per operation. */
export function unseenStatuses(): string[] {
  if (folder === undefined) return [];
  const files = readdirSync(folder).filter((name) => name.startsWith('statuses-'));
  const seen = new Set(files.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
  return Object.entries(describedService().paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) => {
      const operation = `${method.toUpperCase()} ${path}`;
      const unseen = Object.keys(responses).filter(
        (status) => !ofAllOperations.has(status) && !seen.has(`${operation} ${status}`),
      );
      return unseen.length === 0 ? [] : [`${operation}: ${unseen.join(', ')}`];
    }),
  );
}
