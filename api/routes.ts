import type { Route } from './http/route.js';

/** Every endpoint. */
export const routes: readonly Route[] = [];
