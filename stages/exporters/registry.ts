import { bench } from './bench.ts';
import { card } from './card.ts';
import type { Exporter } from './exporter.ts';
import { harbor } from './harbor.ts';
import { swebench } from './swebench.ts';

/** Every format a release can be written in. */
export const exporters = { bench, swebench, harbor, card } satisfies Record<string, Exporter>;
