import { settingGroupsOf, tiers, type DescribedSetting, type Tier } from '../../scripts/settings/describedSettings.js';

const header = `# Settings

Written by \`npm run docs\` from the \`*.settings.ts\` files.

Settings are environment variables. Each process reads them once, when it starts, and reports all errors in them at once. A
variable that resembles the name of a setting is a warning in the log. Secrets have 16 characters or more. An empty value
means that the setting is not set. \`npm run setup > .env\` writes the first part with generated secrets;
[.env.example](../.env.example) has all settings with their constraints.
`;

const titles: Readonly<Record<Tier, string>> = {
  must: `## Must

Every deployment sets these. \`npm start\` generates the secrets and keeps them in \`DATA_DIR/credentials.json\`.
`,
  choose: `## Choose

Most deployments decide about these. The defaults work.
`,
  expert: `## Expert

Defaults that few deployments change.
`,
};

/** The text of `docs/settings.md`: a section for each tier, with one table of the groups. */
export function settingsPage(settings: readonly DescribedSetting[]): string {
  const parts = tiers.map((tier) => {
    const groups = settingGroupsOf(settings.filter((setting) => setting.tier === tier));
    const rows = groups.flatMap(([title, entries]) => [`| **${title}** | | |`, ...entries.map(rowOf)]);
    return `${titles[tier]}\n| Name | Default | Meaning |\n|---|---|---|\n${rows.join('\n')}\n`;
  });
  return [header, ...parts].join('\n');
}

function rowOf({ name, meaning, dependencies, isRequired, ...setting }: DescribedSetting): string {
  const value = setting.default === undefined || setting.default === '' ? '' : `\`${String(setting.default)}\` `;
  return `| \`${name}\` | ${isRequired ? 'required ' : value}| ${[meaning, ...dependencies].join('; ')} |`;
}
