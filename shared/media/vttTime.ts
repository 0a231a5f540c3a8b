/** A time in a WebVTT file: `01:02:03.456`. */
export function vttTime(milliseconds: number): string {
  const rest = Math.round(milliseconds);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  const clock = [rest / 3_600_000, (rest / 60_000) % 60, (rest / 1000) % 60].map(two).join(':');
  return `${clock}.${String(rest % 1000).padStart(3, '0')}`;
}
