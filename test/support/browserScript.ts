import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Bundles the source of a script, with what it imports, for a page. Runs the program of esbuild: its functions leave a
 * process behind, which tests that count the processes of their own would find.
 */
export async function browserScript(source: string): Promise<string> {
  const bundling = promisify(execFile)(
    'node_modules/.bin/esbuild',
    ['--bundle', '--platform=browser', '--format=iife', '--log-level=warning'],
    { maxBuffer: 16 * 1024 ** 2 },
  );
  bundling.child.stdin?.end(source);
  return (await bundling).stdout.replaceAll('</script', '<\\/script');
}
