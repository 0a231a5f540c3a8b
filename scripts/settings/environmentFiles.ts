import { settingGroupsOf, type DescribedSetting } from './describedSettings.js';

const exampleHeader = `# Every setting with its default. Written by \`npm run docs\`, as docs/settings.md is.
#
# No process reads this file or .env by itself. Copy it to .env, remove the comment sign of what you change, and use one of:
#   node --env-file=.env scripts/bootstrap.cjs start    (generates required settings; in production set them all)
#   set -a; . ./.env; set +a                            (a shell)
#   EnvironmentFile=/etc/video.env                      (systemd: docs/deploy.md)
# Values with spaces or other special characters are in single quotes, which all of these readers parse alike.
`;

/** The text of `.env.example`: every setting, commented out, with its description, constraints and default. */
export function envExample(settings: readonly DescribedSetting[]): string {
  const groups = settingGroupsOf(settings).map(([title, entries]) =>
    [`# ${'-'.repeat(20)} ${title} ${'-'.repeat(20)}\n`, ...entries.map(entryOf)].join('\n'),
  );
  return [exampleHeader, ...groups].join('\n');
}

function entryOf(setting: DescribedSetting): string {
  const notes = [...(setting.isRequired ? ['required'] : []), ...setting.constraints, ...setting.dependencies];
  return `${comment(setting.meaning)}${comment(notes.join('; '))}# ${setting.name}=${quoted(setting.default)}\n`;
}

const deploymentHeader = `# What every deployment sets, written by \`npm run setup > .env\`. Its secrets are generated: nobody else has them.
# Fill in the empty values. Without a proxy or a mail server, leave their settings unchanged. All settings: docs/settings.md
`;

/** The text of `.env` for a deployment: the settings of the tier `must`, with generated values, with defaults, or empty. */
export function deploymentEnv(
  settings: readonly DescribedSetting[],
  generated: Readonly<Record<string, string>>,
): string {
  const entries = settings
    .filter(({ tier }) => tier === 'must')
    .map(
      (setting) => `${comment(setting.meaning)}${setting.name}=${generated[setting.name] ?? quoted(setting.default)}\n`,
    );
  return [deploymentHeader, ...entries].join('\n');
}

/** Lines of a comment without Markdown syntax; none for an empty text. */
function comment(markdown: string): string {
  const text = markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll('`', '');
  return text === '' ? '' : text.replace(/(.{1,116})(?:\s+|$)/g, '# $1\n');
}

/** In single quotes if one of the readers in `exampleHeader` would change the plain text. */
function quoted(value: string | number | boolean = ''): string {
  const text = String(value);
  if (text.includes("'")) throw new Error(`a default with a quote cannot be quoted for all readers: ${text}`);
  return /^[\w./:,-]*$/.test(text) ? text : `'${text}'`;
}
