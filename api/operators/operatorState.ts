import type { Express, Response } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { createOperatorGate, type OperatorGate } from './operatorGate.js';

/** What the operator endpoints of one app share. */
export interface OperatorState {
  readonly gate: OperatorGate;
}

const setting = 'operators';

/** Keeps the state in the app's settings, where route handlers find it by `operatorStateOf`. */
export function addOperatorState(app: Express, ctx: Context): OperatorState {
  const state: OperatorState = { gate: createOperatorGate(ctx) };
  app.set(setting, state);
  return state;
}

export function operatorStateOf({ app }: Response): OperatorState {
  return app.get(setting) as OperatorState;
}

/** Returns where the caller is an operator; see `OperatorGate`. */
export function requireOperator(response: Response): void {
  operatorStateOf(response).gate(response.req, response);
}
