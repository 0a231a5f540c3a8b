import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startApi } from '../api.js';
import { withRealClock, openTestContext } from '../context.js';
import { eventually } from '../eventually.js';
import { withPage, type See } from '../playerPage.js';
import { freePort } from '../deployment.js';
import { startWorkers } from '../workers.js';
import { openStation, type TestStation } from './station.js';
import { castDelaySeconds } from '../../../shared/cast/playout.service.js';
import { disableUser } from '../users.js';

const settings = { CAST_FREEZE_SECONDS: '4', CAST_MAX_HEIGHT: '240' };

/** A channel that plays in real time on a separate service, and its page in a browser. */
export interface WatchedStation {
  readonly station: TestStation;
  readonly open: (options: BrowserContextOptions, work: (page: Page, see: See) => Promise<void>) => Promise<void>;
  /** Errors that pages have reported since the previous call. */
  takeFaults(): string[];
  disableOwner(): Promise<void>;
  close(): Promise<void>;
}

/** Resolves when the channel is playable, with its slate. */
export async function openWatchedStation(browser: Browser): Promise<WatchedStation> {
  const port = await freePort();
  const context = await openTestContext(
    { ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` },
    { limits: [[castDelaySeconds, 2]] },
  );
  const ctx = withRealClock(context);
  const api = await startApi(ctx, port);
  const workers = await startWorkers(ctx);
  const station = await openStation(ctx, api);
  const faults: string[] = [];
  await eventually(
    async () => {
      const { body } = await api.call('GET', `/embed/cast?cast=${station.channelId}`);
      expect(body.status.result).to.equal('PLAY');
    },
    { timeoutMs: 60_000 },
  );
  return {
    station,
    open: (options, work) =>
      withPage(browser, { url: `${api.url}/embed/?cast=${station.channelId}`, options, faults }, work),
    takeFaults: () => faults.splice(0),
    async disableOwner() {
      await disableUser(ctx, station.owner.userId);
    },
    async close() {
      await workers.close();
      await api.close();
      await ctx.close();
    },
  };
}
