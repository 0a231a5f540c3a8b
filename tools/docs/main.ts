import { readFileSync, writeFileSync } from 'node:fs';
import { describedSettings } from '../../scripts/settings/describedSettings.js';
import { envExample } from '../../scripts/settings/environmentFiles.js';
import { contractPage } from './contractPage.js';
import { settingsPage } from './settingsPage.js';

const settings = describedSettings();
writeFileSync('docs/settings.md', settingsPage(settings));
writeFileSync('.env.example', envExample(settings));
writeFileSync('docs/contract.md', contractPage(readFileSync('docs/contract.md', 'utf8')));
console.log('Written to docs/settings.md, .env.example and docs/contract.md');
