/** HTML that needs no escaping. */
export interface Html {
  readonly html: string;
}

type Piece = string | number | Html | readonly Html[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A template of HTML. Escapes its values, except those that are `Html`. Attribute values must be quoted. */
export function html(parts: TemplateStringsArray, ...values: readonly Piece[]): Html {
  return { html: parts.reduce((text, part, index) => text + textOf(values[index - 1] ?? '') + part) };
}

function textOf(piece: Piece): string {
  if (typeof piece === 'string') return piece.replace(/[&<>"']/g, (character) => escapes[character] ?? '');
  if (typeof piece === 'number') return String(piece);
  return 'html' in piece ? piece.html : piece.map((each) => each.html).join('');
}
