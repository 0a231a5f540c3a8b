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
import { makeVideo } from '../support/media.js';
import { projectFile } from '../support/projectFile.js';
import { itWith, npmGenerators, openapiGeneratorPath, requirements } from '../support/requirements.js';

/*
 * Programs that use generated code: each logs in as USER_CODE, uploads FILE, and prints the URL that plays it. They read
 * BASE_URL, CLIENT_ID, CLIENT_SECRET, USER_CODE, USER_PASSWORD and FILE.
 */

const typescriptStart = `
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
const { BASE_URL = '', CLIENT_ID = '', CLIENT_SECRET = '', USER_CODE = '', USER_PASSWORD = '', FILE = '' } = process.env;
const file = new Blob([readFileSync(FILE)]);
`;

const typescriptFetchProgram = `${typescriptStart}
import { BoxApi, Configuration, TokensApi } from './generated';
const credentials = new Configuration({ basePath: BASE_URL, username: CLIENT_ID, password: CLIENT_SECRET });
const form = { grantType: 'password' as const, username: USER_CODE, password: USER_PASSWORD };
const { accessToken } = await new TokensApi(credentials).createToken(form);
const box = new BoxApi(new Configuration({ basePath: BASE_URL, accessToken: 'Bearer ' + accessToken }));
const { boxId } = await box.createBoxItem({ file, title: 'Film' });
let play = await box.playBoxItem({ boxId });
for (; play.result !== 'PLAY'; play = await box.playBoxItem({ boxId })) await sleep(300);
console.log(play.streamer);
`;

const orvalProgram = `${typescriptStart}
import { createBoxItem, createToken, playBoxItem } from './generated/client';
const authorization = 'Basic ' + btoa(CLIENT_ID + ':' + CLIENT_SECRET);
const form = { grant_type: 'password' as const, username: USER_CODE, password: USER_PASSWORD };
const token = await createToken(form, { headers: { authorization } });
if (token.status !== 200) throw new Error(JSON.stringify(token));
const options = { headers: { authorization: 'Bearer ' + token.data.access_token } };
const item = await createBoxItem({ file, title: 'Film' }, options);
if (item.status !== 201) throw new Error(JSON.stringify(item));
for (;;) {
  const play = await playBoxItem(item.data.boxId, options);
  if (play.status !== 200) throw new Error(JSON.stringify(play));
  if (play.data.result === 'PLAY') {
    console.log(play.data.streamer);
    break;
  }
  await sleep(300);
}
`;

const heyApiProgram = `${typescriptStart}
import { createBoxItem, createToken, playBoxItem } from './generated';
import { client } from './generated/client.gen';
client.setConfig({ baseUrl: BASE_URL, auth: ({ scheme }) => (scheme === 'basic' ? CLIENT_ID + ':' + CLIENT_SECRET : undefined) });
const form = { grant_type: 'password' as const, username: USER_CODE, password: USER_PASSWORD };
const { data: token } = await createToken({ body: form, throwOnError: true });
client.setConfig({ auth: token.access_token });
const { data: item } = await createBoxItem({ body: { file, title: 'Film' }, throwOnError: true });
for (;;) {
  const { data: play } = await playBoxItem({ path: { boxId: item.boxId }, throwOnError: true });
  if (play.result === 'PLAY') {
    console.log(play.streamer);
    break;
  }
  await sleep(300);
}
`;

const openapiGeneratorPythonProgram = `
import os, time
import openapi_client as generated
env = os.environ
credentials = generated.Configuration(host=env['BASE_URL'], username=env['CLIENT_ID'], password=env['CLIENT_SECRET'])
tokens = generated.TokensApi(generated.ApiClient(credentials))
token = tokens.create_token('password', username=env['USER_CODE'], password=env['USER_PASSWORD'])
user = generated.Configuration(host=env['BASE_URL'], access_token=token.access_token)
box = generated.BoxApi(generated.ApiClient(user))
item = box.create_box_item(file=env['FILE'], title='Film')
while (play := box.play_box_item(item.box_id)).result != 'PLAY':
    time.sleep(0.3)
print(play.streamer)
`;

const openapiPythonClientProgram = `
import base64, os, time
from video_platform_client import AuthenticatedClient, Client
from video_platform_client.api.box import create_box_item, play_box_item
from video_platform_client.api.tokens import create_token
from video_platform_client.models import CreateBoxItemBody, CreateTokenBody, CreateTokenBodyGrantType
from video_platform_client.types import File
env = os.environ
basic = base64.b64encode(f"{env['CLIENT_ID']}:{env['CLIENT_SECRET']}".encode()).decode()
credentials = AuthenticatedClient(base_url=env['BASE_URL'], token=basic, prefix='Basic')
form = CreateTokenBody(grant_type=CreateTokenBodyGrantType.PASSWORD, username=env['USER_CODE'], password=env['USER_PASSWORD'])
token = create_token.sync(client=credentials, body=form)
user = AuthenticatedClient(base_url=env['BASE_URL'], token=token.access_token)
with open(env['FILE'], 'rb') as film:
    body = CreateBoxItemBody(file=File(payload=film, file_name='film.mp4'), title='Film')
    item = create_box_item.sync(client=user, body=body)
while (play := play_box_item.sync(item.box_id, client=user)).result != 'PLAY':
    time.sleep(0.3)
print(play.streamer)
`;

const oapiCodegenProgram = `
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"mime/multipart"
	"net/http"
	"os"
	"time"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	ctx, env := context.Background(), os.Getenv
	client := must(NewClientWithResponses(env("BASE_URL")))
	user, password := env("USER_CODE"), env("USER_PASSWORD")
	form := CreateTokenFormdataRequestBody{GrantType: "password", Username: &user, Password: &password}
	token := must(client.CreateTokenWithFormdataBodyWithResponse(ctx, form, func(_ context.Context, request *http.Request) error {
		request.SetBasicAuth(env("CLIENT_ID"), env("CLIENT_SECRET"))
		return nil
	}))
	asUser := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token.ApplicationjsonCharsetUTF8200.AccessToken)
		return nil
	}
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	writer.WriteField("title", "Film")
	io.Copy(must(writer.CreateFormFile("file", "film.mp4")), must(os.Open(env("FILE"))))
	writer.Close()
	item := must(client.CreateBoxItemWithBodyWithResponse(ctx, nil, writer.FormDataContentType(), &body, asUser))
	boxId := item.ApplicationjsonCharsetUTF8201.BoxId
	for {
		play := must(client.PlayBoxItemWithResponse(ctx, boxId, nil, asUser)).ApplicationjsonCharsetUTF8200
		if play.Result == "PLAY" {
			fmt.Println(play.Streamer)
			return
		}
		time.Sleep(300 * time.Millisecond)
	}
}
`;

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
