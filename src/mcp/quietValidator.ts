import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

/** As the MCP library makes its own, but silent: that one would write words of a schema to stderr as they are. */
export function quietValidator(): AjvJsonSchemaValidator {
  const ajv = new Ajv({ strict: false, validateFormats: true, validateSchema: false, allErrors: true, logger: false });
  addFormats.default(ajv);
  return new AjvJsonSchemaValidator(ajv);
}
