import type { Config } from '../../shared/platform/config.js';
import { html, type Html } from './html.js';

/** The calls that upload, publish and play a first video: operations with their purposes. */
const firstCalls = [
  [
    'createToken',
    html`get a token of a user (<code>grant_type=password</code>); the next calls send it as
      <code>Authorization: Bearer</code>`,
  ],
  ['createBoxItem', html`upload a file; large files with <a href="#/Box/createResumableUpload">tus</a>`],
  ['watchBoxItem', html`watch the item until its status is <code>READY</code>`],
  [
    'createVodItem',
    html`publish it with <code>{"licenseType": "FREE"}</code>; the response has the URL of a player page,
      <code>embedUrl</code>`,
  ],
  ['playPublicVodItem', html`or play it in your own player: <code>streamer</code> is the URL of its HLS playlist`],
] as const;

/** An operation of the OpenAPI document. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
}

function startHere(operations: readonly DescribedOperation[]): Html {
  const rows = firstCalls.map(([operationId, purpose]) => {
    const operation = operations.find((described) => described.operationId === operationId);
    if (!operation) throw new Error(`unknown operation ${operationId}`);
    const { tag, method, path } = operation;
    return html`<li>
      <a href="#/${encodeURIComponent(tag)}/${operationId}"><code>${method.toUpperCase()} ${path}</code></a> ${purpose}
    </li>`;
  });
  return html`<nav id="start" aria-labelledby="start-title">
    <h1 id="start-title">Start here</h1>
    <ol>
      ${rows}
    </ol>
  </nav>`;
}

/**
 * Permits inline styles, which Swagger UI sets, scripts of this service only, and requests to this service and its public
 * address.
 */
export function docsPolicy({ service }: Config): string {
  const { origin } = new URL(service.publicUrl);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self' ${origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** On phones the description of a group is below its title, and wide tables scroll separately. */
const narrowStyle = `
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .opblock-tag { flex-wrap: wrap }
  .swagger-ui .opblock-tag a.nostyle { flex: 1 }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 4px 0 0 }
  .swagger-ui .opblock-body, .swagger-ui .responses-inner { overflow-x: auto }
}`;

const startStyle = `
#start { font: 15px/1.5 sans-serif; max-width: 1460px; margin: 0 auto; padding: 20px 20px 0; box-sizing: border-box }
#start h1 { font-size: 22px; margin: 0 0 8px }
#start ol { margin: 0; padding-left: 24px }
#start li { margin: 4px 0; overflow-wrap: anywhere }
.dark-mode { color-scheme: dark }
.dark-mode #start { color: #e4e6e6 }
.dark-mode #start a { color: #8ab4f8 }`;

/** Throws Error if an operation of the first calls does not exist. */
export function docsPage({ service }: Config, operations: readonly DescribedOperation[]): string {
  const base = `${service.basePath}/docs`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · video platform</title>
<link rel="icon" href="${base}/favicon-32x32.png">
<link rel="stylesheet" href="${base}/swagger-ui.css">
<style>${startStyle}${narrowStyle}</style>
</head>
<body>
${startHere(operations).html}
<main id="docs"></main>
<noscript><p>This page needs JavaScript. The description itself is <a href="${service.basePath}/openapi.json">openapi.json</a>.</p></noscript>
<script src="${base}/swagger-ui-bundle.js"></script>
<script src="${base}/docs.js"></script>
</body>
</html>
`;
}

export function docsScript({ service }: Config): string {
  const settings = {
    url: `${service.basePath}/openapi.json`,
    dom_id: '#docs',
    deepLinking: true,
    // Shows only the groups at first, as an overview.
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
  };
  // Swagger UI has dark colors, but the page has to enable them.
  const dark = "matchMedia('(prefers-color-scheme: dark)').matches";
  // Swagger UI reads the fragment of the address only at its start.
  return `document.documentElement.classList.toggle('dark-mode', ${dark});
window.ui = SwaggerUIBundle(${JSON.stringify(settings)});
addEventListener('hashchange', () => {
  ui.layoutActions.parseDeepLinkHash(location.hash);
  const operation = 'operations-' + decodeURIComponent(location.hash.slice(2)).replaceAll(' ', '_').replace('/', '-');
  setTimeout(() => document.getElementById(operation)?.scrollIntoView());
});\n`;
}
