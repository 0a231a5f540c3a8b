import { expect } from 'chai';
import Joi from 'joi';
import { jobs } from '../../../shared/jobs.js';
import { defineJob } from '../../../shared/platform/queue/job.js';
import { processNameOf } from '../../../shared/platform/processName.js';
import { handlers } from '../../../workers/handlers.js';
import { assertHandled, handledBy } from '../../../workers/runtime/jobTypes.js';
import { jobTitle } from '../../../api/operators/jobTitle.js';

const named = <Name extends string>(name: Name) =>
  defineJob({
    name,
    queue: 'mail',
    payload: Joi.object<object, true>({}),
    key: () => name,
    attempts: 1,
    backoffMs: 1,
    timeoutMs: 1,
  });
const one = named('one');
const two = named('two');
const workerSettings = { lockSeconds: 20, metricsPort: null, mediaConcurrency: 1, mediaThreads: 0 };
const idle = async (): Promise<void> => {};

describe('the name of a process in logs and metrics', () => {
  for (const [kind, queues, name] of [
    ['web', ['transcoding'], 'web'],
    ['worker', ['quick-transcoding', 'transcoding'], 'media'],
    ['worker', ['ingestion', 'quick-transcoding', 'transcoding'], 'worker'],
  ] as const)
    it(`is ${name} for a ${kind} with ${queues.join(', ')}`, () =>
      expect(processNameOf({ process: kind, worker: { ...workerSettings, queues } })).to.equal(name));
});

describe('the boot check', () => {
  it('finds a handler for every job of the service', () => expect(() => assertHandled(jobs, handlers)).not.to.throw());

  for (const [fault, declared, handled, message] of [
    ['a job without a handler', [one, two], { one: handledBy(one, idle) }, /two has no handler/],
    ['a job declared twice', [one, one], { one: handledBy(one, idle) }, /one is declared twice/],
    [
      "another job's handler",
      [one, two],
      { one: handledBy(one, idle), two: handledBy(one, idle) },
      /two has the handler of one/,
    ],
    [
      'a handler without a job',
      [one],
      { one: handledBy(one, idle), two: handledBy(two, idle) },
      /two has a handler and is not a job/,
    ],
  ] as const)
    it(`throws for ${fault}`, () => expect(() => assertHandled(declared, handled)).to.throw(message));
});

describe('declared jobs', () => {
  for (const job of jobs)
    it(`${job.name} has limits: attempts, backoff and timeout`, () => {
      expect(job.attempts).to.be.within(1, 50);
      expect(job.backoffMs).to.be.above(0);
      expect(job.timeoutMs).to.be.within(1_000, 12 * 3_600_000);
    });
});

describe('a job title', () => {
  it('distinguishes jobs of the same name', () => {
    const data = { contentId: '0f9c2f34-6f0e-4b7e-9a39-0d6b3a3a1c11', generation: 2, chunk: 7 };
    expect(jobTitle({ name: 'content.transcode', data })).to.equal(
      'content.transcode · content 0f9c2f34, generation 2, chunk 7',
    );
  });

  it('is the job name if the payload has no short value', () => {
    expect(jobTitle({ name: 'search.drain', data: {} })).to.equal('search.drain');
    expect(jobTitle({ name: 'search.drain', data: null })).to.equal('search.drain');
  });

  it('omits long and nested values', () =>
    expect(jobTitle({ name: 'a', data: { text: 'x'.repeat(41), nested: { a: 1 }, id: 5 } })).to.equal('a · id 5'));
});
