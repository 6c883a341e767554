import * as z from 'zod';
import { statusOf } from '../sessions/sessionStatus.ts';
import { tapTool } from './tapTool.ts';

export const statusTool = tapTool(
  { name: 'tap_gateway_status', description: 'The state of the gateway for this session: providers, tools, queues and last errors.' },
  z.strictObject({}),
  (_, { gateway, session }) => statusOf(session, gateway.status()),
);
