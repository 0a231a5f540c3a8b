import { setTimeout as sleep } from 'node:timers/promises';
import { tusAt, createTus } from '../support/tus.js';
import { type TestApi, type TestUser } from '../support/api.js';
import { upload } from '../support/uploads.js';

/** A publisher who uploads continuously. */
export interface SteadyUploads {
  /** The box items of accepted uploads. */
  readonly boxIds: readonly string[];
  /** Resolves when every upload has a response. Failures: uploads that were not accepted at once. */
  end(): Promise<readonly unknown[]>;
}

/** A machine with two cores must process them in this time. */
const pauseMs = 6_000;
const tusPieceBytes = 20_000;

/** Uploads forms one after the other, and concurrently tus uploads in many requests each. */
export function startSteadyUploads(api: TestApi, owner: TestUser, file: Uint8Array): SteadyUploads {
  const boxIds: string[] = [];
  const failures: unknown[] = [];
  let isEnding = false;
  const repeat = async (once: () => Promise<void>): Promise<void> => {
    while (!isEnding) {
      await once().catch((error: unknown) => failures.push(String(error)));
      await sleep(pauseMs);
    }
  };
  const sendForm = async (): Promise<void> => {
    const { status, body, text } = await upload(api, owner, { file });
    if (status === 201) boxIds.push(body.boxId as string);
    else failures.push(['form', status, text]);
  };
  const sendTus = async (): Promise<void> => {
    const created = await createTus(api, owner, file.length);
    if (created.status !== 201) return void failures.push(['tus', created.status, await created.text()]);
    const sent = tusAt(api, owner, created.headers.get('Location') ?? '');
    let boxId: string | null = null;
    for (let offset = 0; offset < file.length; offset += tusPieceBytes) {
      const { status, headers } = await sent.patch(offset, file.subarray(offset, offset + tusPieceBytes));
      if (status !== 204) return void failures.push(['tus', status, offset]);
      boxId = headers.get('Box-Id');
      await sleep(100);
    }
    if (boxId === null) failures.push(['tus', 'no box item']);
    else boxIds.push(boxId);
  };
  const ended = Promise.all([repeat(sendForm), repeat(sendTus)]);
  return {
    boxIds,
    async end() {
      isEnding = true;
      await ended;
      return failures;
    },
  };
}
