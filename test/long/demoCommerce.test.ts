import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const run = promisify(execFile);
const script = fileURLToPath(new URL('../../tools/demo/commerce/main.js', import.meta.url));

describe('npm run demo:commerce', function () {
  this.timeout(240_000);

  it('sells, licenses and resells, and the ledger balances to the cent', async () => {
    const { stdout } = await run(process.execPath, ['--enable-source-maps', script], {
      env: { ...process.env, DEMO_CLIP_SECONDS: '2', ENCODER_PRESET: 'ultrafast' },
    });
    const steps = stdout.split('\n').filter((line) => /^ +\d+ {2}\w/.test(line));
    expect(
      steps.some((step) => /vera .*\/play +PAYMENT_REQUIRED/.test(step)),
      stdout,
    ).to.equal(true);
    expect(steps.filter((step) => step.endsWith(' PLAY'))).to.have.length(4);
    // Paula sells for 4,00, 9,99 and 6,00; Quentin resells for 3,99, half of which Paula earns; a plan costs 27,00.
    expect(credits(stdout)).to.deep.equal({ paula: '15,38', quentin: '1,40', platform: '34,20' });
    expect(stdout).to.match(/clearing +50,98/);
    expect(stdout).to.contain('The ledger balances to the cent.');
  });
});

/** The printed credit balances. */
function credits(output: string): Record<string, string> {
  const lines = [...output.matchAll(/^ +(paula|quentin|platform) +(\d+,\d\d)$/gm)];
  return Object.fromEntries(lines.map(([, account = '', amount = '']) => [account, amount]));
}
