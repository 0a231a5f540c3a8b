import { spawnSync } from 'node:child_process';
import { xmltvDtd } from './requirements.js';

/** The errors of an XMLTV text according to its DTD; empty if it is valid. Loads nothing from the network. */
export function xmltvErrors(text: string): string {
  const { status, stderr } = spawnSync('xmllint', ['--noout', '--nonet', '--dtdvalid', xmltvDtd, '-'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return status === 0 ? '' : stderr || `xmllint ended with ${status}`;
}

export interface WrittenProgram {
  readonly channelId: string;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly stop: number;
  /** As written, with entities. */
  readonly title: string;
  readonly element: string;
}

/** The programs in an XMLTV text. */
export function programsIn(xmltv: string): WrittenProgram[] {
  const pattern = /<programme start="(\d{14}) \+0000" stop="(\d{14}) \+0000" channel="([^"]+)">([^]*?)<\/programme>/g;
  return [...xmltv.matchAll(pattern)].map(([, start = '', stop = '', channelId = '', element = '']) => ({
    channelId,
    start: timeIn(start),
    stop: timeIn(stop),
    title: /<title>([^<]*)<\/title>/.exec(element)?.[1] ?? '',
    element,
  }));
}

function timeIn(digits: string): number {
  return Date.parse(digits.replace(/(....)(..)(..)(..)(..)(..)/, '$1-$2-$3T$4:$5:$6Z'));
}
