import type { Express, Response } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { createOperatorGate, type OperatorGate } from './operatorGate.js';

const setting = 'operators';

/** Stores the gate in the app's settings, from which `requireOperator` reads it. */
export function addOperatorGate(app: Express, ctx: Context): OperatorGate {
  const gate = createOperatorGate(ctx);
  app.set(setting, gate);
  return gate;
}

/** Returns if the caller is an operator; see `OperatorGate`. */
export function requireOperator(response: Response): void {
  const gate = response.app.get(setting) as OperatorGate;
  gate(response.req, response);
}
