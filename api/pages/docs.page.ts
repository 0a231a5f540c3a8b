import type { Config } from '../../shared/platform/config.js';

/**
 * Swagger UI sets inline styles. Scripts come from this service only; requests go to this service or its public
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

/** On a phone the description of a group is below its title, and wide tables scroll by themselves. */
const narrowStyle = `
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 10px }
  .swagger-ui .opblock-tag { flex-wrap: wrap }
  .swagger-ui .opblock-tag a.nostyle { flex: 1 }
  .swagger-ui .opblock-tag small { flex-basis: 100%; order: 1; padding: 4px 0 0 }
  .swagger-ui .opblock-body, .swagger-ui .responses-inner { overflow-x: auto }
}`;

export function docsPage({ service }: Config): string {
  const base = `${service.basePath}/docs`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · video platform</title>
<link rel="icon" href="${base}/favicon-32x32.png">
<link rel="stylesheet" href="${base}/swagger-ui.css">
<style>${narrowStyle}</style>
</head>
<body>
<main id="docs"></main>
<noscript><p>The page needs scripts. The description itself is <a href="${service.basePath}/openapi.json">openapi.json</a>.</p></noscript>
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
    // The groups alone: an overview of the interface.
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    filter: true,
  };
  // Swagger UI has the colors, and leaves to the page when to use them.
  const dark = "matchMedia('(prefers-color-scheme: dark)').matches";
  return `document.documentElement.classList.toggle('dark-mode', ${dark});
window.ui = SwaggerUIBundle(${JSON.stringify(settings)});\n`;
}
