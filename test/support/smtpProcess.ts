import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { SMTPServer } from 'smtp-server';

/** A mail as a server received it. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and text, as received. */
  readonly data: string;
}

export interface SmtpProcess {
  readonly received: readonly ReceivedMail[];
  /** The number of temporary rejections. */
  rejections(): number;
  end(): Promise<void>;
}

type Word = { readonly ready: true } | { readonly refused: true } | { readonly mail: ReceivedMail };

/** A real SMTP server in a separate process that rejects the first `rejections` mails temporarily (451). */
export async function startSmtpProcess(port: number, rejections = 0): Promise<SmtpProcess> {
  const child = fork(fileURLToPath(import.meta.url), [String(port), String(rejections)], { stdio: 'inherit' });
  const received: ReceivedMail[] = [];
  let refused = 0;
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (word: Word) => {
      if ('ready' in word) resolve();
      if ('refused' in word) refused += 1;
      if ('mail' in word) received.push(word.mail);
    });
    child.once('exit', (code) => reject(new Error(`the SMTP server ended with ${code}`)));
  });
  await ready;
  return {
    received,
    rejections: () => refused,
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** The code of the process. */
function serve(port: number, rejections: number): void {
  let left = rejections;
  const report = (word: Word): void => void process.send?.(word);
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      let data = '';
      stream.on('data', (chunk: Buffer) => (data += chunk.toString()));
      stream.on('end', () => {
        if (left > 0) {
          left -= 1;
          report({ refused: true });
          return done(Object.assign(new Error('try again later'), { responseCode: 451 }));
        }
        const { mailFrom, rcptTo } = envelope;
        report({ mail: { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), data } });
        done();
      });
    },
  });
  server.listen(port, '127.0.0.1', () => report({ ready: true }));
  process.once('disconnect', () => process.exit());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) serve(Number(process.argv[2]), Number(process.argv[3]));
