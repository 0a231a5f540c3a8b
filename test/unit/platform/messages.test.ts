import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { messages } from '../../../shared/messages.js';
import { createTranslate, languageOf, languages, type Language } from '../../../shared/platform/i18n.js';
import { projectFile } from '../../support/projectFile.js';

const root = projectFile('.');

function sources(...folders: string[]): { file: string; text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ file: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
  );
}

/** The payload of a notification mail. Its key identifies a subject and a text. */
const notification = /\bnotifyUser,\s*\{[^}]*?\bkey: '([^']+)'/g;

/** Message keys in source code: of errors, of rejections inside schemas, of translated texts. */
function keysNamed(text: string): string[] {
  const patterns = [
    /\bkey: '([A-Za-z]+\.[A-Za-z.]+)'/g,
    /\b(?:failureKey|refusalKey): '([A-Za-z]+\.[A-Za-z.]+)'/g,
    /\breject\(\s*helpers,\s*'([^']+)'/g,
    /\btranslate\(\s*[\w.]+,\s*'([^']+)'/g,
  ];
  const others = text.replace(notification, '');
  return patterns.flatMap((pattern) => [...others.matchAll(pattern)].map((match) => match[1] ?? ''));
}

const valuesIn = (sentence: string) =>
  [...new Set([...sentence.matchAll(/\{\{(\w+)(?::[^|{}]+\|[^|{}]+)?\}\}/g)].map((match) => match[1] ?? ''))].toSorted(
    (left, right) => left.localeCompare(right),
  );

describe('Messages', () => {
  it('have a non-empty text in every language, with the same placeholders', () => {
    for (const [key, sentence] of Object.entries(messages)) {
      expect(Object.keys(sentence).toSorted(), key).to.deep.equal([...languages].toSorted());
      for (const language of languages) {
        expect(sentence[language].trim(), `${key} in ${language}`).not.to.equal('');
        expect(valuesIn(sentence[language]), `${key} in ${language}`).to.deep.equal(valuesIn(sentence.en));
        const rest = sentence[language].replace(/\{\{\w+(?::[^|{}]+\|[^|{}]+)?\}\}/g, '');
        expect(rest, `${key} in ${language}`).not.to.match(/\{\{|\}\}/);
      }
    }
  });

  it('define each key in one file', () => {
    const files = sources('shared').filter(({ file }) => file.endsWith('.messages.ts'));
    const keys = files.flatMap(({ text }) => [...text.matchAll(/^ {2}'([\w.]+)': \{/gm)].map((match) => match[1]));
    expect(keys).to.have.members(Object.keys(messages));
  });

  it('define every key that source code uses', () => {
    const named = sources('api', 'shared', 'workers').flatMap(({ file, text }) =>
      keysNamed(text).map((key) => ({ file, key })),
    );
    expect(named.length).to.be.above(30);
    expect(named.filter(({ key }) => !(key in messages))).to.deep.equal([]);
  });

  it('define a subject and a text for every notification mail', () => {
    const notices = sources('shared', 'workers').flatMap(({ file, text }) =>
      [...text.matchAll(notification)].map((match) => ({ file, key: match[1] ?? '' })),
    );
    expect(notices).not.to.deep.equal([]);
    for (const { file, key } of notices) {
      expect(messages, file).to.have.property(`mail.${key}.subject`);
      expect(messages, file).to.have.property(`mail.${key}.text`);
    }
  });

  it('define a text for every validation code', () => {
    const [table = ''] =
      /const codes[\s\S]*?\n};/.exec(readFileSync(join(root, 'shared/platform/validation.ts'), 'utf8')) ?? [];
    const codes = [...table.matchAll(/: '(\w+)'/g)].map((match) => match[1]);
    expect(codes.length).to.be.above(20);
    for (const code of [...codes, 'format', 'equal', 'characters'])
      expect(messages).to.have.property(`validation.${code}`);
  });

  it('insert values unescaped and replace nothing inside them', () => {
    const translate = createTranslate(messages);
    expect(translate('it', 'validation.tooShort', { limit: 8 })).to.equal('Servono almeno 8 caratteri.');
    const hostile = '$t(error.internal) {{limit}} <b>&';
    expect(translate('en', 'validation.choice', { choices: hostile })).to.equal(
      `The value must be one of: ${hostile}.`,
    );
  });

  it('use the plural form of a number in every language', () => {
    const translate = createTranslate(messages);
    const seconds = (language: Language, retryAfterSeconds: number | string) =>
      translate(language, 'error.tooManyRequests', { retryAfterSeconds });
    const counted = (number: number) => languages.map((language) => /\d \w+/.exec(seconds(language, number))?.[0]);
    expect(counted(1)).to.deep.equal(['1 second', '1 secondo', '1 segundo', '1 seconde', '1 segundo', '1 Sekunde']);
    expect(counted(2)).to.deep.equal([
      '2 seconds',
      '2 secondi',
      '2 segundos',
      '2 secondes',
      '2 segundos',
      '2 Sekunden',
    ]);
    expect(
      [seconds('en', 0), seconds('fr', 0), seconds('en', '1'), seconds('en', 'x')].map((text) => text.endsWith('s.')),
    ).to.deep.equal([true, false, false, true]);
    expect(translate('pt', 'validation.tooShort', { limit: 1 })).to.equal('É necessário pelo menos 1 carácter.');
  });

  it('write only dates with points in German', () => {
    const until = '31/12/2026 20:15:00 UTC';
    const translate = createTranslate(messages);
    expect(translate('de', 'box.beingPaidFor', { until })).to.include('nach dem 31.12.2026 20:15:00 UTC.');
    expect(translate('fr', 'box.beingPaidFor', { until })).to.include(`après le ${until}.`);
    expect(translate('de', 'live.overlap', { name: '31/12/2026' })).to.include(': 31/12/2026.');
  });

  it('throw for an unknown key', () =>
    expect(() => createTranslate(messages)('en', 'error.nothingOfTheKind')).to.throw('error.nothingOfTheKind'));
});

describe('The language of a language tag', () => {
  it('falls back to English', () =>
    expect(['pt_PT', 'IT', 'Italian', ''].map(languageOf)).to.deep.equal(['pt', 'it', 'en', 'en']));
});
