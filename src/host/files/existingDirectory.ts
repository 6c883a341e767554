import { realpath, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { URI } from '../../ahp/common/shapes.ts';
import { ErrorCode } from '../../ahp/common/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { RpcError } from '../../base/jsonRpc.ts';

/** The real path of an existing directory, from a `file:` URI. Throws InvalidParams that names `field`. */
export async function existingDirectory(uri: URI, field: string): Promise<string> {
  try {
    const path = await realpath(fileURLToPath(uri));
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    throw new RpcError(ErrorCode.InvalidParams, `${field} is not a directory of this host: ${messageOf(error)}`);
  }
  throw new RpcError(ErrorCode.InvalidParams, `${field} is not a directory`);
}
