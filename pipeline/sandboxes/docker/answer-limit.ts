import type Docker from 'dockerode';

type Answer = (error: unknown, result?: unknown) => void;
type Dial = (options: { path: string; abortSignal?: AbortSignal }, answer: Answer) => void;

/** An upload is answered when it has arrived, however long that takes; a build when it ends. */
const takesLong = (path: string) => /^\/(images\/(create|load)|build)\b/.test(path);

/**
 * Let every call of a client end with an answer or with the error ETIMEDOUT. The library's own limit would also cut the
 * output of a command that is silent for as long; and it never ends a call whose answer breaks off in the middle.
 */
export function limitAnswers(docker: Docker, limitMs: number): void {
  const modem: { dial: Dial } = docker.modem;
  const dial = modem.dial.bind(modem);
  modem.dial = (options, answer) => {
    if (takesLong(options.path)) return dial(options, answer);
    const stop = new AbortController();
    let isOver = false;
    const once: Answer = (error, result) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      answer(error, result);
    };
    const timer = setTimeout(() => {
      const silent = new Error(`silent for ${limitMs / 1000} s`);
      once(Object.assign(silent, { code: 'ETIMEDOUT' }));
      stop.abort();
    }, limitMs);
    dial({ ...options, abortSignal: stop.signal }, once);
  };
}
