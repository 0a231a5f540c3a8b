import { randomUUID } from 'node:crypto';
import type { FieldError } from '../../platform/errors.js';
import type { ProgramType } from '../cast.model.js';
import type { Program } from './program.queries.js';

export interface Times {
  readonly startsAt: Date;
  readonly endsAt: Date;
}

export function lengthOf({ startsAt, endsAt }: Times): number {
  return endsAt.getTime() - startsAt.getTime();
}

export function byStart(one: Times, other: Times): number {
  return one.startsAt.getTime() - other.startsAt.getTime();
}

/** The source that a program plays. */
export interface Source {
  readonly type: ProgramType;
  /** Set with PRERECORDED, otherwise null. */
  readonly boxItemId: string | null;
  /** Set with LIVE, otherwise null. */
  readonly streamId: string | null;
  /** Offset in the content. */
  readonly offsetSeconds: number;
}

/** The descriptive fields of a program. */
export interface DraftDescription {
  readonly title: string;
  readonly description: string | null;
  readonly thumbnailId: string | null;
  readonly tags: readonly string[];
}

/** A program that an edit requests. */
export interface Draft extends Times, Source, DraftDescription {
  readonly id: string;
  readonly failureKey: string | null;
  /** Path in the request for error messages, such as `programs[3]`. */
  readonly field: string;
}

/** The programs that an edit requests, and at most one error for each invalid program. */
export interface RequestedPrograms {
  readonly drafts: readonly Draft[];
  readonly errors: readonly FieldError[];
}

/** The draft of a stored program that the edit keeps. */
export function storedDraft(program: Program, field: string): Draft {
  const { id, startsAt, endsAt, title, description, thumbnailId, tags, failureKey } = program;
  return { id, startsAt, endsAt, ...sourceOf(program), title, description, thumbnailId, tags, failureKey, field };
}

/** A new program. */
export function newDraft(draft: Omit<Draft, 'id' | 'failureKey'>): Draft {
  return { ...draft, id: randomUUID(), failureKey: null };
}

export function sourceOf({ type, boxItemId, streamId, offsetSeconds }: Source): Source {
  return { type, boxItemId, streamId, offsetSeconds };
}

export const breakSource: Source = { type: 'BREAK', boxItemId: null, streamId: null, offsetSeconds: 0 };

export function isSameSource(one: Source, other: Source): boolean {
  return (
    one.type === other.type &&
    one.boxItemId === other.boxItemId &&
    one.streamId === other.streamId &&
    one.offsetSeconds === other.offsetSeconds
  );
}

export function isSameTime(one: Times, other: Times): boolean {
  return one.startsAt.getTime() === other.startsAt.getTime() && one.endsAt.getTime() === other.endsAt.getTime();
}

export function isSameDescription(one: DraftDescription, other: DraftDescription): boolean {
  return (
    one.title === other.title &&
    one.description === other.description &&
    one.thumbnailId === other.thumbnailId &&
    one.tags.length === other.tags.length &&
    one.tags.every((tag, index) => tag === other.tags[index])
  );
}

/** Key for matching: two programs with the same start and source are the same program. */
export function matchKey({ startsAt, type, boxItemId, streamId, offsetSeconds }: Times & Source): string {
  return [startsAt.getTime(), type, boxItemId, streamId, offsetSeconds].join(' ');
}
