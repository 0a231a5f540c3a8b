import { writeFileSync } from 'node:fs';
import { describedSettings } from '../../scripts/settings/describedSettings.js';
import { envExample } from '../../scripts/settings/environmentFiles.js';
import { settingsPage } from './settingsPage.js';

const settings = describedSettings();
writeFileSync('docs/settings.md', settingsPage(settings));
writeFileSync('.env.example', envExample(settings));
console.log('Written to docs/settings.md and .env.example');
