import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { acceptedLanguage, languageOf, languages } from '../../../shared/platform/messages/i18n.js';
import { messages } from '../../../shared/platform/messages/index.js';
import { createTranslate } from '../../../shared/platform/messages/translate.js';
import { projectFile } from '../../support/projectFile.js';

const root = projectFile('.');

function sources(...folders: string[]): { file: string; text: string }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ file: join(folder, name), text: readFileSync(join(root, folder, name), 'utf8') })),
  );
}

/** Keys that code names: of errors, of refusals inside schemas, of sentences it says. */
function keysNamed(text: string): string[] {
  const patterns = [
    /\bkey: '([A-Za-z]+\.[A-Za-z.]+)'/g,
    /\b(?:failureKey|refusalKey): '([A-Za-z]+\.[A-Za-z.]+)'/g,
    /\breject\(\s*helpers,\s*'([^']+)'/g,
    /\btranslate\(\s*[\w.]+,\s*'([^']+)'/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
}

const valuesIn = (sentence: string) =>
  [...sentence.matchAll(/\{\{(\w+)\}\}/g)]
    .map((match) => match[1] ?? '')
    .toSorted((left, right) => left.localeCompare(right));

describe('Messages', () => {
  it('every message has every language, with the same values and its own words', () => {
    for (const [key, sentence] of Object.entries(messages)) {
      expect(Object.keys(sentence).toSorted(), key).to.deep.equal([...languages].toSorted());
      for (const language of languages) {
        expect(sentence[language].trim(), `${key} in ${language}`).not.to.equal('');
        expect(valuesIn(sentence[language]), `${key} in ${language}`).to.deep.equal(valuesIn(sentence.en));
      }
    }
  });

  it('every key that code names is there', () => {
    const named = sources('api', 'shared', 'workers').flatMap(({ file, text }) =>
      keysNamed(text).map((key) => ({ file, key })),
    );
    expect(named.length).to.be.above(30);
    expect(named.filter(({ key }) => !(key in messages))).to.deep.equal([]);
  });

  it('every notice by mail has a subject and a text', () => {
    const notices = sources('shared', 'workers').flatMap(({ file, text }) =>
      [...text.matchAll(/\bnotifyUser,\s*\{[^}]*?\bkey: '([^']+)'/g)].map((match) => ({ file, key: match[1] ?? '' })),
    );
    for (const { file, key } of notices) {
      expect(messages, file).to.have.property(`mail.${key}.subject`);
      expect(messages, file).to.have.property(`mail.${key}.text`);
    }
  });

  it('every code of a refused member has its sentence', () => {
    const [table = ''] =
      /const codes[\s\S]*?\n};/.exec(readFileSync(join(root, 'shared/platform/validation.ts'), 'utf8')) ?? [];
    const codes = [...table.matchAll(/: '(\w+)'/g)].map((match) => match[1]);
    expect(codes.length).to.be.above(20);
    for (const code of [...codes, 'format', 'equal', 'characters'])
      expect(messages).to.have.property(`validation.${code}`);
  });

  it('a rebuilt sentence holds its values as they are, and resolves nothing inside them', () => {
    const translate = createTranslate();
    expect(translate('it', 'validation.tooShort', { limit: 8 })).to.equal('Servono almeno 8 caratteri.');
    const hostile = '$t(error.internal) {{limit}} <b>&';
    expect(translate('en', 'validation.choice', { choices: hostile })).to.equal(
      `The value must be one of: ${hostile}.`,
    );
  });

  it('an unknown key is a fault', () => {
    expect(() => createTranslate()('en', 'error.nothingOfTheKind')).to.throw('error.nothingOfTheKind');
  });
});

describe('Languages', () => {
  const cases: readonly (readonly [string | undefined, string])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['it', 'it'],
    ['pt-BR', 'pt'],
    ['DE, fr-CH;q=0.8, en;q=0.5', 'fr'],
    ['en;q=0.1, es;q=0.9', 'es'],
    ['it;q=0, fr', 'fr'],
    ['it;q=zero', 'it'],
    ['xx', 'en'],
    [`${'a,'.repeat(10_000)}it`, 'en'],
  ];
  for (const [header, language] of cases) {
    it(`'${String(header).slice(0, 40)}' asks for ${language}`, () => {
      expect(acceptedLanguage(header)).to.equal(language);
    });
  }

  it('a user’s own language falls back to English', () => {
    expect([languageOf('pt_PT'), languageOf('Italian'), languageOf('')]).to.deep.equal(['pt', 'en', 'en']);
  });
});
