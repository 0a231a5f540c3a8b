/** Application name of a streaming server: one or more segments that do not begin with a dot. */
const appPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,3}$/;

/**
 * Address from which a live process pulls a publication of an external server: `LIVE_PULL_URL` with replaced placeholders.
 * Clients cannot change the host: both values are validated and escaped, and the path belongs to an own stream. Null if the
 * template needs an application name and this one is invalid.
 */
export function pullUrlOf(template: string, { app, streamPath }: { app: string; streamPath: string }): string | null {
  if (template.includes('{app}') && !appPattern.test(app)) return null;
  return template
    .replaceAll('{app}', app.split('/').map(encodeURIComponent).join('/'))
    .replaceAll('{streamPath}', encodeURIComponent(streamPath));
}
