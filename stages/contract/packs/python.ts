import { packOf } from './pack.ts';

const pack = packOf('python');

/** Packs for Python (contracts.md 8.2). */
export const python = {
  'py/skip': pack([
    'pytest . mark . skip|skipif|xfail',
    'pytest . skip|importorskip|xfail|exit',
    'unittest . skip|skipIf|skipUnless|expectedFailure',
    'SkipTest',
    'skipTest',
    '__test__',
    'collect_ignore|collect_ignore_glob',
    'pytestmark',
  ]),
  'py/suppress': pack(
    [],
    [/type:\s*ignore/u, /\bnoqa\b/u, /pylint:\s*disable/u, /pragma:\s*no cover/u, /\bmypy:/u],
  ),
  'py/exit': pack([
    'sys . exit',
    'from sys import exit',
    'os . kill|killpg|abort',
    '_exit',
    '!.|def quit|exit (',
    'SystemExit',
    'atexit',
    'import|from signal',
    'signal . signal|alarm|raise_signal|setitimer|pthread_kill',
  ]),
  'py/reflect': pack([
    '_pytest',
    'sys . modules|settrace|setprofile|meta_path|path_hooks',
    '_getframe|_current_frames',
    'inspect . stack|currentframe',
    'gc . get_objects|get_referrers',
    'builtins|__builtins__',
    'importlib . abc|machinery|reload|util',
    '__class__ =',
    '!.|def globals (',
    'ctypes',
    'unittest . mock',
    'from unittest import mock',
    '!.|def eval|exec|compile (',
    'global ~name',
  ]),
  'py/oracle': pack([
    'def __eq__|__ne__|__bool__|__hash__|__lt__|__gt__|__le__|__ge__|__contains__|__len__ (',
    '__eq__|__ne__|__bool__|__hash__ =',
  ]),
  'py/env': pack([
    '"PYTEST_CURRENT_TEST"|"PYTEST_VERSION"',
    '"pytest"|"unittest"|"_pytest" in sys . modules',
    'getsourcefile',
  ]),
  'py/io': pack([
    'import|from subprocess|socket|urllib|requests|http|multiprocessing|shutil',
    '!.|def open (',
    'import|from time',
    'time . time|time_ns|sleep|monotonic|perf_counter',
    '. write_text|write_bytes|unlink|mkdir',
  ]),
};
