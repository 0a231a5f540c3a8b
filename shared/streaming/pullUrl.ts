/** The name of an application of a streaming server: one or more segments, none of which begins with a dot. */
const appPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}){0,3}$/;

/**
 * Where a live process reads a publication of an external server: `LIVE_PULL_URL` with its placeholders replaced. Nothing
 * that a client sends can change the host: both values are validated and escaped, and the path is that of an own stream.
 * Null where the template needs an application and this one is not valid.
 */
export function pullUrlOf(template: string, { app, streamPath }: { app: string; streamPath: string }): string | null {
  if (template.includes('{app}') && !appPattern.test(app)) return null;
  return template
    .replaceAll('{app}', app.split('/').map(encodeURIComponent).join('/'))
    .replaceAll('{streamPath}', encodeURIComponent(streamPath));
}
