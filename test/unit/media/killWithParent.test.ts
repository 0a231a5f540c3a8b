import { spawnSync } from 'node:child_process';
import { expect } from 'chai';
import { killedWithParent } from '../../../workers/media/killWithParent.js';
import { itWith, requirements } from '../../support/requirements.js';

describe('a program that ends with this process', () => {
  const output = (command: readonly [string, ...string[]], ...parameters: string[]): string =>
    spawnSync(command[0], [...command.slice(1), ...parameters], { encoding: 'utf8' }).stdout;

  it('runs as a child of this process', () => {
    expect(output(killedWithParent('echo'), 'one', 'two words')).to.equal('one two words\n');
  });

  itWith(requirements.setpriv, 'is not started if its parent has ended before the kernel watches it', function () {
    const command = killedWithParent('echo');
    // The shell starts the program as its own child, so this process is not its parent.
    expect(output(['sh', '-c', '"$@"; echo "exit code $?"', 'sh', ...command, 'started'])).to.equal('exit code 1\n');
  });
});
