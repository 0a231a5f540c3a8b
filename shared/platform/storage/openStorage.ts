import type { Config } from '../config.js';
import type { Storage } from './storage.js';

export function openStorage(_config: Config): Storage {
  throw new Error('to be built');
}
