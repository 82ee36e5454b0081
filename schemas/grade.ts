import { z } from 'zod';

/**
 * What grading says of one candidate. `tampered`: outcomes were rewritten. `ungradable`: the runner cannot be read even on the
 * control. `fault`: the box, the daemon, the disk. The last two carry no reward and are left out of every rate.
 */
export const Grade = z.enum(['passed', 'failed', 'tampered', 'ungradable', 'fault']);
export type Grade = z.infer<typeof Grade>;
