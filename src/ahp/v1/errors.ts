export { ErrorCode } from '../common/errors.ts';
