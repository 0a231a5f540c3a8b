import type { ServerResponse } from 'node:http';
import { openapiOf, pathTemplate } from '../../api/http/openapiDocument.js';
import type { Route } from '../../api/http/route.js';
import { operationsOf, type Description, type Operation } from './description.js';
import { findFault, type SentResponse } from './responseFault.js';

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
export function noteLimit(route: Route): void {
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
