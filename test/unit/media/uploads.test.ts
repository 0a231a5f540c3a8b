import { expect } from 'chai';
import type { Storage } from '../../../shared/platform/storage/storage.js';
import { createUploads } from '../../../workers/runtime/uploads.js';
import { eventually } from '../../support/eventually.js';
import { countKept } from '../../support/garbage.js';
import { rejection } from '../../support/rejection.js';

/** A storage whose puts end on the test's command. */
function heldStorage() {
  const waiting: { readonly key: string; readonly end: () => void }[] = [];
  let running = 0;
  let most = 0;
  const put = async (key: string): Promise<{ bytes: number }> => {
    most = Math.max(most, (running += 1));
    try {
      return await new Promise((resolve) => waiting.push({ key, end: () => resolve({ bytes: 1 }) }));
    } finally {
      running -= 1;
    }
  };
  return { storage: { put } as unknown as Storage, waiting, most: () => most };
}

const none = new AbortController().signal;

describe('uploads', () => {
  it('run at most four at a time, even if uploads are added while others end', async () => {
    const held = heldStorage();
    const uploads = createUploads(held, none);
    const add = (): void => void uploads.addBuffer(Buffer.from('x'), 'key', 'video/mp4');
    for (let count = 0; count < 6; count += 1) add();
    await eventually(() => expect(held.waiting).to.have.length(4));
    for (let count = 0; count < 3; count += 1) {
      const [first] = held.waiting.splice(0, 1);
      first?.end();
      // In each microtask in which the released slot passes to another upload.
      for (let turn = 0; turn < 10; turn += 1) {
        add();
        await Promise.resolve();
      }
    }
    expect(held.most()).to.equal(4);
    const ending = setInterval(() => held.waiting.splice(0).forEach(({ end }) => end()), 1);
    await uploads.done().finally(() => clearInterval(ending));
    expect(held.most()).to.equal(4);
  });

  it('release their memory after they are stored', async () => {
    const uploads = createUploads({ storage: { put: async () => ({ bytes: 1 }) } as unknown as Storage }, none);
    const references = Array.from(
      { length: 1_000 },
      () => new WeakRef(uploads.addBuffer(Buffer.from('x'), 'key', 'video/mp4')),
    );
    await uploads.done();
    expect(await countKept(references)).to.be.below(10);
    await uploads.done();
  });

  it('reject `done` after an earlier failure, without an unhandled rejection', async () => {
    const failing = { put: () => Promise.reject(new Error('the store is full')) } as unknown as Storage;
    const uploads = createUploads({ storage: failing }, none);
    void uploads.addBuffer(Buffer.from('x'), 'key', 'video/mp4').catch(() => {});
    await uploads.ended();
    expect(await rejection(uploads.done())).to.have.property('message', 'the store is full');
  });

  it('do not start after the signal, and those in progress are awaited', async () => {
    const held = heldStorage();
    const controller = new AbortController();
    const uploads = createUploads(held, controller.signal);
    for (let count = 0; count < 6; count += 1)
      uploads.addBuffer(Buffer.from('x'), String(count), 'video/mp4').catch(() => {});
    await eventually(() => expect(held.waiting).to.have.length(4));
    controller.abort(new Error('enough'));
    let hasEnded = false;
    const ended = uploads.ended().then(() => (hasEnded = true));
    expect(hasEnded).to.equal(false);
    held.waiting.forEach(({ end }) => end());
    await ended;
    expect(held.waiting.map(({ key }) => key)).to.deep.equal(['0', '1', '2', '3']);
    expect(await rejection(uploads.done())).to.have.property('message', 'enough');
  });
});
