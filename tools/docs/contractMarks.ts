/** A mark of `docs/contract.md`: the tables between it and `<!-- end -->` are generated. */
export interface Mark {
  readonly kind: 'operations' | 'pages' | 'fields' | 'request' | 'common' | 'events';
  /** What follows the colon, at each comma a new entry. */
  readonly subjects: readonly string[];
  /** Where a link to the tables leads: the anchor of the heading above them, or an explicit one after that. */
  readonly anchor: string;
  /** That heading, without `Fields: `. */
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

/** The text with other tables after its marks. */
export function replaceMarked(text: string, marks: readonly Mark[], render: (mark: Mark) => string): string {
  const lines = text.split('\n');
  let kept = 0;
  const parts = marks.map((mark) => {
    const part = [...lines.slice(kept, mark.line + 1), render(mark)];
    kept = lines.indexOf(end, mark.line);
    if (kept < 0) throw new Error(`docs/contract.md has no ${end} after line ${mark.line + 1}`);
    return part;
  });
  return [...parts.flat(), ...lines.slice(kept)].join('\n');
}

/** The anchor that GitHub gives to a heading. */
function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}
