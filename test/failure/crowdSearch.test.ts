import { expect } from 'chai';
import { createVocabulary } from '../../shared/platform/search/postgres/vocabulary.js';
import { countOf, openCrowded } from '../support/crowd.js';
import { useFixture } from '../support/fixtures.js';

/** Words that differ from each other in their last letters. */
function nearWords(count: number): string[] {
  const letterOf = (digit: string) => String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 26));
  return Array.from({ length: count }, (_, number) => {
    const ending = number.toString(26).padStart(3, '0');
    return `watchedd${[...ending].map(letterOf).join('')}`;
  });
}

describe('A crowd of searches at one web process', function () {
  this.timeout(60_000);
  const crowded = useFixture(openCrowded);
  before(async () => {
    const { db } = crowded.ctx;
    await db.transaction((tx) => createVocabulary(db).add(tx, new Set(nearWords(10_000))));
  });

  const search = async (body: object, signal?: AbortSignal): Promise<number> => {
    const { api, token } = crowded;
    const response = await fetch(`${api.url}/api/public/search/vod/contents`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
    await response.arrayBuffer();
    return response.status;
  };

  it('80 searches of ten words, each similar to thousands', async () => {
    const words = nearWords(10).map((word) => `${word.slice(0, -1)}z`);
    const attack = (number: number) => search({ queryString: [...words, String(number)].join(' ') });
    const { statuses } = await crowded.withCrowd(attack, 80);
    expect(countOf(statuses, 200)).to.equal(80);
  });

  it('120 searches for prefixes of one letter, for the last page, and for everything at once', async () => {
    const bodies = [
      { queryString: 'w*' },
      { queryString: 'watched', pageIndex: 1_000_000, pageSize: 100 },
      { pagination: false },
      { tags: Array.from({ length: 50 }, (_, tag) => `tag ${tag}`), queryString: '%_%_%*' },
    ];
    const attack = (number: number) => search(bodies[number % bodies.length] as object);
    const { statuses } = await crowded.withCrowd(attack, 120);
    expect(countOf(statuses, 200)).to.be.at.least(100);
    expect(countOf(statuses, 200) + countOf(statuses, 429)).to.equal(120);
  });

  it('120 searches whose callers disconnect at once leave no query behind', async () => {
    const words = nearWords(10).join(' ');
    const attack = (number: number) => search({ queryString: words }, AbortSignal.timeout(number));
    await crowded.withCrowd(attack, 120);
    const running = await crowded.ctx.db.rows(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE '%search_typo_keys%' AND pid <> pg_backend_pid()`,
    );
    expect(running).to.deep.equal([]);
  });
});
