import { expect } from 'chai';
import express, { type Request } from 'express';
import { languageOfRequest } from '../../../api/http/requestLanguage.js';

describe('Language of a request', () => {
  const cases: readonly (readonly [header: string | undefined, language: string])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['it', 'it'],
    ['pt-BR', 'pt'],
    ['pt_BR', 'pt'],
    ['de-CH', 'de'],
    ['DE, fr-CH;q=0.8, en;q=0.5', 'de'],
    ['nl, fr-CH;q=0.8, en;q=0.5', 'fr'],
    ['en;q=0.1, es;q=0.9', 'es'],
    ['en; q=0.1, es; q=0.9', 'es'],
    ['en-GB, fr', 'en'],
    ['it;q=0, fr', 'fr'],
    ['xx', 'en'],
    [`${'a,'.repeat(7_000)}it`, 'it'],
  ];
  for (const [header, language] of cases) {
    it(`'${String(header).slice(0, 40)}' gives ${language}`, () => {
      const headers = header === undefined ? {} : { 'accept-language': header };
      const request = Object.assign(Object.create(express.request), { headers }) as Request;
      expect(languageOfRequest(request)).to.equal(language);
    });
  }
});
