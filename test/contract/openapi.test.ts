import type { ObjectSchema } from 'joi';
import { validate } from '../../shared/platform/validation.js';
import { serviceFixture } from '../support/fixtures.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { openapi } from '../../api/http/openapi.js';
import { openapiOf } from '../../api/http/openapiDocument.js';
import { accessOf } from '../../api/http/access.js';
import { sentEvents } from '../../api/webhook/events.schemas.js';
import { routeGroups, routes } from '../../api/routes.js';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read any member of the document
type Document = any;

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
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

interface PlacedNode {
  readonly node: Document;
  /** The member names that lead to the node. */
  readonly words: readonly string[];
}

function nodesIn(node: Document, words: readonly string[] = []): PlacedNode[] {
  if (typeof node !== 'object' || node === null) return [{ node, words }];
  return [{ node, words }, ...Object.entries(node).flatMap(([word, member]) => nodesIn(member, [...words, word]))];
}

const nodes = nodesIn(document);
/** A property may have the name of a keyword. */
const objects = nodes.filter(
  ({ node, words }) => typeof node === 'object' && node !== null && words.at(-1) !== 'properties',
);

/** The paths of the nodes that match a condition. */
const placesOf = (list: readonly PlacedNode[], isFault: (node: Document, words: readonly string[]) => boolean) =>
  list.filter(({ node, words }) => isFault(node, words)).map(({ words }) => words.join('/'));

const routeOf = (path: string, method: string) =>
  routes.find((route) => route.method === method && route.path.replace(/[:*](\w+)/g, '{$1}') === path);

describe('The OpenAPI description', () => {
  const shared = serviceFixture();
  it('contains exactly the routes of the table, except static files of pages', () => {
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
    expect([TimeZone.name, TimeZone.schema.type]).to.deep.equal(['X-Acme-timezone', 'string']);
  });

  it('has the progress id header for the uploads that support it', () => {
    const uploads = operations.filter(({ operation }) =>
      operation.parameters.some((one: Document) => one.$ref === '#/components/parameters/ProgressId'),
    );
    expect(uploads.map(({ name }) => name)).to.have.members([
      'POST /api/box',
      'POST /api/box/import',
      'POST /api/box/tus',
      'POST /rest/{integration}/user/{userCode}/box',
    ]);
    expect(document.components.parameters.ProgressId.name).to.equal('X-Acme-progressbarId');
  });

  it('was built from the current routes', () => {
    const described: unknown = JSON.parse(JSON.stringify(openapi(routeGroups, sentEvents)));
    const built = openapiOf({ name: 'Service', publicUrl: 'https://video.example.org' });
    expect(isDeepStrictEqual(built, described), 'npm run build').to.equal(true);
  });

  it('is version 3.1, contains the server address, and uses no keyword of 3.0', () => {
    expect(document.openapi).to.equal('3.1.0');
    expect(document.servers).to.deep.equal([{ url: publicUrl }]);
    expect(document.components.securitySchemes.userToken.flows.password.tokenUrl).to.equal(`${publicUrl}/oauth/token`);
    const isOld = (node: Document) => 'nullable' in node || 'x-required' in node || node.type === 'file';
    expect(placesOf(objects, isOld)).to.deep.equal([]);
  });

  it('resolves every reference', () => {
    const memberOf = (value: Document, word: string): Document => value?.[word];
    const isDangling = (node: Document, words: readonly string[]) =>
      words.at(-1) === '$ref' && !String(node).replace(/^#\//, '').split('/').reduce(memberOf, document);
    expect(placesOf(nodes, isDangling)).to.deep.equal([]);
  });

  const apart = (schema: Document): Document =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'));
  function strictAjv(): Ajv2020 {
    const ajv = new Ajv2020({
      strict: true,
      strictTypes: false,
      strictRequired: false,
      formats: { uuid: uuidPattern, email: /^\S+@\S+\.\w+$/, uri: (text) => URL.canParse(text), binary: true },
      allErrors: true,
    });
    for (const [name, schema] of Object.entries(document.components.schemas)) ajv.addSchema(apart(schema), name);
    return ajv;
  }

  it('has only schemas that compile as JSON Schema 2020-12', () => {
    const ajv = strictAjv();
    const schemas = nodes.filter(({ words }) => words.at(-1) === 'schema' || words.at(-2) === 'schemas');
    const different = new Set(schemas.map(({ node }) => JSON.stringify(apart(node))));
    expect(different.size).to.be.above(50);
    for (const schema of different) ajv.compile(JSON.parse(schema) as object);
  });

  it('has examples and defaults that match their schemas', () => {
    const ajv = strictAjv();
    const wrong: string[] = [];
    let checked = 0;
    const check = (schema: Document, value: unknown, words: readonly string[]): void => {
      checked += 1;
      const { examples: _examples, ...rules } = apart(schema);
      if (!ajv.validate(rules, value)) wrong.push(`${words.join('/')}: ${JSON.stringify(value)} ${ajv.errorsText()}`);
    };
    for (const { node, words } of objects) {
      if (Array.isArray(node.examples)) for (const example of node.examples) check(node, example, words);
      if ('default' in node && 'type' in node) check(node, node.default, words);
      if ('example' in node) check(node.schema, node.example, words);
    }
    expect(checked).to.be.above(250);
    expect(wrong).to.deep.equal([]);
  });

  it('supports generators: one type per parameter, tags of routes or events, and binary bodies', () => {
    const tagsOf = (items: Document): string[] =>
      Object.values<Document>(items).flatMap((item) => Object.values<Document>(item).flatMap(({ tags }) => tags));
    const ofEvents = tagsOf(document.webhooks);
    expect(ofEvents).to.have.length.above(0);
    expect(tagsOf(document.paths).filter((tag) => ofEvents.includes(tag))).to.deep.equal([]);
    expect(document.tags.map(({ name }: Document) => name)).to.include.members(ofEvents);
    expect(placesOf(objects, (node) => node.in && Array.isArray(node.schema?.type))).to.deep.equal([]);
    expect(placesOf(objects, (node) => node.contentMediaType && node.format !== 'binary')).to.deep.equal([]);
  });

  it('has body examples that pass the validation of their routes', () => {
    for (const { name, method, path, operation } of operations) {
      const [content] = Object.values<Document>(operation.requestBody?.content ?? {});
      const check = () => validate(routeOf(path, method)?.body as ObjectSchema, content.example, shared.ctx);
      if (content?.example !== undefined) expect(check, name).not.to.throw();
    }
  });

  it('has only patterns without flags', () => {
    const hasFlags = (node: Document, words: readonly string[]) =>
      words.at(-1) === 'pattern' && typeof node === 'string' && /\/[a-z]*$/.test(node);
    expect(placesOf(nodes, hasFlags)).to.deep.equal([]);
  });

  for (const { name, path, operation, method } of operations)
    it(`describes ${name} completely`, () => {
      const route = routeOf(path, method);
      for (const text of [operation.summary, operation.description]) expect(text).to.be.a('string').and.not.empty;
      expect(operation.operationId).to.match(/^[a-z][A-Za-z]+$/);
      expect(document.tags.map((tag: Document) => tag.name)).to.include.members(operation.tags);
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

  it('describes every group, parameter and member', () => {
    for (const { name, description } of document.tags) expect(description, name).to.be.a('string').and.not.empty;
    for (const { operation, name } of operations)
      for (const parameter of operation.parameters)
        if (!parameter.$ref) expect(parameter.description, `${name} ${parameter.name}`).to.be.a('string');
    // The members of conditions (`allOf`) belong to the enclosing schema.
    const isMember = (words: readonly string[]) =>
      words.at(-2) === 'properties' && !words.includes('allOf') && words.at(-3) !== 'properties';
    expect(placesOf(nodes, (node, words) => isMember(words) && !node.description)).to.deep.equal([]);
  });

  // The same check as redocly's rule `no-required-schema-properties-undefined` (`.ci/lintOpenapi`).
  it('declares the required members of every schema, and a type for every enum', () => {
    const lacks = ({ required, properties = {} }: Document) =>
      Array.isArray(required) && required.some((name) => !(name in properties));
    expect(placesOf(objects, lacks)).to.deep.equal([]);
    expect(placesOf(objects, (node) => Array.isArray(node.enum) && typeof node.type !== 'string')).to.deep.equal([]);
  });

  it('documents 429 and Retry-After for operations that limit attempts', () => {
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
