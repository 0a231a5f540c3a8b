import { createHash } from 'node:crypto';
import { Agent } from 'node:http';
import fc from 'fast-check';
import { assemble, type WireRequest } from './assemble.js';
import { faultOf } from './judge.js';
import { operationsOf, type Description, type Operation } from './operations.js';
import { casesOf, type FuzzCase } from './requests.js';
import { curlOf, sendOver } from './wire.js';
import type { Target } from './publisher.js';
import { createWorld, type World } from './world.js';

export interface FuzzOptions {
  readonly seed: number;
  /** Requests of each operation. */
  readonly cases: number;
  /** Operations whose name holds this; all where it is missing. */
  readonly only?: string;
  /** Hears how far it has come, 0 to 100. */
  readonly onProgress?: (percent: number) => void;
}

export interface Finding {
  readonly operation: string;
  readonly fault: string;
  /** The smallest request that was found to do it, for a shell. */
  readonly curl: string;
}

export interface FuzzReport {
  readonly findings: readonly Finding[];
  /** By operation: how often each status came. */
  readonly statuses: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** Requests until a world is made anew: what they change piles up in it. */
const worldLasts = 50;

/** Asks every operation of the description for the wrong things, and holds every answer to what it declares. */
export async function fuzz(target: Target, options: FuzzOptions): Promise<FuzzReport> {
  const { seed, cases, only = '', onProgress = () => {} } = options;
  const origin = new URL(target.url).origin;
  const description = (await (await fetch(`${target.url}/openapi.json`)).json()) as Description;
  const operations = operationsOf(description).filter(({ name }) => name.includes(only));
  const worlds = createWorlds(target);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const findings: Finding[] = [];
  const statuses: Record<string, Record<string, number>> = {};
  try {
    for (const [position, operation] of operations.entries()) {
      const counts: Record<string, number> = (statuses[operation.name] = {});
      const finding = await fuzzOne(
        { operation, target, worlds, origin, agent, counts },
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

interface Bench {
  readonly operation: Operation;
  readonly target: Target;
  readonly worlds: Worlds;
  readonly origin: string;
  readonly agent: Agent;
  readonly counts: Record<string, number>;
}

/** The requests of one operation do not depend on which others are asked. */
function seedOf({ name }: Operation, seed: number): number {
  return createHash('sha256').update(`${seed} ${name}`).digest().readInt32BE(0);
}

/** All cases of one operation; the first that fails is made as small as it gets. */
async function fuzzOne(bench: Bench, seed: number, numRuns: number): Promise<Finding | null> {
  const { operation, origin, worlds } = bench;
  let last: { readonly wire: WireRequest; readonly fault: string } | undefined;
  /** What keeps us from asking is no finding, and no reason to ask for something smaller. */
  let broken: unknown;
  const property = fc.asyncProperty(casesOf(operation), async (one) => {
    if (broken !== undefined) return;
    const asked = await worlds
      .now()
      .then((world) => ask(bench, one, world))
      .catch((error: unknown) => void (broken = error));
    if (asked?.stale) worlds.end();
    if (!asked?.fault) return;
    last = { wire: asked.wire, fault: asked.fault };
    throw new Error(asked.fault);
  });
  const { failed } = await fc.check(property, { seed, numRuns });
  if (broken !== undefined) throw broken;
  return failed && last ? { operation: operation.name, fault: last.fault, curl: curlOf(origin, last.wire) } : null;
}

interface Asked {
  readonly wire: WireRequest;
  readonly fault: string | null;
  /** The request has ended what the next ones need. */
  readonly stale: boolean;
}

async function ask(bench: Bench, one: FuzzCase, world: World): Promise<Asked> {
  const { operation, target, origin, agent, counts } = bench;
  const wire = assemble(operation, one, world, target);
  const response = await sendOver(agent, origin, wire);
  const key = String(response?.status ?? 'none');
  counts[key] = (counts[key] ?? 0) + 1;
  const stale = response !== null && response.status < 300 && endsSomething(operation);
  return { wire, fault: response === null ? 'no answer' : faultOf(operation, response), stale };
}

function endsSomething({ path }: Operation): boolean {
  return /\/(disable|password\/update)$/.test(path);
}

interface Worlds {
  now(): Promise<World>;
  end(): void;
}

function createWorlds(target: Target): Worlds {
  let world: World | undefined;
  let left = 0;
  return {
    async now() {
      if (!world || left-- <= 0) {
        world = await createWorld(target);
        left = worldLasts;
      }
      return world;
    },
    end: () => void (world = undefined),
  };
}
