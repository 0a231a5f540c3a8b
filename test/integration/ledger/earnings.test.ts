import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { postSale, reverseSale } from '../../../shared/ledger/posting.js';
import { registerUser, startApi } from '../../support/api.js';
import { createTestClock, openTestContext } from '../../support/context.js';
import { fixtureEach } from '../../support/fixtures.js';

const hour = 3_600_000;
const video = { itemKind: 'vod', itemId: '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20' };
const bundle = { itemKind: 'bundle', itemId: '0b9c1c8e-2f5a-4d39-a4b5-1c2d3e4f5a6b' };

describe('the earnings of a user', () => {
  const opened = fixtureEach(openTestContext);
  // The last hour of a year in UTC is the first hour of the next year at UTC+1.
  const ctx = fixtureEach(() => ({
    ...opened,
    clock: createTestClock(new Date('2026-12-31T23:30:00Z')),
    close: () => {},
  }));
  const api = fixtureEach(() => startApi(ctx));
  const [seller, other] = [fixtureEach(() => registerUser(api)), fixtureEach(() => registerUser(api))];

  async function sell(
    item: { readonly itemKind: string; readonly itemId: string },
    title: string,
    cents: number,
    { to = seller.userId, currency = 'EUR' } = {},
  ): Promise<string> {
    const trackingId = randomUUID();
    const receipt = { trackingId, ...item, title, amountCents: cents + 30, currency };
    await ctx.db.transaction((tx) =>
      postSale(ctx, tx, receipt, [
        { userId: to, cents },
        { userId: null, cents: 30 },
      ]),
    );
    return trackingId;
  }

  const read = (query = '', headers: Record<string, string> = {}) =>
    api.call('GET', `/api/user/me/earnings${query}`, { token: seller.token, headers });

  it('are an empty page without sales', async () => {
    const { status, body } = await read();
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      items: [],
      pageSize: 20,
      pageIndex: 0,
      totalCount: 0,
      pageCount: 0,
      balances: [],
      totals: { byItem: [], byMonth: [] },
    });
  });

  it('are the caller’s postings, newest first, with totals by item and by month in the caller’s time zone', async () => {
    await sell(video, 'Snow', 700);
    await sell(video, 'Snow', 700, { to: other.userId });
    ctx.clock.advance(hour);
    const reversed = await sell(video, 'Snow, again', 350);
    await sell(bundle, 'Winter', 1_234);
    ctx.clock.advance(hour);
    await ctx.db.transaction((tx) => reverseSale(ctx, tx, reversed));
    const { body } = await read('', { 'X-Service-timezone': String(hour) });
    expect((await read('', { 'X-Service-timezone': 'Europe/Rome' })).body).to.deep.equal(body);
    expect(body.totalCount).to.equal(4);
    const posting = (kind: string, time: string, item: object, title: string, amount: string) => ({
      ...{ kind, postedDate: { date: '01/01/2027', time }, ...item, title, amount },
      currency: 'EUR',
    });
    expect(body.items).to.deep.equal([
      posting('REVERSAL', '02:30:00', video, 'Snow, again', '-3,50'),
      posting('SALE', '01:30:00', bundle, 'Winter', '12,34'),
      posting('SALE', '01:30:00', video, 'Snow, again', '3,50'),
      posting('SALE', '00:30:00', video, 'Snow', '7,00'),
    ]);
    expect(body.balances).to.deep.equal([{ amount: '19,34', currency: 'EUR', count: 4 }]);
    expect(body.totals.byItem).to.deep.equal([
      { ...bundle, title: 'Winter', amount: '12,34', currency: 'EUR', count: 1 },
      { ...video, title: 'Snow, again', amount: '7,00', currency: 'EUR', count: 3 },
    ]);
    expect(body.totals.byMonth).to.deep.equal([{ month: '01/2027', amount: '19,34', currency: 'EUR', count: 4 }]);
    const inUtc = (await read()).body.totals.byMonth as object[];
    expect(inUtc).to.deep.equal([
      { month: '01/2027', amount: '12,34', currency: 'EUR', count: 3 },
      { month: '12/2026', amount: '7,00', currency: 'EUR', count: 1 },
    ]);
  });

  it('are paginated', async () => {
    for (let number = 0; number < 5; number++) await sell(video, `Part ${number}`, 100 + number);
    const { body } = await read('?pageSize=2&pageIndex=1');
    expect(body.items.map(({ title }: { title: string }) => title)).to.deep.equal(['Part 2', 'Part 1']);
    expect([body.pageSize, body.pageIndex, body.totalCount, body.pageCount]).to.deep.equal([2, 1, 5, 3]);
    expect((await read('?pageSize=2&pageIndex=3')).body.items).to.deep.equal([]);
    expect((await read('?pageSize=5000')).body.pageSize).to.equal(100);
    for (const query of ['?pageSize=0', '?pageSize=ten', '?pageIndex=-1', '?pageIndex=1.5', '?pageSize=1&pageSize=2'])
      expect((await read(query)).status, query).to.equal(400);
  });

  it('are summed separately for each currency', async () => {
    await sell(video, 'Snow', 100);
    await sell(video, 'Snow', 100, { currency: 'USD' });
    const { body } = await read();
    expect(body.balances.map(({ amount, currency }: Record<string, string>) => `${amount} ${currency}`)).to.deep.equal([
      '1,00 EUR',
      '1,00 USD',
    ]);
    expect(body.totals.byItem).to.have.length(2);
  });

  describe('as CSV', () => {
    const table = async (headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`${api.url}/api/user/me/earnings?pageSize=1`, {
        headers: { authorization: `Bearer ${seller.token}`, accept: 'text/csv', ...headers },
      });

    it('contain every posting, with any characters in a title', async () => {
      await sell(video, 'Snow; "white", and\r\nmore', 123);
      for (const title of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1']) await sell(video, title, 100);
      const reversed = await sell(video, 'Ice', 50);
      await ctx.db.transaction((tx) => reverseSale(ctx, tx, reversed));
      const response = await table({ 'X-Service-timezone': String(hour) });
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8; header=present');
      expect(response.headers.get('content-disposition')).to.contain('earnings.csv');
      const text = await response.text();
      const start = `"01/01/2027","00:30:00","SALE","vod","${video.itemId}"`;
      expect(
        text.startsWith('"date","time","kind","itemKind","itemId","title","amount","currency","neverOnAir"\r\n'),
      ).to.equal(true);
      expect(text).to.contain(`"REVERSAL","vod","${video.itemId}","Ice","-0,50","EUR",""\r\n`);
      expect(text).to.contain(`${start},"Snow; ""white"", and\r\nmore","1,23","EUR",""\r\n`);
      for (const title of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1'])
        expect(text).to.contain(`${start},"'${title}","1,00","EUR",""\r\n`);
      expect(text.match(/"EUR",""\r\n/g)).to.have.length(8);
    });

    it('are streamed completely and in order', async function () {
      // More than one batch. Thousands of statements are slow while other tests run in parallel.
      this.timeout(60_000);
      await ctx.db.transaction(async (tx) => {
        for (let number = 0; number < 1_100; number++)
          await postSale(
            ctx,
            tx,
            { trackingId: randomUUID(), ...video, title: `Part ${number}`, amountCents: 1, currency: 'EUR' },
            [{ userId: seller.userId, cents: 1 }],
          );
      });
      const titles = [...(await (await table()).text()).matchAll(/"Part (\d+)"/g)].map((match) => Number(match[1]));
      expect(titles).to.deep.equal(Array.from({ length: 1_100 }, (_, index) => 1_099 - index));
    });
  });
});
