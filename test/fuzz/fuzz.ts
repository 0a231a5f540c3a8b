import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import fc from 'fast-check';
import { assemble, type WireRequest } from './wireRequest.js';
import { findFault, operationsOf, type Description, type Operation } from '../support/description.js';
import { casesOf, type FuzzCase } from './requests.js';
import { curlOf, sendOver, type WireResponse } from './wire.js';
import type { Target } from './publisher.js';
import { createFixtures, type Fixtures } from './fixtures.js';

export interface FuzzOptions {
  readonly seed: number;
  /** The number of requests of each operation. */
  readonly cases: number;
  /** Only operations whose name contains this text; all by default. */
  readonly only?: string;
  /** Called with the progress, 0 to 100. */
  readonly onProgress?: (percent: number) => void;
}

export interface Finding {
  readonly operation: string;
  readonly fault: string;
  /** The smallest known request that causes the fault, as a curl command. */
  readonly curl: string;
}

export interface FuzzReport {
  readonly findings: readonly Finding[];
  /** The number of responses by operation and status. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** After this many requests the fixtures are replaced, because requests change them. */
const requestsPerFixtures = 50;

/** Sends invalid requests to every operation of `/openapi.json` and checks every response against its declaration. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, cases, only = '', onProgress = () => {} } = options;
  const origin = new URL(target.url).origin;
  const description = (await (await fetch(`${target.url}/openapi.json`)).json()) as Description;
  const operations = operationsOf(description).filter(({ name }) => name.includes(only));
  const fixturePool = createFixturePool(target);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const findings: Finding[] = [];
  const statuses: Record<string, Record<string, number>> = {};
  try {
    for (const [position, operation] of operations.entries()) {
      const counts: Record<string, number> = (statuses[operation.name] = {});
      const finding = await fuzzOne(
        { operation, target, fixturePool, origin, agent, counts },
        seedOf(operation, seed),
        cases,
      );
      if (finding) findings.push(finding);
      onProgress(((position + 1) / operations.length) * 100);
    }
  } finally {
    agent.destroy();
  }
  return { findings, statuses };
}

interface FuzzRun {
  readonly operation: Operation;
  readonly target: Target;
  readonly fixturePool: FixturePool;
  readonly origin: string;
  readonly agent: Agent;
  readonly counts: Record<string, number>;
}

/** The requests of an operation do not depend on which other operations are tested. */
function seedOf({ name }: Operation, seed: number): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readInt32BE(0);
}

/** All cases of one operation; fast-check shrinks the first that fails. */
async function fuzzOne(run: FuzzRun, seed: number, numRuns: number): Promise<Finding | null> {
  const { operation, origin, fixturePool } = run;
  let last: { readonly wire: WireRequest; readonly fault: string } | undefined;
  /** An error of the fuzzer itself, for example no connection: neither a finding nor something to shrink. */
  let broken: unknown;
  const property = fc.asyncProperty(casesOf(operation), async (one) => {
    if (broken !== undefined) return;
    const asked = await fixturePool
      .now()
      .then((fixtures) => ask(run, one, fixtures))
      .catch((error: unknown) => void (broken = error));
    if (asked?.stale) fixturePool.end();
    if (!asked?.fault) return;
    last = { wire: asked.wire, fault: asked.fault };
    throw new Error(asked.fault);
  });
  const { failed } = await fc.check(property, { seed, numRuns });
  if (broken !== undefined) throw broken;
  return failed && last ? { operation: operation.name, fault: last.fault, curl: curlOf(origin, last.wire) } : null;
}

interface Outcome {
  readonly wire: WireRequest;
  readonly fault: string | null;
  /** The request has disabled a resource of later requests, or has exhausted a limit of its user. */
  readonly stale: boolean;
}

async function ask(run: FuzzRun, one: FuzzCase, fixtures: Fixtures): Promise<Outcome> {
  const { operation, target, origin, agent, counts } = run;
  const wire = assemble(operation, one, fixtures, target);
  const response = await sendOver(agent, origin, wire);
  const key = String(response?.status ?? 'none');
  counts[key] = (counts[key] ?? 0) + 1;
  const stale = response !== null && (response.status === 429 || (response.status < 300 && endsSomething(operation)));
  return { wire, fault: response === null ? 'no response' : faultIn(operation, one, response), stale };
}

/** The status that oEmbed requires for formats other than JSON; it must be documented. */
const notImplemented = 501;

/** A changed path may match no operation: then 404 is correct, even if it is not documented. */
function faultIn(operation: Operation, { route }: FuzzCase, response: WireResponse): string | null {
  if (response.status >= 500 && response.status !== notImplemented) return `status ${response.status}`;
  if (response.status === 404 && route !== 'plain') return null;
  return findFault(operation, response);
}

function endsSomething({ path }: Operation): boolean {
  return /\/(disable|password\/update)$/.test(path);
}

interface FixturePool {
  now(): Promise<Fixtures>;
  end(): void;
}

function createFixturePool(target: Target): FixturePool {
  let fixtures: Fixtures | undefined;
  let left = 0;
  return {
    async now() {
      if (!fixtures || left-- <= 0) {
        fixtures = await createFixtures(target);
        left = requestsPerFixtures;
      }
      return fixtures;
    },
    end: () => void (fixtures = undefined),
  };
}
