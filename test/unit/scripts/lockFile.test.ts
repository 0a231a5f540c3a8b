import { readFileSync } from 'node:fs';
import { expect } from 'chai';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly optionalDependencies?: Readonly<Record<string, string>> }>>;
}

describe('the lock file', () => {
  it('contains the packages of every platform (npm run lock): npm ci rejects it otherwise', () => {
    const { packages } = JSON.parse(
      readFileSync(new URL('../../../../package-lock.json', import.meta.url), 'utf8'),
    ) as Lock;
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    const missing = wanted.filter(
      (name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)),
    );
    expect(wanted).not.to.deep.equal([]);
    expect(missing).to.deep.equal([]);
  });
});
