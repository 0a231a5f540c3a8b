/** A mark of `docs/contract.md`: the tables between it and `<!-- end -->` are generated. */
export interface Mark {
  readonly kind: 'operations' | 'pages' | 'fields' | 'request' | 'common' | 'events';
  /** The entries after the colon, separated by commas. */
  readonly subjects: readonly string[];
  /** The anchor of links to the tables: that of the heading above them, or a later explicit one. */
  readonly anchor: string;
  /** The heading above, without `Fields: `. */
  readonly title: string;
  readonly line: number;
}

const marked = /^<!-- (operations|pages|fields|request|common|events)(?:: (.+?))? -->$/;
const end = '<!-- end -->';

export function marksOf(text: string): Mark[] {
  let anchor = '';
  let title = '';
  return text.split('\n').flatMap((content, line) => {
    const heading = /^#+ (.+)$/.exec(content)?.[1];
    if (heading !== undefined) {
      anchor = slug(heading);
      title = heading.replace(/^Fields: /, '');
    }
    anchor = /^<a id="([\w-]+)">/.exec(content)?.[1] ?? anchor;
    const [, kind, subjects] = marked.exec(content) ?? [];
    if (kind === undefined) return [];
    return [{ kind: kind as Mark['kind'], subjects: subjects?.split(/, /) ?? [], anchor, title, line }];
  });
}

/** The text with new tables after its marks. */
export function replaceMarked(text: string, marks: readonly Mark[], render: (mark: Mark) => string): string {
  const lines = text.split('\n');
  let at = 0;
  const parts = marks.map((mark) => {
    const part = [...lines.slice(at, mark.line + 1), render(mark)];
    at = lines.indexOf(end, mark.line);
    if (at < 0) throw new Error(`docs/contract.md has no ${end} after line ${mark.line + 1}`);
    return part;
  });
  return [...parts.flat(), ...lines.slice(at)].join('\n');
}

/** The anchor that GitHub generates for a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
