import type { ToolDefinition } from '../../../../ahp/common/tools.ts';
import { plain } from '../../markdown.ts';
import { begin } from '../begin.ts';
import type { Skill } from '../skill.ts';

export const waitTool: ToolDefinition = {
  name: 'wait',
  title: 'Wait',
  description: 'Waits some seconds.',
  inputSchema: { type: 'object', properties: { seconds: { type: 'integer' } }, required: ['seconds'] },
  annotations: { readOnlyHint: true },
};

const MAX_SECONDS = 3600;

export const waitSkill: Skill = {
  name: 'wait',
  parameters: '[seconds]',
  summary: 'Waits and shows progress. Meanwhile you can steer it with a message, or with “stop”',
  async run({ argument, host, pace, turn, voice }) {
    const seconds = argument === '' ? 10 : Number(argument);
    if (!Number.isInteger(seconds) || seconds < 1 || seconds > MAX_SECONDS) {
      await voice.say(`Say how many seconds, from 1 to ${MAX_SECONDS}, for example \`wait 20\`.`);
      return;
    }
    let told = false;
    const listen = () => {
      for (let taken = turn.takeSteeringMessage(); taken; taken = turn.takeSteeringMessage()) {
        const { text } = taken.message;
        taken.heard();
        told ||= text.trim().toLowerCase() === 'stop';
        turn.markdown(`You said while I waited: “${plain(text)}”.\n\n`);
      }
    };
    const call = turn.toolCall({ toolName: waitTool.name, displayName: 'Wait' });
    const ready = { invocationMessage: `Waiting ${seconds} s`, toolInput: JSON.stringify({ seconds }) };
    if (!(await begin(voice, call, ready, 'not-needed'))) return;
    const listening = turn.onDidReceiveSteering(listen);
    let passed = 0;
    try {
      listen();
      for (; passed < seconds && !told; passed++) {
        host.setActivity(`Waiting, ${seconds - passed} s left`);
        call.setContent([{ type: 'text', text: `${passed} of ${seconds} s` }]);
        await pace.pause(1000);
      }
    } finally {
      listening.dispose();
      host.setActivity(undefined);
    }
    call.complete({
      success: true,
      pastTenseMessage: `Waited ${passed} s`,
      content: [{ type: 'text', text: `${passed} of ${seconds} s` }],
    });
    await voice.say(told ? `I stopped waiting after ${passed} s, as you said.` : `I waited ${passed} s.`);
  },
};
