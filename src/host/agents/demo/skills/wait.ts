import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import * as l10n from '../../../../base/l10n.ts';
import { plain } from '../../markdown.ts';
import { begin } from '../begin.ts';
import type { Skill } from '../skill.ts';

export const waitTool: ToolDefinition = {
  name: 'wait',
  title: l10n.t({ message: 'Wait', comment: 'a verb' }),
  description: l10n.t('Waits some seconds.'),
  inputSchema: { type: 'object', properties: { seconds: { type: 'integer' } }, required: ['seconds'] },
  annotations: { readOnlyHint: true },
};

const MAX_SECONDS = 3600;

export const waitSkill: Skill = {
  name: 'wait',
  parameters: '[seconds]',
  summary: l10n.t('Waits and shows progress. Meanwhile you can steer it with a message, or with “stop”'),
  async run({ argument, host, pace, turn, voice }) {
    const seconds = argument === '' ? 10 : Number(argument);
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS) {
      await voice.say(l10n.t`Say how many seconds, from 1 to ${MAX_SECONDS}, for example \`wait 20\`.`);
      return;
    }
    let told = false;
    const listen = () => {
      for (let taken = turn.takeSteeringMessage(); taken; taken = turn.takeSteeringMessage()) {
        const { text } = taken.message;
        taken.heard();
        told ||= text.trim().toLowerCase() === 'stop';
        turn.markdown(`${l10n.t`You said while I waited: “${plain(text)}”.`}\n\n`);
      }
    };
    const call = turn.toolCall({ toolName: waitTool.name, displayName: l10n.t({ message: 'Wait', comment: 'a verb' }) });
    const ready = { invocationMessage: l10n.t`Waiting ${seconds} s`, toolInput: JSON.stringify({ seconds }) };
    if (!(await begin(voice, call, ready, 'not-needed'))) return;
    const listening = turn.onDidReceiveSteering(listen);
    let passed = 0;
    try {
      listen();
      for (; passed < seconds && !told; passed++) {
        host.setActivity(l10n.t`Waiting, ${seconds - passed} s left`);
        call.setContent([{ type: 'text', text: l10n.t`${passed} of ${seconds} s` }]);
        await pace.pause(1000);
      }
    } finally {
      listening.dispose();
      host.setActivity(undefined);
    }
    call.complete({
      success: true,
      pastTenseMessage: l10n.t`Waited ${passed} s`,
      content: [{ type: 'text', text: l10n.t`${passed} of ${seconds} s` }],
    });
    await voice.say(told ? l10n.t`I stopped waiting after ${passed} s, as you said.` : l10n.t`I waited ${passed} s.`);
  },
};
