import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { openapi } from '../../api/http/openapi.js';
import { openapiOf } from '../../api/http/openapiDocument.js';
import { accessOf } from '../../api/http/access.js';
import { routeGroups, routes } from '../../api/routes.js';
import { startApi, type TestApi } from '../support/api.js';
import { openTestContext, type TestContext } from '../support/context.js';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of the document
type Document = any;

const publicUrl = 'https://video.example.org/platform';
const document: Document = openapiOf({ name: 'Acme', publicUrl });

const operations = Object.entries<Document>(document.paths).flatMap(([path, item]) =>
  Object.entries<Document>(item).map(([method, operation]) => ({
    path,
    method,
    operation,
    name: `${method.toUpperCase()} ${path}`,
  })),
);

/** Every value in the document, with its path. */
function walk(
  value: Document,
  visit: (node: Document, words: readonly string[]) => void,
  words: readonly string[] = [],
): void {
  visit(value, words);
  if (typeof value !== 'object' || value === null) return;
  for (const [word, member] of Object.entries(value)) walk(member, visit, [...words, word]);
}

describe('The OpenAPI description', () => {
  it('has every route of the table except static files of pages, and nothing else', () => {
    const described = operations.map(({ name }) => name).toSorted();
    const table = routes
      .filter(({ path }) => !/^\/(assets|docs)\//.test(path))
      .map(({ method, path }) => `${method.toUpperCase()} ${path.replace(/[:*](\w+)/g, '{$1}')}`)
      .toSorted();
    expect(described).to.deep.equal(table);
  });

  it('has the time zone header for every operation under /api/, as milliseconds or a name', () => {
    for (const { path, operation, name } of operations) {
      const headers = operation.parameters.filter((one: Document) => one.$ref === '#/components/parameters/TimeZone');
      expect(headers, name).to.have.length(path.startsWith('/api/') ? 1 : 0);
    }
    const { TimeZone } = document.components.parameters;
    expect([TimeZone.name, TimeZone.schema.type]).to.deep.equal(['X-Acme-timezone', ['integer', 'string']]);
  });

  it('has the header of the progress id for the uploads that have one', () => {
    const uploads = operations.filter(({ operation }) =>
      operation.parameters.some((one: Document) => one.$ref === '#/components/parameters/ProgressId'),
    );
    expect(uploads.map(({ name }) => name)).to.deep.equal([
      'POST /api/box',
      'POST /rest/{integration}/user/{userCode}/box',
    ]);
    expect(document.components.parameters.ProgressId.name).to.equal('X-Acme-progressbarId');
  });

  it('was built from the present routes', () => {
    const described = JSON.parse(JSON.stringify(openapi(routeGroups)));
    expect(openapiOf({ name: 'Service', publicUrl: 'https://video.example.org' })).to.deep.equal(described);
  });

  it('is version 3.1, contains the server address, and uses no keyword of 3.0', () => {
    expect(document.openapi).to.equal('3.1.0');
    expect(document.servers).to.deep.equal([{ url: publicUrl }]);
    expect(document.components.securitySchemes.userToken.flows.password.tokenUrl).to.equal(`${publicUrl}/oauth/token`);
    walk(document, (node, words) => {
      if (typeof node !== 'object' || node === null || words.at(-1) === 'properties') return;
      for (const word of ['nullable', 'x-required']) expect(node, words.join('/')).not.to.have.property(word);
      expect(node.type, words.join('/')).not.to.equal('file');
    });
  });

  it('resolves every reference', () => {
    walk(document, (node, words) => {
      if (words.at(-1) !== '$ref') return;
      const target = String(node)
        .replace(/^#\//, '')
        .split('/')
        .reduce((value: Document, word) => value?.[word], document);
      expect(target, String(node)).to.be.an('object');
    });
  });

  it('has only schemas that compile as JSON Schema 2020-12', () => {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      formats: { uuid: true, email: true, uri: true },
      allErrors: true,
    });
    const apart = (schema: Document): Document =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
    for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(apart(schema), name);
    const schemas: Document[] = [];
    walk(document, (node, words) => {
      if (words.at(-1) === 'schema' || words.at(-2) === 'schemas') schemas.push(node);
    });
    expect(schemas.length).to.be.above(50);
    for (const schema of schemas) ajv.compile(apart(schema));
  });

  it('has patterns without flags only', () => {
    walk(document, (node, words) => {
      if (words.at(-1) === 'pattern' && typeof node === 'string') expect(node).not.to.match(/\/[a-z]*$/);
    });
  });

  for (const { name, path, operation, method } of operations) {
    it(`${name} is described completely`, () => {
      const route = routes.find((one) => one.method === method && one.path.replace(/[:*](\w+)/g, '{$1}') === path);
      expect(operation.summary).to.be.a('string');
      expect(operation.responses).to.have.property(String(route?.status));
      expect(operation.responses).not.to.have.property('default');
      expect(Object.keys(operation.responses)).to.include.members(['400', '500', '503']);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      const parameters = operation.parameters.filter((one: Document) => one.in === 'path');
      expect(parameters.map((one: Document) => one.name)).to.deep.equal(inPath);
      for (const parameter of parameters) expect(parameter.required).to.equal(true);
      const schemes = operation.security.flatMap((one: object) => Object.keys(one));
      expect(schemes).to.deep.equal(
        {
          public: ['publicToken', 'userToken'],
          user: ['userToken'],
          client: ['client'],
          integration: ['client'],
          open: [],
        }[accessOf(path)],
      );
      for (const scheme of schemes) expect(document.components.securitySchemes).to.have.property(scheme);
      if (route?.response)
        expect(Object.keys(operation.responses[route.status].content)).to.deep.equal([
          'application/json;charset=UTF-8',
          ...(route.otherResponses?.[route.status] ?? []),
        ]);
      if (route?.upload)
        expect(operation.requestBody.content['multipart/form-data'].schema.properties).to.have.property(
          route.upload.part,
        );
    });
  }

  it('documents 429 and Retry-After where attempts are limited', () => {
    const limited = operations.filter(({ operation }) => '429' in operation.responses).map(({ name }) => name);
    expect(limited).to.include.members([
      'POST /oauth/token',
      'POST /api/public/user/register',
      'POST /api/public/user/password/renew',
      'POST /api/user/me/password/update',
      'GET /metrics',
      'GET /admin/mails',
    ]);
    expect(limited).not.to.include('GET /api/user/me');
    expect(document.components.responses.TooMany.headers).to.have.property('Retry-After');
  });

  it('has unique operation ids', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).to.equal(ids.length);
  });
});

describe('The pages of the API description', () => {
  let ctx: TestContext;
  let api: TestApi;

  before(async () => {
    ctx = await openTestContext({ BASE_PATH: '/platform' });
    api = await startApi(ctx);
  });
  after(async () => {
    await api?.close();
    await ctx?.close();
  });

  it('are served without a token, with all files that they refer to', async () => {
    expect((await api.call('GET', '/openapi.json')).body.openapi).to.equal('3.1.0');
    const page = await api.call('GET', '/docs');
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).to.include("script-src 'self';");
    const { origin } = new URL(api.url);
    const references = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? '');
    expect(references).to.have.length(5);
    for (const reference of references) {
      const file = await fetch(origin + reference);
      expect(file.status, reference).to.equal(200);
      expect((await file.arrayBuffer()).byteLength, reference).to.be.above(50);
    }
  });

  it('are built once: a client that has them gets 304, and others may compress them', async () => {
    for (const path of ['/openapi.json', '/docs', '/docs/docs.js']) {
      const first = await fetch(`${api.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(first.headers.get('content-encoding'), path).to.equal('gzip');
      expect(first.headers.get('cache-control'), path).to.equal('public, max-age=300');
      const etag = first.headers.get('etag') ?? '';
      await first.text();
      // Without a header of its own, fetch asks for a response that no cache has answered.
      const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
      const again = await fetch(`${api.url}${path}`, { headers });
      expect([again.status, await again.text()], path).to.deep.equal([304, '']);
      const head = await fetch(`${api.url}${path}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag')], path).to.deep.equal([200, etag]);
    }
  });

  it('do not serve other files', async () => {
    for (const file of [
      'package.json',
      '..%2fpackage.json',
      '%2e%2e%2fpackage.json',
      'index.html',
      'swagger-ui.css%00',
    ]) {
      expect((await api.call('GET', `/docs/${file}`)).status, file).to.equal(404);
    }
  });
});
