import { expect } from 'vitest';
import { type Kit, run, sh, signal, text, told } from './kit.ts';

/** What would reach the kernel or another box, each with nothing to lose where it works. */
const FORBIDDEN = [
  'unshare --user true',
  'unshare --net true',
  'unshare --mount true',
  'mount -t tmpfs none /tmp',
  'umount /proc',
  'mknod /tmp/disk b 7 0',
  'chroot /tmp /bin/true',
  'nsenter --target 1 --net true',
  'sh -c "echo box > /proc/sys/kernel/hostname"',
  'sh -c "echo -1000 > /proc/self/oom_score_adj"',
  'sh -c "echo h > /proc/sysrq-trigger"',
  'sh -c "test -s /proc/kcore && head -c 1 /proc/kcore | grep -q ."',
  'sh -c "head -c 1 /dev/kmsg"',
  'sh -c "mkdir /sys/fs/cgroup/pids/own || mkdir /sys/fs/cgroup/own"',
];

const HARMLESS =
  /^(null|zero|full|random|urandom|tty|ptmx|pts|shm|mqueue|fd|stdin|stdout|stderr|core|console)$/;

function kernel({ behaviour, inBox }: Kit): void {
  behaviour('makes no namespace, mount or device, and changes nothing of the kernel', async () => {
    await inBox(async (box) => {
      for (const line of FORBIDDEN) {
        const exit = await sh(box, `exec ${line}`);
        expect(exit.code, line).not.toBe(0);
        expect(exit.code, `${line}: the program is missing, so nothing was tried`).not.toBe(127);
      }
    });
  });

  behaviour('can write no setting of the kernel, as whoever it runs', async () => {
    await inBox(async (box) => {
      const open =
        'find /proc -maxdepth 5 -type f -perm /222 -not -path "/proc/[0-9]*" 2>/dev/null |' +
        ' grep -vE "^/proc/(self|thread-self|net|pressure)/|^/proc/mtrr$" | while read f; do [ -f "$f" ] && [ -w "$f" ] && echo "$f"; done';
      expect(await told(box, open)).toBe('');
      const back = 'cat /proc/sys/kernel/core_pattern | tee /proc/sys/kernel/core_pattern';
      expect((await sh(box, `{ ${back}; } 2>&1`)).code, 'a program to be run by the host').not.toBe(
        0,
      );
      expect(await told(box, 'cat /proc/sys/kernel/random/boot_id | wc -c')).toBe('37');
    });
  });

  behaviour('has no device but the harmless ones', async () => {
    await inBox(async (box) => {
      const names = (await told(box, 'ls /dev')).split('\n');
      expect(names).toContain('null');
      expect(names.filter((name) => !HARMLESS.test(name))).toEqual([]);
      expect(await told(box, 'find / -xdev -type b 2>/dev/null | head -1')).toBe('');
    });
  });

  behaviour('finds no socket of a daemon that could start containers', async () => {
    await inBox(async (box) => {
      const sockets = 'find /run /var/run/ /tmp -type s 2>/dev/null | head -5';
      expect(await told(box, sockets)).toBe('');
      expect(await told(box, 'ls -d /var/run/docker.sock 2>/dev/null || echo none')).toBe('none');
    });
  });
}

function quotas({ behaviour, inBox }: Kit): void {
  behaviour('writes no file beyond the limit of one, and no image of a crash', async () => {
    await inBox(async (box) => {
      const exit = await sh(box, 'truncate -s 3G big; code=$?; ls | grep -c big; exit $code');
      expect(exit.code).not.toBe(0);
      expect(await told(box, 'truncate -s 1G big && stat -c %s big; ulimit -c')).toBe(
        `${1024 ** 3}\n0`,
      );
    });
  });

  behaviour('holds a command to fewer processes than a box may have', async () => {
    const fork = 'i=0; while [ $i -lt 60 ]; do sleep 5 & i=$((i+1)); done; echo all';
    await inBox(async (box) => {
      const few = await sh(box, fork, { most: { processes: 20 } });
      expect(text(few.stdout)).not.toContain('all');
      expect(text((await sh(box, fork)).stdout)).toBe('all\n');
    });
  });

  behaviour('holds a command to its share of the processors', async () => {
    const busy =
      'import time\nend = time.monotonic() + 2\nwhile time.monotonic() < end: pass\nprint(time.process_time())';
    await inBox(async (box) => {
      const exit = await run(box, ['python3', '-c', busy], { most: { cpus: 0.2 } });
      const seconds = Number(text(exit.stdout));
      expect(seconds).toBeGreaterThan(0.01);
      expect(seconds).toBeLessThan(0.8);
    });
  });
}

function apart({ behaviour, open, prepared }: Kit): void {
  behaviour('shows two boxes that are open at once nothing of each other', async () => {
    const sandbox = open();
    const environment = await prepared(sandbox);
    const mine = [
      'echo secret | tee /dev/shm/mine "$TMPDIR/mine" "$HOME/mine" > /dev/null',
      'sleep 731 & node -e \'require("node:net").createServer().listen("\\0csw-mine")\'',
    ].join('; ');
    const look = [
      'ls /dev/shm /tmp "$TMPDIR" "$HOME" | grep -c mine',
      "cat /proc/[0-9]*/cmdline | tr '\\0' ' ' | grep -c 'sleep 73[1]'",
      'grep -c csw-mine /proc/net/unix',
    ].join('; ');
    await sandbox.use(environment, signal, async (one) => {
      await sandbox.use(environment, signal, async (two) => {
        const going = sh(one, mine, { timeoutMs: 6000 });
        await new Promise((resolve) => setTimeout(resolve, 2000));
        expect(await told(two, look)).toBe('0\n0\n0');
        expect((await going).timedOut, 'the other box was not open meanwhile').toBe(true);
      });
    });
  });
}

/** Behaviours of a sandbox that claims isolation: what the kernel holds for it. */
export function hardeningBehaviours(kit: Kit): void {
  kernel(kit);
  quotas(kit);
  apart(kit);
}
