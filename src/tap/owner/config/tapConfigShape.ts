/** What stands in a `tap.config.json`: for the check of the file, and for the schema with which editors complete it. */
import * as z from 'zod';
import { checkEmitterLists, emitterLists } from '../../wire/emitters/configuredEmitters.ts';
import { projectProviders } from '../../wire/projectProviders.ts';

/** The file may hold settings of other tools. Entries of its lists may not hold unknown fields, so that typing errors are found. */
export const tapConfig = z.object({
  providers: projectProviders
    .default([])
    .describe('Programs that lend tools to the agent sessions of this folder. They run only after the user has allowed them.'),
  ...emitterLists,
});
export const checkedTapConfig = tapConfig.superRefine(checkEmitterLists);
