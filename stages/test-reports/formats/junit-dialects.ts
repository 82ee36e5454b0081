import type { TestStatus } from '../../../schemas/test-report.ts';
import type { Dialect, JunitCase } from './junit.ts';

const attribute = ({ attributes }: JunitCase, name: string) => attributes[name] ?? '';
const suiteName = ({ suites }: JunitCase) => suites.at(-1)?.name ?? '';
const named = (...titles: string[]) => titles.filter((title) => title.trim() !== '');
const hasMark = ({ marks }: JunitCase, name: string, type?: string) =>
  marks.some((mark) => mark.name === name && (type === undefined || mark.attributes.type === type));

const nearestFile = (one: JunitCase): string =>
  one.attributes.file ?? one.suites.findLast((suite) => suite.file)?.file ?? '';

/** Any runner: the file where one is named, then class and name; suites where there is neither. */
export const plain: Dialect = {
  locate(one) {
    const [file, name] = [nearestFile(one), attribute(one, 'name')];
    const owner = attribute(one, 'classname');
    const suites = one.suites.map((suite) => suite.name ?? '');
    return {
      file,
      titles: owner === '' && file === '' ? named(...suites, name) : named(owner, name),
    };
  },
  /** The two types are those of unittest-xml-reporting. */
  statusOf(one, status) {
    if (hasMark(one, 'skipped', 'XFAIL') && status === 'skipped') return 'expected-failure';
    return hasMark(one, 'error', 'UnexpectedSuccess') ? 'unexpected-pass' : status;
  },
};

/** Class and name. A class that could not be set up has an unnamed test, whose id is the class. */
export const byClass: Dialect = {
  locate: (one) => ({
    file: '',
    titles: named(attribute(one, 'classname') || suiteName(one), attribute(one, 'name')),
  }),
};

const moduleOf = (file: string) => file.replace(/\.py$/, '').replaceAll('/', '.');

/** Node ids where the report names files (`junit_family=xunit1`), else module and name. */
export const pytest: Dialect = {
  firstLine: 0,
  locate(one) {
    const [file, name, owner] = [
      attribute(one, 'file'),
      attribute(one, 'name'),
      attribute(one, 'classname'),
    ];
    // A file that could not be collected has no class; its name is its module.
    if (owner === '') return { file, titles: file === '' ? named(name) : [] };
    if (file === '') return { file, titles: named(owner, name) };
    const module = moduleOf(file);
    const classes = owner.startsWith(`${module}.`) ? owner.slice(module.length + 1).split('.') : [];
    return { file, titles: named(...classes, name) };
  },
  statusOf({ marks }, status) {
    const isExpected = marks.some(({ attributes }) => attributes.type === 'pytest.xfail');
    if (isExpected && status === 'skipped') return 'expected-failure';
    const isUnexpected = marks.some(
      ({ name, attributes: { message = '' } }) =>
        /^failure$/.test(name) &&
        /^(?:\[XPASS\(strict\)\]|(?:Failed: )?Unexpected success$)/.test(message),
    );
    return isUnexpected && status === 'failed' ? 'unexpected-pass' : status;
  },
};

/** The test's binary, then its path. */
export const nextest: Dialect = {
  locate: (one) => ({
    file: '',
    titles: named(suiteName(one) || attribute(one, 'classname'), attribute(one, 'name')),
  }),
};

/** Names alone. `notrun` is skipped only where the test itself asked for that; else its program or fixture was not there. */
export const ctest: Dialect = {
  locate: (one) => ({ file: '', titles: named(attribute(one, 'name')) }),
  statusOf({ attributes, marks }, status) {
    const asked = marks.some(({ attributes: { message } }) => message?.startsWith('SKIP_'));
    return attributes.status === 'notrun' && asked ? 'skipped' : status;
  },
};

/**
 * Class and name, or the provider's suite where there is no class. The runner's exit code does not speak of risky and warned
 * tests; they count as skipped, so that no list holds them.
 */
export const phpunit: Dialect = {
  locate: (one) => ({
    file: '',
    titles: named(attribute(one, 'class') || suiteName(one), attribute(one, 'name')),
  }),
  statusOf(one, status) {
    const isHarmless = one.marks.every(
      ({ name, attributes: { type = '' } }) => name === 'warning' || /\bRiskyTest/.test(type),
    );
    return isHarmless && status !== 'passed' ? 'skipped' : status;
  },
};

/** The class is the file; titles are joined already. A file that could not be loaded is named twice. */
export const vitest: Dialect = {
  locate(one) {
    const [file, name] = [attribute(one, 'classname'), attribute(one, 'name')];
    return { file, titles: name === file ? [] : named(name) };
  },
  statusOf(one, status) {
    const isFile = attribute(one, 'classname') === attribute(one, 'name');
    if (isFile && status === 'failed') return 'error';
    const said = one.marks.some(({ attributes: { message } }) => message === 'Expect test to fail');
    return said ? 'unexpected-pass' : status;
  },
};

const isUnloaded = (one: JunitCase) => attribute(one, 'classname') === 'Test suite failed to run';

/** Templates decide what stands where; equal class and name are one title. */
export const jest: Dialect = {
  locate(one) {
    const [file, name, owner] = [
      nearestFile(one),
      attribute(one, 'name'),
      attribute(one, 'classname'),
    ];
    if (isUnloaded(one)) return { file: file || name, titles: [] };
    return { file, titles: owner === name ? named(name) : named(owner, name) };
  },
  statusOf: (one, status) => (isUnloaded(one) ? 'error' : status),
};

const nodeFailures: ReadonlyMap<string, TestStatus> = new Map([
  ['testCodeFailure', 'failed'],
  ['subtestsFailed', 'failed'],
  ['expectedFailure', 'unexpected-pass'],
]);

/** File, suites and name. A failing `todo` carries both marks; a file told as a test ended before its tests did. */
export const nodeTest: Dialect = {
  locate(one) {
    const [file, name] = [attribute(one, 'file'), attribute(one, 'name')];
    const suites = one.suites.map((suite) => suite.name ?? '');
    // Before version 22 no file is named.
    const isFile = file === '' ? /^\S+\.[cm]?[jt]sx?$/.test(name) : file.endsWith(`/${name}`);
    if (suites.length === 0 && isFile) return { file: file || name, titles: [] };
    return { file, titles: named(...suites, name) };
  },
  statusOf(one, status) {
    if (hasMark(one, 'skipped')) return 'skipped';
    if (this.locate(one).titles.length === 0) return 'error';
    const failure = one.marks.find(({ name }) => name === 'failure');
    if (failure === undefined) return status;
    return nodeFailures.get(failure.attributes.type ?? '') ?? 'error';
  },
};
