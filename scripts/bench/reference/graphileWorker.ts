/*
 * The reference for jobs: a worker of npm `graphile-worker` with its defaults and as many jobs at a time as ours, whose only task does
 * nothing. Settings: DATABASE_URL, PACKAGES (the folder it is installed in), CONCURRENCY, STARTS_PATH and STARTS_COUNT; see `noteStarts`.
 */
import { loadGraphile } from '../graphileWorker.js';
import { noteStarts } from '../startTimes.js';

const { DATABASE_URL = '', PACKAGES = '', CONCURRENCY, STARTS_PATH = '', STARTS_COUNT } = process.env;
const graphile = loadGraphile(PACKAGES);
const note = noteStarts(STARTS_PATH, Number(STARTS_COUNT));
const runner = await graphile.run({
  connectionString: DATABASE_URL,
  concurrency: Number(CONCURRENCY),
  noHandleSignals: true,
  taskList: { idle: async ({ id }) => note(id) },
  logger: new graphile.Logger(() => () => {}),
});
process.on('SIGTERM', () => void runner.stop().then(() => process.exit(0)));
process.send?.('ready');
