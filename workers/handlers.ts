import type { jobs } from '../shared/jobs.js';
import type { HandledJob } from './runtime.js';

type JobName = (typeof jobs)[number] extends { name: infer Name extends string } ? Name : never;

/** One handler for each job: a missing one does not compile. */
export type Handlers = { readonly [Name in JobName]: HandledJob<Name> };

/** Who does each job. */
export const handlers: Handlers = {};
