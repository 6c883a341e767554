/** `npm run docs:conformance`: writes the page that says which test proves which rule of the gateway's specifications. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listTests, root, toMarkdown } from './gatewayChecklist.ts';

const page = join(root, 'artifacts/gateway-conformance.md');
mkdirSync(dirname(page), { recursive: true });
writeFileSync(page, toMarkdown(await listTests()));
console.log(page);
