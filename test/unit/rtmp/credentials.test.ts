import { expect } from 'chai';
import { AdobeChallenges, adobeResponse } from '../../../workers/rtmp/adobeChallenge.js';
import { queryCredentials, readChallengeStep, readName } from '../../../workers/rtmp/encoderCredentials.js';

const parametersOf = (text: string): ReadonlyMap<string, string> => readName(text)?.parameters ?? new Map();
const challenges = new AdobeChallenges(Buffer.alloc(32), () => 1000);

describe('stream names with parameters', () => {
  it('are separated from their parameters', () => {
    expect(readName('news?user=alice&pass=a+b=')).to.deep.equal({
      name: 'news',
      parameters: new Map([
        ['user', 'alice'],
        ['pass', 'a+b='],
      ]),
    });
    expect(readName('/live/')?.name).to.equal('live');
    expect(readName('live?authmod=adobe&user=alice?response=r')?.parameters.get('response')).to.equal('r');
  });

  it('are rejected if they are empty, too long, or contain control characters', () => {
    for (const text of ['', '/', '?user=alice', 'a'.repeat(257), 'a\nb', '\u0000'])
      expect(readName(text)).to.equal(null);
  });

  it('are parsed in linear time, even if they consist of slashes', () => {
    const since = performance.now();
    for (let at = 0; at < 100; at += 1) {
      expect(readName(`x${'/'.repeat(16_000)}x`)).to.equal(null);
      expect(readName(`${'/'.repeat(2000)}x${'/'.repeat(2000)}`)?.name).to.equal('x');
    }
    // In quadratic time, each of them would take a tenth of a second.
    expect(performance.now() - since).to.be.below(1000);
  });
});

describe('credentials in a query', () => {
  it('keep a plus sign and decode percent-encoding', () => {
    expect(queryCredentials(parametersOf('x?user=a%40b&pass=1+2%2B3'))).to.deep.equal({
      kind: 'query',
      user: 'a@b',
      password: '1+2+3',
    });
    expect(queryCredentials(parametersOf('x?user=alice&pass=100%'))).to.deep.include({ password: '100%' });
  });

  it('require both user and password', () => {
    for (const text of ['x', 'x?user=alice', 'x?pass=secret', 'x?user=&pass=secret', 'x?user=alice&pass='])
      expect(queryCredentials(parametersOf(text)), text).to.deep.equal({ kind: 'none' });
  });
});

describe('the steps of a challenge', () => {
  const step = (text: string) => readChallengeStep(parametersOf(text), challenges);

  it('start without credentials, continue with a user, and end with a response', () => {
    expect(step('live')).to.equal('need authentication');
    expect(step('live?authmod=llnw&user=alice')).to.equal('need authentication');
    expect(step('live?authmod=adobe')).to.equal('need authentication');
    expect(step('live?authmod=adobe&user=alice')).to.deep.equal({ challengeFor: 'alice' });
    const [, salt = '', opaque = ''] = /salt=(.*?)&challenge=.*?&opaque=(.*)/.exec(challenges.describe('a%20b')) ?? [];
    const response = adobeResponse({ user: 'a%20b', salt, opaque, challenge: 'c+/=' }, 'secret');
    const credentials = step(`live?authmod=adobe&user=a%20b&challenge=c+/=&response=${response}&opaque=${opaque}`);
    if (typeof credentials === 'string' || !('kind' in credentials) || credentials.kind !== 'adobe')
      throw new Error('no credentials');
    expect(credentials.user).to.equal('a b');
    expect(credentials.check('secret')).to.equal(true);
    expect(credentials.check('another')).to.equal(false);
  });

  it('restart on a challenge of another server', () => {
    expect(step('live?authmod=adobe&user=alice&challenge=c&response=r&opaque=o')).to.deep.equal({
      challengeFor: 'alice',
    });
  });

  it('are skipped with credentials in the address', () => {
    expect(step('live?user=alice&pass=secret')).to.deep.equal({ kind: 'query', user: 'alice', password: 'secret' });
  });
});
