import { fullMessages } from './fullMessages.ts';
import { fullProtocol } from './fullProtocol.ts';
import type { Document } from './rule.ts';

export const full: Document = {
  path: 'spec/seeds/provider-interface-v2.md',
  title: 'Full interface',
  sections: [...fullProtocol, ...fullMessages],
};
