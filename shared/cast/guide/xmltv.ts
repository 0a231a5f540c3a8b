import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { GuideAddresses } from './guideAddresses.js';
import type { GuideChannel, GuideProgram } from './guide.queries.js';

export interface Guide {
  readonly channels: readonly GuideChannel[];
  readonly programs: readonly GuideProgram[];
}

/** Programs that are written before the function yields to the event loop. */
const programsPerBatch = 500;

/**
 * A guide as XMLTV. Elements are in the order of xmltv.dtd, times are in UTC with their offset. Players match channels with
 * the M3U list (`channelList.ts`) by id.
 */
export async function xmltvOf(guide: Guide, addresses: GuideAddresses, serviceName: string): Promise<string> {
  const parts = [
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE tv SYSTEM "xmltv.dtd">\n',
    `<tv source-info-url="${escaped(addresses.home)}" source-info-name="${escaped(serviceName)}" generator-info-name="${escaped(serviceName)}">\n`,
    ...guide.channels.map((channel) => channelElement(channel, addresses)),
  ];
  const titles = new Map(guide.channels.map(({ id, name }) => [id, name]));
  for (let start = 0; start < guide.programs.length; start += programsPerBatch) {
    if (start > 0) await yieldToEventLoop();
    for (const program of guide.programs.slice(start, start + programsPerBatch))
      parts.push(programElement(program, titles.get(program.channelId) ?? '', addresses));
  }
  parts.push('</tv>\n');
  return parts.join('');
}

function channelElement({ id, name, thumbnailId }: GuideChannel, addresses: GuideAddresses): string {
  return lines([
    `  <channel id="${id}">`,
    `    <display-name>${escaped(oneLine(name) || id)}</display-name>`,
    thumbnailId && `    <icon src="${escaped(addresses.icon(thumbnailId))}"/>`,
    `    <url>${escaped(addresses.page(id))}</url>`,
    '  </channel>',
  ]);
}

/** `channelName` replaces a title without any writable character: an element must not be empty. */
function programElement(program: GuideProgram, channelName: string, addresses: GuideAddresses): string {
  const { channelId, startsAt, endsAt, title, description, tags, thumbnailId } = program;
  const text = description === null ? '' : writable(description).trim();
  return lines([
    `  <programme start="${timeOf(startsAt)}" stop="${timeOf(endsAt)}" channel="${channelId}">`,
    `    <title>${escaped(oneLine(title) || oneLine(channelName) || channelId)}</title>`,
    text && `    <desc>${escaped(text)}</desc>`,
    ...tags.flatMap((tag) => (oneLine(tag) ? [`    <category>${escaped(oneLine(tag))}</category>`] : [])),
    thumbnailId && `    <icon src="${escaped(addresses.icon(thumbnailId))}"/>`,
    '  </programme>',
  ]);
}

function lines(present: readonly (string | null)[]): string {
  return `${present.filter(Boolean).join('\n')}\n`;
}

/** `20261122000000 +0000` */
function timeOf(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replace(/[-:T]/g, '')} +0000`;
}

const unwritable = /[^\t\n\r\u0020-\u007e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Removes control characters, and characters that XML 1.0 forbids. */
function writable(text: string): string {
  return text.replace(unwritable, '');
}

function oneLine(text: string): string {
  return writable(text).replace(/\s+/g, ' ').trim();
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
