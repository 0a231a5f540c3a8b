import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { expect } from 'chai';
import { pino } from 'pino';
import { takeWarnings, watchLogLine, watchPrintedWarnings } from '../../support/warnings.js';

/** A warning fails the test in which it is emitted (`rootHooks.ts`). These tests prove that warnings are detected. */
describe('warnings of Node', () => {
  const firstLines = (): (string | undefined)[] => takeWarnings().map((warning) => warning.split('\n', 1)[0]);

  it('are detected in this process', async () => {
    const emitter = new EventEmitter();
    for (let listener = 0; listener < 11; listener += 1) emitter.on('end', () => {});
    await new Promise((resolve) => setImmediate(resolve));
    expect(firstLines()[0]).to.match(/^MaxListenersExceededWarning: .* 11 end listeners/);
  });

  it('are detected in a process that a test has started', async () => {
    const script = `process.emitWarning('text', 'CustomWarning')`;
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'ignore', 'pipe'] });
    watchPrintedWarnings(child.stderr);
    await once(child, 'close');
    expect(firstLines()).to.deep.equal(['of a process that the test has started: CustomWarning: text']);
  });

  it('are detected for a log line that repeats a binding of its child logger', () => {
    const log = pino({}, { write: watchLogLine }).child({ attempt: 1 });
    log.info({ text: 'ü "quoted" \n' }, 'text');
    expect(firstLines()).to.deep.equal([]);
    log.info({ attempt: 2 }, 'text');
    expect(firstLines()[0]).to.match(/^log line has a member twice: .*"attempt":1,"attempt":2/);
  });
});
