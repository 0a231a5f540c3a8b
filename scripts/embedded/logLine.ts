const levels: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' };
const levelColours: Record<string, number> = { warn: 33, error: 31, fatal: 31, debug: 90, trace: 90 };
const processColours: Record<string, number> = { web: 36, worker: 35, live: 94, clock: 34, start: 32 };
/** Members of a log line that are printed elsewhere in the line, or are useless to readers. */
const unlisted = new Set([
  ...['level', 'time', 'msg', 'process', 'pid', 'hostname', 'v', 'err', 'req', 'res', 'responseTime'],
  ...['requestId', 'jobId'],
]);

interface LogEntry {
  readonly level: number;
  readonly time?: string | number;
  readonly msg?: string;
  readonly err?: { readonly message?: string; readonly stack?: string };
  readonly req?: { readonly method?: string; readonly path?: string };
  readonly res?: { readonly status?: number };
  readonly responseTime?: number;
}

/** A line of a child's output as readable text: time, process, level, message. Other output is not changed. */
export function readableLine(process: string, line: string, colours: boolean): string {
  const paint = (code: number | undefined, text: string): string =>
    colours && code ? `\u001B[${code}m${text}\u001B[39m` : text;
  const entry = parse(line);
  const level = entry ? (levels[entry.level] ?? String(entry.level)) : '';
  const head = `${paint(90, timeOf(entry))} ${paint(processColours[process], process.padEnd(6))} `;
  if (!entry) return head + line;
  return `${head}${paint(levelColours[level], level.padEnd(5))} ${textOf(entry)}`;
}

function parse(line: string): LogEntry | null {
  if (!line.startsWith('{')) return null;
  try {
    const value = JSON.parse(line) as LogEntry;
    return typeof value.level === 'number' ? value : null;
  } catch {
    return null;
  }
}

function timeOf(entry: LogEntry | null): string {
  const time = new Date(entry?.time ?? Date.now());
  return (Number.isNaN(time.getTime()) ? new Date() : time).toTimeString().slice(0, 8);
}

function textOf(entry: LogEntry): string {
  const { msg = '', err, req, res, responseTime } = entry;
  const request = req && res ? `${req.method} ${req.path} ${res.status} ${Math.round(responseTime ?? 0)} ms` : '';
  const rest = Object.entries(entry)
    .filter(([name, value]) => !unlisted.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${short(value)}`);
  const fault = err ? `\n${err.stack ?? err.message ?? ''}`.replaceAll('\n', '\n    ') : '';
  return [request || msg, ...rest].filter((part) => part !== '').join(' ') + fault;
}

function short(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  return typeof value === 'string' ? value : JSON.stringify(value);
}
