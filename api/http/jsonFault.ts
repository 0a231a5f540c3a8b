import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser';

/** Where a text stops being JSON. Line and column begin with 1. */
interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** Everything up to the end of the text is JSON: the rest is missing. */
  readonly isCutOff: boolean;
}

/** Ends the visit of a text at its first fault. */
class FaultFound extends Error {}

/**
 * The first fault of a text that is not JSON; null where its place is not found, as in arrays that are nested by the thousand.
 * Node's own parser does not always say where it stopped.
 */
export function findJsonFault(text: string): JsonFault | null {
  const end = text.trimEnd().length;
  let fault: JsonFault | null = null;
  const onError = (error: ParseErrorCode, offset: number, length: number, line: number, character: number): void => {
    const isOpenText = printParseErrorCode(error) === 'UnexpectedEndOfString' && offset + length >= end;
    fault =
      offset >= end || isOpenText
        ? endOf(text.slice(0, end))
        : { line: line + 1, column: character + 1, isCutOff: false };
    throw new FaultFound();
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof FaultFound) && !(error instanceof RangeError)) throw error;
  }
  return fault;
}

function endOf(text: string): JsonFault {
  const lines = text.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1, isCutOff: true };
}
