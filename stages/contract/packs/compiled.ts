import { packOf } from './pack.ts';

const go = packOf('go');
const rust = packOf('rust');
const jvm = packOf('jvm');
const c = packOf('c');

/** Go, Rust, JVM languages and C, as contracts.md 8.2 lists them. Attributes of Rust begin with the token `#[`. */
export const compiled = {
  'go/skip': go(
    ['t|b|tb . Skip|Skipf|SkipNow', 'testing . Short', 'func TestMain'],
    [/^\/\/go:build/u, /^\/\/ \+build/u],
  ),
  'go/suppress': go([], [/nolint/u]),
  'go/exit': go([
    'os . Exit',
    'runtime . Goexit',
    'log . Fatal|Fatalf|Fatalln',
    'syscall . Exit|Kill',
  ]),
  'go/reflect': go(['unsafe', '"unsafe"', 'reflect . NewAt'], [/^\/\/go:linkname/u]),
  'go/env': go(['testing . Testing (', 'os . Getenv|LookupEnv|Args']),
  'go/io': go(['"os/exec"|"net"|"net/http"', 'exec . Command', 'net . Dial|Listen', 'time . Now']),
  'rust/skip': rust(['#[ ignore|should_panic', '#[ cfg ( not ( test )', '#[ cfg ( any ( )']),
  'rust/suppress': rust(['#[ allow (', '# ! [ allow (']),
  'rust/exit': rust(['process : : exit|abort', 'std : : process']),
  'rust/reflect': rust(['unsafe', '#[ no_mangle', '#[ unsafe (']),
  'rust/oracle': rust(['impl PartialEq|Eq|Hash|PartialOrd|Ord for', 'impl < * > PartialEq']),
  'rust/env': rust(['cfg ! ( test )', '#[ cfg ( test )', 'env : : args|var|vars']),
  'rust/io': rust(['std : : process|fs|net', 'Command : : new', 'Instant|SystemTime : : now']),
  'jvm/skip': jvm([
    '@ Disabled|Ignore|DisabledIf|EnabledIf',
    'assumeTrue|assumeFalse|assumeThat|assumingThat',
  ]),
  'jvm/suppress': jvm(['@ SuppressWarnings|Suppress'], [/NOLINT/u, /noinspection/u]),
  'jvm/exit': jvm(['System . exit', 'Runtime . halt', 'getRuntime ( ) . halt|exit', 'exitProcess']),
  'jvm/reflect': jvm([
    'setAccessible',
    'sun . misc',
    'Unsafe',
    'java . lang . reflect',
    'MethodHandles',
  ]),
  'jvm/oracle': jvm(['boolean equals (', 'int hashCode (', 'override fun equals|hashCode (']),
  'jvm/env': jvm(['getStackTrace|StackWalker', 'System . getenv|getProperty']),
  'jvm/io': jvm([
    'ProcessBuilder',
    'getRuntime ( ) . exec',
    'java . net',
    'System . currentTimeMillis|nanoTime',
  ]),
  'c/suppress': c([], [/NOLINT/u]),
  'c/exit': c(['!.|> exit|_exit|_Exit|abort|quick_exit|raise|kill (', 'longjmp (']),
  'c/env': c(['getenv|secure_getenv (']),
  'c/io': c([
    'system|popen|fork|execv|execve|execl|socket|connect (',
    'fopen|open|unlink|remove (',
    'time|clock_gettime (',
  ]),
  'c/reflect': c(['__attribute__|dlsym|dlopen|mprotect', '__asm__|asm', '_Pragma']),
};
