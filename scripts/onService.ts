import { pathToFileURL } from 'node:url';
import { openContext, type OpenContext } from '../shared/openContext.js';
import { ConfigError } from '../shared/platform/config.js';
import { readConfig } from '../shared/settings.js';
import { createLogger } from '../shared/platform/createLogger.js';

/** A command that works on the service's database and files. Resolves with the exit code. */
export type ServiceCommand = (
  ctx: OpenContext,
  parameters: readonly string[],
  output: NodeJS.WriteStream,
) => Promise<number>;

/** Runs a command if its module is the main module. Invalid settings end it with exit code 1 and one message. */
export async function runOnService(module: ImportMeta, command: ServiceCommand): Promise<void> {
  if (!process.argv[1] || module.url !== pathToFileURL(process.argv[1]).href) return;
  try {
    const log = createLogger({ process: 'script', level: 'error' });
    const ctx = await openContext(readConfig('script', process.env), { log });
    try {
      process.exitCode = await command(ctx, process.argv.slice(2), process.stdout);
    } finally {
      await ctx.close();
    }
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error);
    process.exitCode = 1;
  }
}
