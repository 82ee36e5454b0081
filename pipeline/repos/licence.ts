import { parse } from 'smol-toml';
import type { Repo } from '../../stages/context.ts';

type File = { readonly path: string; readonly text: string };

/** What a repository's top folder says about its licence. */
export type Licence = { readonly licence: string | null; readonly licenceFiles: string[] };

const LICENCE_FILE = /^(un)?(licen[cs]e|copying)([.-][\w.-]+)?$/i;

/** An SPDX identifier by the text of LICENSE or COPYING and by what package.json or pyproject.toml declare; null without either. */
export async function readLicence(repo: Repo, commit: string): Promise<Licence> {
  const top = (await repo.tree(commit)).filter(
    ({ path, mode }) => !path.includes('/') && mode.startsWith('100'),
  );
  const read = async (wanted: (path: string) => boolean): Promise<readonly File[]> =>
    Promise.all(
      top
        .filter(({ path }) => wanted(path))
        .map(async ({ path, oid }) => ({
          path,
          text: new TextDecoder().decode(await repo.blob(oid)),
        })),
    );
  const texts = await read((path) => LICENCE_FILE.test(path));
  const manifests = await read((path) => path === 'package.json' || path === 'pyproject.toml');
  return { licence: spdxOf(texts, manifests), licenceFiles: texts.map(({ path }) => path) };
}

/** The declared identifier wins where the text cannot tell more, as with `-or-later` and double licences. */
export function spdxOf(texts: readonly File[], manifests: readonly File[]): string | null {
  const byText = [...new Set(texts.flatMap(({ text }) => textLicence(text) ?? []))].toSorted();
  const declared = manifests.map(declaredLicence).find((licence) => licence !== null) ?? null;
  const [only] = byText;
  if (byText.length > 1) return declared ?? byText.join(' OR ');
  if (only === undefined) return declared;
  return declared?.startsWith(only.replace(/-only$/, '')) ? declared : only;
}

/** In order: a text is taken by the first row whose words it holds. */
const MARKS: readonly (readonly [id: string, words: RegExp])[] = [
  ['AGPL-3.0-only', /GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i],
  ['LGPL-3.0-only', /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i],
  ['LGPL-2.1-only', /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2\.1/i],
  ['GPL-3.0-only', /GNU GENERAL PUBLIC LICENSE\s+Version 3/i],
  ['GPL-2.0-only', /GNU GENERAL PUBLIC LICENSE\s+Version 2/i],
  ['MPL-2.0', /Mozilla Public License,? Version 2\.0/i],
  ['Apache-2.0', /Apache License,?\s+Version 2\.0/i],
  ['Unlicense', /This is free and unencumbered software released into the public domain/i],
  ['ISC', /Permission to use, copy, modify,? and\/?(or)? distribute.*provided that the above/is],
  ['0BSD', /Permission to use, copy, modify,? and\/?(or)? distribute/i],
  ['MIT', /Permission is hereby granted, free of charge, to any person obtaining a copy/i],
  [
    'BSD-3-Clause',
    /Redistribution and use in source and binary.*(neither the name|nor the names)/is,
  ],
  ['BSD-2-Clause', /Redistribution and use in source and binary/i],
];

function textLicence(text: string): string | null {
  const flat = text.replace(/\s+/g, ' ');
  return MARKS.find(([, words]) => words.test(flat))?.[0] ?? null;
}

function declaredLicence({ path, text }: File): string | null {
  const manifest = path === 'package.json' ? readJson(text) : readToml(text);
  const project = path === 'package.json' ? manifest : record(record(manifest).project);
  const value = record(project).license;
  const words = typeof value === 'string' ? value : record(value).text;
  return typeof words === 'string' ? identifier(words) : classifier(record(project).classifiers);
}

const KNOWN = /^\(?[A-Za-z0-9.+-]+( (OR|AND|WITH) [A-Za-z0-9.+-]+)*\)?$/;

/** Only what looks like an SPDX expression; "SEE LICENSE IN x" and whole texts do not. */
const identifier = (words: string): string | null =>
  KNOWN.test(words.trim()) && !/^(unlicensed|proprietary)$/i.test(words.trim())
    ? words.trim().replace(/^\((.*)\)$/, '$1')
    : textLicence(words);

const CLASSIFIERS: Readonly<Record<string, string>> = {
  'MIT License': 'MIT',
  'Apache Software License': 'Apache-2.0',
  'ISC License (ISCL)': 'ISC',
  'Mozilla Public License 2.0 (MPL 2.0)': 'MPL-2.0',
};

function classifier(value: unknown): string | null {
  const lines = Array.isArray(value) ? value.map(String) : [];
  const names = lines.map((line) => CLASSIFIERS[line.split(' :: ').at(-1) ?? '']);
  return names.find((name) => name !== undefined) ?? null;
}

/** A manifest that cannot be read declares nothing; other parts of the product complain about it where it matters. */
const readJson = (text: string): unknown => attempt(() => JSON.parse(text));
const readToml = (text: string): unknown => attempt(() => parse(text));

function attempt(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error) return null;
    throw error;
  }
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
