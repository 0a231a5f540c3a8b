import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect } from 'chai';
import { registerUser } from '../support/api.js';
import { moduleResolutions, openClientProgram } from '../support/clientProgram.js';
import { openDeployment, type TestDeployment } from '../support/deployment.js';
import {
  heyApiProgram,
  oapiCodegenProgram,
  openapiGeneratorPythonProgram,
  openapiPythonClientProgram,
  orvalProgram,
  typescriptFetchProgram,
} from '../support/generatedPrograms.js';
import { makeVideo } from '../support/media.js';
import { projectFile } from '../support/projectFile.js';
import { itWith, npmGenerators, openapiGeneratorPath, requirements } from '../support/requirements.js';

const run = promisify(execFile);

/** Programs that use clients of third-party generators, which read the service's OpenAPI document. */
describe('a generated client', function () {
  this.timeout(300_000);
  let deployment: TestDeployment;
  let environment: NodeJS.ProcessEnv;
  let folder: string;

  before(async () => {
    deployment = await openDeployment();
    await Promise.all([deployment.start('web'), deployment.start('worker')]);
    const { api, ctx } = deployment;
    const user = await registerUser(api);
    const [client] = ctx.config.oauth.clients;
    environment = {
      ...process.env,
      ...{ BASE_URL: api.url, CLIENT_ID: client.id, CLIENT_SECRET: client.secret },
      ...{ USER_CODE: user.userCode, USER_PASSWORD: user.password, FILE: await makeVideo({ seconds: 2 }) },
    };
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-generated-'));
    const description = await fetch(`${deployment.api.url}/openapi.json`);
    await writeFile(join(folder, 'openapi.json'), await description.text());
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  after(() => deployment?.close());

  async function call(file: string, ...parameters: string[]): Promise<string> {
    const options = { cwd: folder, env: environment, maxBuffer: 64 * 1024 ** 2 };
    const { stdout } = await run(file, parameters, options).catch((error: Error & { stdout?: string }) => {
      throw new Error(`${file}: ${error.message}\n${error.stdout ?? ''}`.slice(0, 4_000));
    });
    return stdout;
  }

  const openapiGenerator = (generator: string) =>
    call('java', '-jar', openapiGeneratorPath, 'generate', '-i', 'openapi.json', '-g', generator, '-o', 'generated');

  async function expectPlays(printed: string): Promise<void> {
    const playlist = await fetch(printed.trim());
    expect([playlist.status, (await playlist.text()).slice(0, 7)]).to.deep.equal([200, '#EXTM3U']);
  }

  async function runTypescript(program: string): Promise<string> {
    const types = { types: ['node'], typeRoots: [projectFile('node_modules/@types')] };
    const modules = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom', 'dom.iterable'] };
    const compilerOptions = { strict: true, noEmit: true, target: 'es2022', skipLibCheck: true, ...modules, ...types };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'generated'] }));
    await writeFile(join(folder, 'main.ts'), program);
    await call(projectFile('node_modules/.bin/tsc'), '-p', '.');
    const target = { bundle: true, platform: 'node', format: 'esm', outfile: join(folder, 'main.mjs') } as const;
    await build({ entryPoints: [join(folder, 'main.ts')], ...target });
    return call(process.execPath, 'main.mjs');
  }

  async function runPython(program: string): Promise<string> {
    await writeFile(join(folder, 'main.py'), program);
    environment['PYTHONPATH'] = join(folder, 'generated');
    return call('python3', 'main.py');
  }

  itWith(requirements.openapiGenerator, 'works with openapi-generator, typescript-fetch', async () => {
    await openapiGenerator('typescript-fetch');
    await expectPlays(await runTypescript(typescriptFetchProgram));
  });

  itWith(requirements.openapiGeneratorPython, 'works with openapi-generator, python', async () => {
    await openapiGenerator('python');
    await expectPlays(await runPython(openapiGeneratorPythonProgram));
  });

  itWith(requirements.openapiPythonClient, 'works with openapi-python-client', async () => {
    await call(
      'python3',
      '-m',
      'openapi_python_client',
      'generate',
      '--path',
      'openapi.json',
      '--output-path',
      'generated',
    );
    await expectPlays(await runPython(openapiPythonClientProgram));
  });

  itWith(requirements.oapiCodegen, 'works with oapi-codegen', async () => {
    const configuration = 'package: main\ngenerate: { models: true, client: true }\noutput: client.go\n';
    // Schemas that only webhook requests use.
    await writeFile(join(folder, 'configuration.yaml'), `${configuration}output-options: { skip-prune: true }\n`);
    await writeFile(join(folder, 'go.mod'), 'module film\n\ngo 1.24\n');
    await writeFile(join(folder, 'main.go'), oapiCodegenProgram);
    await call('oapi-codegen', '-config', 'configuration.yaml', 'openapi.json');
    await call('go', 'mod', 'tidy');
    await expectPlays(await call('go', 'run', '.'));
  });

  const npmTool = (name: string, ...parameters: string[]) =>
    call(process.execPath, join(npmGenerators, 'node_modules/.bin', name), ...parameters);

  itWith(requirements.npmGenerators, 'works with orval', async () => {
    const output = { target: './generated/client.ts', client: 'fetch', mode: 'single', baseUrl: deployment.api.url };
    const configuration = { film: { input: { target: './openapi.json' }, output } };
    await writeFile(join(folder, 'orval.config.cjs'), `module.exports = ${JSON.stringify(configuration)};`);
    await npmTool('orval', '--config', 'orval.config.cjs');
    await expectPlays(await runTypescript(orvalProgram));
  });

  itWith(requirements.npmGenerators, 'works with hey-api', async () => {
    await npmTool('openapi-ts', '-i', 'openapi.json', '-o', 'generated', '-c', '@hey-api/client-fetch');
    await expectPlays(await runTypescript(heyApiProgram));
  });

  itWith(requirements.npmGenerators, 'of this project compiles with TypeScript 5', async () => {
    const program = await openClientProgram(deployment.api.url);
    try {
      const compiler = join(npmGenerators, 'node_modules/typescript/bin/tsc');
      for (const options of moduleResolutions)
        expect(await program.typeErrors(compiler, options), options.moduleResolution).to.equal('');
    } finally {
      await program.close();
    }
  });
});
