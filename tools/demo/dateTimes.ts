import type { Config } from '../../shared/platform/config.js';

/** Date and time in the default time zone of requests: `dd/MM/yyyy` and `HH:mm:ss`. */
export interface DateTime {
  readonly date: string;
  readonly time: string;
}

type Service = Pick<Config, 'service'>;

export function dateTimeMembers(config: Service, milliseconds: number): DateTime {
  const { date, time } = parts(config, milliseconds);
  return { date: date.split('-').toReversed().join('/'), time: time.slice(0, 8) };
}

/** Milliseconds since 1970. */
export function timeOf({ service }: Service, { date, time }: DateTime): number {
  return Date.parse(`${date.split('/').toReversed().join('-')}T${time}Z`) - service.defaultOffsetMs;
}

/** The day of a time in the format of paths: `yyyyMMdd`. */
export function pathDayOf(config: Service, milliseconds: number): string {
  return parts(config, milliseconds).date.replaceAll('-', '');
}

function parts({ service }: Service, milliseconds: number): { date: string; time: string } {
  const [date = '', time = ''] = new Date(milliseconds + service.defaultOffsetMs).toISOString().split('T');
  return { date, time };
}
