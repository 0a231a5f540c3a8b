import type { Migration } from '../migrate.js';
import { platform } from './0001-platform.js';
import { user } from './0002-user.js';
import { search } from './0003-search.js';
import { license } from './0004-license.js';
import { content } from './0005-content.js';
import { box } from './0006-box.js';
import { vod } from './0007-vod.js';
import { oauth } from './0008-oauth.js';
import { download } from './0009-download.js';
import { clock } from './0010-clock.js';

/** Every migration, oldest first. They only expand: processes of the release before still run. */
export const migrations: readonly Migration[] = [
  platform,
  user,
  search,
  license,
  content,
  box,
  vod,
  oauth,
  download,
  clock,
];
