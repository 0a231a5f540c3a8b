import type { TimetableProgram } from './channel.js';

export interface TimetableView {
  readonly programs: readonly TimetableProgram[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Maximum number of programs to show. */
  readonly rows: number;
  /** Maximum length of a line. */
  readonly width: number;
  /** Whether the terminal supports colours. */
  readonly colours: boolean;
  /** IANA name; without it, the zone of this machine. */
  readonly timeZone?: string;
}

const kinds: Readonly<Record<string, string>> = { PRERECORDED: 'video', LIVE: 'live', BREAK: 'slate' };
const barLength = 20;
/** Everything but the title. */
const otherColumns = 58;
const shortestTitle = 12;

/**
 * The timetable of a channel as lines of text: start, end, title and kind of each program. The current program has a marker, its
 * progress and its remaining time. Past programs are shown if there is space.
 */
export function drawTimetable(view: TimetableView): string[] {
  const { now, rows, width, colours, timeZone } = view;
  const paint = (code: number, text: string): string => (colours ? `\u001B[${code}m${text}\u001B[39m` : text);
  const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium', timeZone });
  const entries = withGaps(view.programs, now);
  const current = entries.findIndex(({ endsAt }) => endsAt > now);
  const first = Math.max(0, Math.min((current < 0 ? entries.length : current) - 1, entries.length - rows));
  const titleLength = Math.max(shortestTitle, Math.min(40, width - otherColumns));
  const head = `   ${'Start'.padEnd(8)}  ${'End'.padEnd(8)}  ${'Program'.padEnd(titleLength)}  ${'Kind'.padEnd(5)}`;
  const lines = entries.slice(first, first + rows).map((entry) => {
    const { title, kind, startsAt, endsAt } = entry;
    const airs = startsAt <= now && now < endsAt;
    const times = `${clock.format(startsAt)}  ${clock.format(endsAt)}`;
    const text = `${times}  ${fitted(title, titleLength)}  ${(kinds[kind] ?? kind).padEnd(5)}`;
    if (airs) return `${paint(36, `▶  ${text}`)}  ${progressOf(entry, now)}`;
    return endsAt <= now ? paint(90, `   ${text}`) : `   ${text}`;
  });
  return [paint(90, head.trimEnd()), ...lines.map((line) => line.trimEnd())];
}

/** The programs, and the slates between them. */
function withGaps(programs: readonly TimetableProgram[], now: number): TimetableProgram[] {
  const first = programs[0];
  const entries: TimetableProgram[] = [];
  let end = first ? Math.min(now, first.startsAt) : now;
  for (const program of programs) {
    if (program.startsAt > end) entries.push(gap(end, program.startsAt));
    entries.push(program);
    end = program.endsAt;
  }
  return entries;
}

function gap(startsAt: number, endsAt: number): TimetableProgram {
  return { title: '(nothing programmed)', kind: 'BREAK', startsAt, endsAt };
}

function progressOf({ startsAt, endsAt }: TimetableProgram, now: number): string {
  const filled = Math.floor(((now - startsAt) / (endsAt - startsAt)) * barLength);
  const left = Math.ceil((endsAt - now) / 1000);
  const seconds = String(left % 60).padStart(2, '0');
  return `${'█'.repeat(filled)}${'░'.repeat(barLength - filled)} ${Math.floor(left / 60)}:${seconds} left`;
}

function fitted(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text.padEnd(length);
}
