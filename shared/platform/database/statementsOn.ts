import type { Statements, BoundModel } from './database.js';
import { bindModel } from './boundModel.js';
import type { ModelDefinition } from './model.js';

/** All `Statements`, on top of `run` and `runPrepared`. Without `models`, every definition is accepted. */
export function statementsOn(
  run: Statements['run'],
  runPrepared: Statements['runPrepared'],
  models?: readonly ModelDefinition[],
): Statements {
  const bound = new Map<ModelDefinition, BoundModel<never>>();
  const isKnown = (definition: ModelDefinition): boolean => !models || models.includes(definition);
  return {
    run,
    runPrepared,
    model(definition) {
      if (!isKnown(definition)) throw new Error(`${definition.tableName} is not listed in shared/models.ts`);
      const known = bound.get(definition) ?? bindModel(definition, run);
      bound.set(definition, known as never);
      return known;
    },
    rows: async (sql, bind, tx, bounds) => (await run(sql, bind, tx, bounds)).rows as never,
    prepared: async (sql, bind) => (await runPrepared(sql, bind)).rows as never,
    change: async (sql, bind, tx) => (await run(sql, bind, tx)).rowCount ?? 0,
  };
}
