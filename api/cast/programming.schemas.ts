import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import type { DescribedInput } from '../../shared/content/describedItem.js';
import type { ProgramType } from '../../shared/cast/cast.model.js';
import { parseCivilDay, type CivilDay } from '../../shared/cast/programming/day.js';
import { maxPrograms } from '../../shared/cast/programming/edit.service.js';
import { ValidationError } from '../../shared/platform/errors.js';
import type { SentTime } from '../../shared/platform/formats/format.js';
import { reject } from '../../shared/platform/validation.js';
import { documented, needs } from '../http/documented.js';
import { choice, dateTime, id, integer, onlyWith, optionalText, position, text, wire } from '../http/fields.js';
import { descriptionMembers } from '../http/describedItemFields.js';
import { castChannelResponse, publicCastChannelResponse } from './cast.schemas.js';
import { programMembers, programResponse, programTypes } from './program.schemas.js';

const maxDays = 62;
const secondsPerDay = 86_400;
/** A month: no content is longer. */
const maxOffset = 31 * secondsPerDay;

const pathDate = Joi.string()
  .required()
  .meta(documented({ pattern: '^2[0-9]{3}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])$' }))
  .description('yyyyMMdd, from 2000 to 2999')
  .example('20261231');

/** A malformed id is 404, like an unknown one; a wrong date is 400 (`civilDayOf`). */
export const dayParams = Joi.object<{ channelId: string; date: string }>({
  channelId: id().required(),
  date: pathDate,
});

export const calendarParams = Joi.object<{ channelId: string; date: string; dayCount: string }>({
  channelId: id().required(),
  date: pathDate,
  dayCount: Joi.string()
    .required()
    .meta(documented({ pattern: '^([1-9]|[1-5][0-9]|6[0-2])$' }))
    .description('1 to 62'),
});

/** The day of a path. Throws ValidationError. */
export function civilDayOf(date: string): CivilDay {
  const civil = /^\d{8}$/.test(date) ? parseCivilDay(date) : undefined;
  if (civil === undefined)
    throw new ValidationError([{ field: 'date', code: 'date', key: 'cast.date', rejectedValue: date.slice(0, 20) }]);
  return civil;
}

/** The number of days of a path. Throws ValidationError. */
export function dayCountOf(dayCount: string): number {
  const count = /^\d{1,4}$/.test(dayCount) ? Number(dayCount) : Number.NaN;
  const error = { field: 'dayCount', rejectedValue: dayCount.slice(0, 20) };
  if (Number.isNaN(count)) throw new ValidationError([{ ...error, code: 'integer', key: 'validation.integer' }]);
  if (count >= 1 && count <= maxDays) return count;
  const code = count < 1 ? 'minimum' : 'maximum';
  const limit = count < 1 ? 1 : maxDays;
  throw new ValidationError([{ ...error, code, key: `validation.${code}`, values: { limit } }]);
}

/** A malformed id passes here: it is reported like an unknown one, together with all other invalid programs. */
const sourceId = () => optionalText(100).lowercase();

export interface EntryBody extends DescribedInput {
  readonly programId?: string;
  readonly startDate: SentTime;
  readonly endDate: SentTime;
  readonly programType?: ProgramType;
  readonly itemType?: ProgramType;
  readonly sourceId?: string;
  readonly boxContent?: { readonly boxId?: string };
  readonly stream?: { readonly streamId?: string };
  readonly offset?: number;
  readonly title?: string;
}

const entry = Joi.object<EntryBody>({
  programId: id().empty('').description('Id of the program of this day that the entry replaces'),
  startDate: dateTime().required(),
  endDate: dateTime().required(),
  programType: choice(programTypes).description('Required without `programId`'),
  itemType: choice(programTypes).description('Another name of `programType`'),
  sourceId: sourceId().description('`boxId` with PRERECORDED, `streamId` with LIVE'),
  boxContent: Joi.object({ boxId: sourceId() }).description('As in responses; used if `sourceId` is left out'),
  stream: Joi.object({ streamId: sourceId() }).description('As in responses; used if `sourceId` is left out'),
  offset: integer().min(0).max(maxOffset).description('Seconds from the start of the content'),
  title: optionalText(255),
  ...descriptionMembers,
});

export interface DayBody {
  readonly programs: readonly EntryBody[];
}

export const dayBody = Joi.object<DayBody>({ programs: Joi.array().items(entry).max(maxPrograms).required() });

export interface InsertProgramsBody {
  readonly index?: number;
  readonly sourceItems: readonly {
    readonly sourceType: ProgramType;
    readonly sourceId?: string;
    readonly duration?: number;
    readonly offset?: number;
    readonly title?: string;
  }[];
}

const sourceItem = Joi.object({
  sourceType: choice(programTypes).required().description('Type of source.'),
  sourceId: onlyWith(['LIVE', 'PRERECORDED'], text(100).lowercase().required(), 'sourceType').description(
    '`boxId` with PRERECORDED, `streamId` with LIVE.',
  ),
  duration: onlyWith(['LIVE', 'BREAK'], integer().min(1).max(secondsPerDay).required(), 'sourceType').description(
    'Seconds',
  ),
  offset: onlyWith('PRERECORDED', integer().min(0).max(maxOffset), 'sourceType').description(
    'Seconds from the start of the content',
  ),
  title: optionalText(255),
}).meta(
  documented({
    allOf: needs('sourceType', {
      LIVE: ['sourceId', 'duration'],
      PRERECORDED: ['sourceId'],
      BREAK: ['duration'],
    }),
  }),
);

export const insertProgramsBody = Joi.object<InsertProgramsBody>({
  index: position('Position before which the programs are inserted, from 0. Left out: at the end.'),
  sourceItems: Joi.array()
    .items(sourceItem)
    .min(1)
    .max(maxPrograms)
    .required()
    .description('The programs, in order.')
    .example([{ sourceType: 'BREAK', duration: 60 }]),
});

export const moveProgramBody = Joi.object<{ fromIndex: number; toIndex: number }>({
  fromIndex: position('Position of the program, from 0.').required(),
  toIndex: position('Position before which the program is moved, from 0.').required(),
});

export const removeProgramsBody = Joi.object<{ index: number; count: number }>({
  index: position('Position of the first one to remove, from 0.').required(),
  count: integer().min(1).required().description('Number of programs to remove.'),
});

export interface CopyBody {
  readonly sourceChannelId: string;
  readonly destChannelId: string;
  readonly sourceStartDate: CivilDay;
  readonly destStartDate: CivilDay;
  readonly sourceDayCount: number;
  readonly destDayCount: number;
}

/** Converts yyyy-MM-dd to yyyyMMdd; returns any other text unchanged. */
const compactDay = (value: string) => value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$1$2$3');

const bodyDate = () =>
  Joi.string()
    .trim()
    .required()
    .custom((value: string, helpers) => parseCivilDay(compactDay(value)) ?? reject(helpers, 'cast.copy.date'))
    .meta(
      documented({
        pattern:
          '^(2[0-9]{3}(0[1-9]|1[0-2])(0[1-9]|[12][0-9]|3[01])|2[0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])|(0[1-9]|[12][0-9]|3[01])/(0[1-9]|1[0-2])/2[0-9]{3})$',
      }),
    )
    .description('yyyyMMdd, yyyy-MM-dd or dd/MM/yyyy, from 2000 to 2999')
    .example('20261231');

const dayCount = (description: string) => integer().min(1).max(maxDays).required().description(description);

export const copyBody = Joi.object<CopyBody>({
  sourceChannelId: id().required().description('Id of the channel whose days are copied.'),
  destChannelId: id().required().description('Id of the channel whose days are replaced.'),
  sourceStartDate: bodyDate(),
  destStartDate: bodyDate(),
  sourceDayCount: dayCount('Number of days to copy.'),
  destDayCount: dayCount('Number of days to replace.'),
});

const dayMembers: SchemaMap = {
  targetDate: wire.date().required(),
  startDateMin: wire.dateTime().required().description('Earliest start of a program'),
  endDateMax: wire.dateTime().required().description('Latest end of a program'),
};

/** Daily programming of `docs/contract.md#cast`, for the channel's owner. */
export const dayResponse: ObjectSchema = Joi.object({
  channel: castChannelResponse.required(),
  ...dayMembers,
  programs: Joi.array().items(programResponse).required(),
}).meta({ className: 'DailyProgramming' });

/** The public view of a daily programming: the channel appears once, outside of the programs. */
export const publicDayResponse: ObjectSchema = Joi.object({
  channel: publicCastChannelResponse.required(),
  ...dayMembers,
  programs: Joi.array()
    .items(Joi.object(programMembers).meta({ className: 'PublicDailyProgram' }))
    .required(),
}).meta({ className: 'PublicDailyProgramming' });

export const calendarResponse: ObjectSchema = Joi.object({
  dailyProgrammings: Joi.array()
    .items(Joi.object({ targetDate: wire.date().required(), programs: Joi.array().items(programResponse).required() }))
    .required(),
}).meta({ className: 'CastCalendar' });
