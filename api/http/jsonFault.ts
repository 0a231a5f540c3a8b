import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser';

/** Position of the first syntax error. Line and column start at 1. */
interface JsonFault {
  readonly line: number;
  readonly column: number;
  /** The text is valid JSON up to its end, but incomplete. */
  readonly isCutOff: boolean;
}

/** Stops the parser at the first fault. */
class FaultFound extends Error {}

/**
 * The first fault of a text that is not JSON; null if its position is unknown, as with thousands of nested arrays. Node's own
 * parser does not always report the position.
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
