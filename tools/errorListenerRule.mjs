/*
 * The lint rule `streams/error-listener`. An emitter without a listener for `error` ends the process when it fails. The rule finds
 * each place that creates a stream, a socket, a server, a child process or a client of another server. An error listener must be
 * attached before the event loop can continue: `withErrorListener(...)`, `pipeline(...)`, `for await`, or `.on('error', ...)` with
 * no `await` between. test/contract/architecture.test.ts tests the rule with violations.
 */

/** Functions and classes that create emitters, by module. */
const creators = {
  fs: ['createReadStream', 'createWriteStream', 'ReadStream', 'WriteStream'],
  net: ['connect', 'createConnection', 'createServer', 'Socket', 'Server'],
  tls: ['connect', 'createServer', 'TLSSocket', 'Server'],
  http: ['request', 'get', 'createServer', 'Server', 'ClientRequest'],
  https: ['request', 'get', 'createServer', 'Server'],
  http2: ['connect', 'createServer', 'createSecureServer'],
  stream: ['Readable', 'Writable', 'Duplex', 'Transform', 'PassThrough', 'compose', 'duplexPair'],
  child_process: ['spawn', 'fork'],
  worker_threads: ['Worker'],
  dgram: ['createSocket'],
  zlib: [
    ...['createGzip', 'createGunzip', 'createUnzip', 'createDeflate', 'createInflate', 'createDeflateRaw'],
    ...['createInflateRaw', 'createBrotliCompress', 'createBrotliDecompress'],
  ],
  pg: ['Pool', 'Client'],
  ioredis: ['Redis', 'Cluster', 'default'],
  bullmq: ['Queue', 'Worker', 'QueueEvents', 'FlowProducer'],
};
/** Methods of any object that create emitters, such as those of a file handle. */
const creatingMethods = new Set(['createReadStream', 'createWriteStream']);
/** Static methods that create emitters: `Readable.from`. */
const creatingStatics = new Set(['from', 'fromWeb']);
/** Emitters that can fail more than once: `once('error', ...)` and `pipeline` are not enough. */
const longLived = new Set([
  ...['createServer', 'createSecureServer', 'Server', 'spawn', 'fork', 'createSocket', 'Pool', 'Client', 'pg.Pool'],
  ...['pg.Client', 'Redis', 'Cluster', 'default', 'Queue', 'Worker', 'QueueEvents', 'FlowProducer'],
]);
/** Functions that attach a listener to their arguments synchronously. */
const listeningCalls = ['withErrorListener', 'pipeline', 'finished'];
const listenerMethods = ['on', 'addListener', 'prependListener', 'once'];
const transparent = new Set([
  ...['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'ParenthesizedExpression', 'ChainExpression'],
  ...['ConditionalExpression', 'LogicalExpression'],
]);
const waiting = new Set(['AwaitExpression', 'YieldExpression', 'ReturnStatement', 'ThrowStatement']);
const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

const errorListener = {
  meta: {
    type: 'problem',
    messages: {
      unhandled:
        '{{name}} creates an emitter that can fail before an error listener is attached: use withErrorListener.',
      indirect: '{{name}} creates emitters: call it directly, so that its error listener can be seen.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    const textOf = (node) => sourceCode.getText(node);
    /** Local name -> module and exported name; `*` is the module. */
    const imported = new Map();
    const creatorNamed = (node) => {
      if (node.type === 'Identifier') {
        const { module, name } = imported.get(node.name) ?? {};
        return module && creators[module].includes(name) ? name : null;
      }
      if (node.type !== 'MemberExpression' || node.computed) return null;
      const { name } = node.property;
      const { module, name: of } = (node.object.type === 'Identifier' && imported.get(node.object.name)) || {};
      if (module && (of === '*' || (of === 'default' && module !== 'ioredis')))
        return creators[module].includes(name) ? `${node.object.name}.${name}` : null;
      if (module === 'stream') return creatingStatics.has(name) ? `${of}.${name}` : null;
      return creatingMethods.has(name) ? `.${name}` : null;
    };
    const check = (node) => {
      const { callee } = node;
      // `(isEncrypted ? requestHttps : requestHttp)(...)`
      const named = callee.type === 'ConditionalExpression' ? [callee.consequent, callee.alternate] : [callee];
      const name = named.map(creatorNamed).find((one) => one !== null);
      if (name !== undefined && !hasListener(node, listeningTo(name), textOf))
        context.report({ node, messageId: 'unhandled', data: { name } });
    };
    const checkReference = (node) => {
      const name = creatorNamed(node);
      if (name !== null && isIndirect(node)) context.report({ node, messageId: 'indirect', data: { name } });
    };
    return {
      ImportDeclaration({ source, specifiers, importKind }) {
        const module = source.value.replace(/^node:/, '').replace(/^stream\/promises$/, 'streamPromises');
        if (importKind === 'type' || !(module in creators)) return;
        for (const specifier of specifiers) {
          if (specifier.importKind === 'type') continue;
          const name =
            specifier.type === 'ImportSpecifier'
              ? (specifier.imported.name ?? specifier.imported.value)
              : specifier.type === 'ImportDefaultSpecifier'
                ? 'default'
                : '*';
          imported.set(specifier.local.name, { module, name });
        }
      },
      CallExpression: check,
      NewExpression: check,
      Identifier: checkReference,
      MemberExpression: checkReference,
    };
  },
};

/** Whether a creator is passed on as a value, so that its calls cannot be checked. */
function isIndirect(node) {
  const { parent } = node;
  if (parent.type.startsWith('Import') || parent.type.startsWith('TS')) return false;
  if ((parent.type === 'CallExpression' || parent.type === 'NewExpression') && parent.callee === node) return false;
  if (parent.type === 'MemberExpression') return parent.property === node ? false : parent.object !== node;
  if (parent.type === 'ConditionalExpression') return parent.parent.callee !== parent;
  if (parent.type === 'BinaryExpression') return parent.operator !== 'instanceof';
  if (parent.type === 'Property') return parent.value === node && parent.parent.type !== 'ObjectPattern';
  // A subclass attaches the listener in its constructor.
  if (parent.type.startsWith('Class')) return parent.superClass === node && !attachesToItself(parent.body);
  return true;
}

function attachesToItself(body) {
  const listening = listeningTo('default');
  let found = false;
  for (const member of body.body)
    visit(member.kind === 'constructor' ? member.value.body : member, (node) => {
      found ||= listening.isListener(node, (object) => object.type === 'ThisExpression');
    });
  return found;
}

/** The calls, listeners and loops that handle all errors of an emitter of this creator. */
function listeningTo(creator) {
  const isLongLived = longLived.has(creator);
  const calls = new Set(isLongLived ? ['withErrorListener'] : listeningCalls);
  const methods = new Set(isLongLived ? listenerMethods.slice(0, -1) : listenerMethods);
  return {
    isCall: ({ type, callee }) => type === 'CallExpression' && callee.type === 'Identifier' && calls.has(callee.name),
    isListener({ type, callee, arguments: values }, isEmitter) {
      if (type !== 'CallExpression' || callee.type !== 'MemberExpression') return false;
      return methods.has(callee.property.name) && values[0]?.value === 'error' && isEmitter(callee.object);
    },
    isLoop: ({ type, await: isAwaited }) => type === 'ForOfStatement' && isAwaited && !isLongLived,
  };
}

/** Whether a listener is attached to a created emitter before the event loop continues. */
function hasListener(creation, listening, textOf) {
  let node = creation;
  for (;;) {
    const { parent } = node;
    if (transparent.has(parent.type)) node = parent;
    else if (parent.type === 'MemberExpression' && parent.object === node && isMethodCall(parent)) {
      const emitter = node;
      if (listening.isListener(parent.parent, (object) => object === emitter)) return true;
      // `.on(...)` and `.unref()` return the emitter.
      node = parent.parent;
    } else break;
  }
  const { parent } = node;
  if (parent.type === 'CallExpression' && parent.arguments.includes(node)) return listening.isCall(parent);
  if (parent.type === 'ForOfStatement') return listening.isLoop(parent) && parent.right === node;
  if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier')
    return hasListenerAfter(parent.parent, parent.id.name, listening, textOf);
  if (parent.type === 'AssignmentExpression' && parent.right === node)
    return hasListenerAfter(parent.parent, textOf(parent.left), listening, textOf);
  return false;
}

function isMethodCall(member) {
  return member.parent.type === 'CallExpression' && member.parent.callee === member;
}

/** Whether one of the following statements attaches a listener to this name, before the first `await`. */
function hasListenerAfter(statement, name, listening, textOf) {
  const list = statement.parent.body ?? statement.parent.consequent ?? [];
  if (!Array.isArray(list)) return false;
  const isName = (node) => {
    // `x.on(...)` returns x.
    let root = node;
    while (root.type === 'CallExpression' && root.callee.type === 'MemberExpression') root = root.callee.object;
    return textOf(root) === name;
  };
  for (const next of list.slice(list.indexOf(statement) + 1)) {
    let outcome;
    visit(next, (node) => {
      if (outcome !== undefined) return;
      if (listening.isListener(node, isName) || (listening.isCall(node) && node.arguments.some(isName))) outcome = true;
      else if (node.type === 'ForOfStatement' && node.await) outcome = listening.isLoop(node) && isName(node.right);
      else if (waiting.has(node.type)) outcome = false;
    });
    if (outcome !== undefined) return outcome;
  }
  return false;
}

/**
 * Calls `take` in the order of evaluation: a node's parts before the node. Skips functions, which run later, except the executor of
 * `new Promise`.
 */
function visit(node, take) {
  for (const [key, value] of Object.entries(node)) {
    if (key === 'parent') continue;
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child?.type === 'string' && (!functions.has(child.type) || isExecutor(child))) visit(child, take);
  }
  take(node);
}

function isExecutor({ parent }) {
  return parent?.type === 'NewExpression' && parent.callee.name === 'Promise';
}

export default { meta: { name: 'streams' }, rules: { 'error-listener': errorListener } };
