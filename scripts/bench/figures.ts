import type { Figure } from './figure.js';
import { drain } from './figures/drain.js';
import { outboxOnPostgres, outboxOnRedis } from './figures/outbox.js';
import { searchable } from './figures/searchable.js';
import { segment } from './figures/segment.js';
import { transcode, workers } from './figures/transcode.js';
import { vodRead } from './figures/vodRead.js';

/** The rows of the bench table, in order. */
export const figures: readonly Figure[] = [
  transcode,
  workers,
  vodRead,
  segment,
  outboxOnPostgres,
  outboxOnRedis,
  searchable,
  drain,
];
