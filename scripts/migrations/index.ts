import type { Migration } from '../migrate.js';
import { platform } from './0001-platform.js';
import { user } from './0002-user.js';
import { content } from './0005-content.js';
import { box } from './0006-box.js';
import { vod } from './0007-vod.js';

/** Every migration, oldest first. They only expand: processes of the release before still run. */
export const migrations: readonly Migration[] = [platform, user, content, box, vod];
