import { expect, test } from 'vitest';
import { spdxOf } from '../../../pipeline/repos/licence.ts';

const file = (text: string, path = 'LICENSE') => ({ path, text });
const npm = (licence: string) => file(JSON.stringify({ license: licence }), 'package.json');
const python = (text: string) => file(text, 'pyproject.toml');

const MIT =
  'MIT License\n\nPermission is hereby granted, free of charge,\nto any person obtaining a copy of this';
const GPL = 'GNU GENERAL PUBLIC LICENSE\n   Version 3, 29 June 2007';
const BSD = 'Redistribution and use in source and binary forms, with or without modification';
const ISC = 'Permission to use, copy, modify, and/or distribute this software';

test.each([
  ['MIT by its text', [file(MIT)], [], 'MIT'],
  ['Apache by its text', [file('Apache License\n Version 2.0, January 2004')], [], 'Apache-2.0'],
  ['GPL by its text alone', [file(GPL, 'COPYING')], [], 'GPL-3.0-only'],
  ['GPL with what the manifest adds', [file(GPL)], [npm('GPL-3.0-or-later')], 'GPL-3.0-or-later'],
  [
    'AGPL, which also speaks of the GPL',
    [file(`GNU AFFERO GENERAL PUBLIC LICENSE\n Version 3\n${GPL}`)],
    [],
    'AGPL-3.0-only',
  ],
  ['LGPL', [file('GNU LESSER GENERAL PUBLIC LICENSE\n Version 3')], [], 'LGPL-3.0-only'],
  ['MPL', [file('Mozilla Public License Version 2.0')], [], 'MPL-2.0'],
  ['BSD with two clauses', [file(BSD)], [], 'BSD-2-Clause'],
  [
    'BSD with three',
    [file(`${BSD}\nNeither the name of the copyright holder`)],
    [],
    'BSD-3-Clause',
  ],
  ['ISC', [file(`${ISC} is hereby granted, provided that the above copyright notice`)], [], 'ISC'],
  [
    'Unlicense',
    [file('This is free and unencumbered software released into the public domain.')],
    [],
    'Unlicense',
  ],
  [
    'two texts',
    [file(MIT, 'LICENSE-MIT'), file('Apache License, Version 2.0', 'LICENSE-APACHE')],
    [],
    'Apache-2.0 OR MIT',
  ],
  ['package.json alone', [], [npm('ISC')], 'ISC'],
  ['pyproject.toml alone', [], [python('[project]\nlicense = "BSD-3-Clause"')], 'BSD-3-Clause'],
  ['pyproject.toml in the old form', [], [python('[project]\nlicense = {text = "MIT"}')], 'MIT'],
  [
    'a classifier',
    [],
    [python('[project]\nclassifiers = ["License :: OSI Approved :: MIT License"]')],
    'MIT',
  ],
  ['the text against a wrong manifest', [file(MIT)], [npm('Apache-2.0')], 'MIT'],
  ['nothing at all', [], [], null],
  ['no licence on purpose', [], [npm('UNLICENSED')], null],
  [
    'a text of no known licence',
    [file('All rights reserved.')],
    [npm('SEE LICENSE IN LICENSE')],
    null,
  ],
  ['a manifest that cannot be read', [], [file('{', 'package.json'), python('= =')], null],
])('%s', (_, texts, manifests, licence) => {
  expect(spdxOf(texts, manifests)).toBe(licence);
});
