import type * as z from 'zod/mini';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';
import { problemOf } from './problem.ts';

/** The parameters of a command themselves, when they have its shape. Otherwise throws InvalidParams with the field. */
export function checkedParams(schema: z.ZodMiniType, params: unknown): unknown {
  const problem = problemOf(schema, params ?? {}, 'params');
  if (problem) throw new RpcError(ErrorCode.InvalidParams, problem);
  return params ?? {};
}
