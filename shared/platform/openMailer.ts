import type { Config } from './config.js';
import type { Mailer } from './mail.js';

export function openMailer(_config: Config): Mailer & { close(): Promise<void> } {
  throw new Error('to be built');
}
