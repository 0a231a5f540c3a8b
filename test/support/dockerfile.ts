import { readFileSync } from 'node:fs';

/** A Dockerfile instruction, such as `RUN`, and its arguments. */
export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The stages of a Dockerfile, each starting with its `FROM`. */
export function dockerfileStages(path: string): Instruction[][] {
  const stages: Instruction[][] = [];
  const lines = readFileSync(path, 'utf8').replace(/\\\n/g, ' ').split('\n');
  for (const line of lines.filter((one) => /^[A-Z]+ /.test(one))) {
    const [name = '', ...value] = line.split(' ');
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value: value.join(' ').trim() });
  }
  return stages;
}
