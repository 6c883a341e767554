import assert from 'node:assert/strict';
import type { AgentTurn, SystemSections } from '../../agent.ts';
import { EngineSections, type SystemMessage } from './systemSections.ts';

describe('Sections of the engine’s system message', () => {
  const nothing: SystemSections = { sections: [], context: [], startup: [] };
  const own = { tone: 'Be kind', custom_instructions: '' };
  const setUp = () => {
    const asked: Readonly<Record<string, string>>[] = [];
    const state = { added: nothing };
    const turn = {
      sections: async (current: Readonly<Record<string, string>>) => {
        asked.push(current);
        return state.added;
      },
    } as AgentTurn;
    const sections = new EngineSections();
    /** What the engine gets when it has been opened with this. */
    const opened = async ({ config }: SystemMessage, texts: Readonly<Record<string, string>> = own) => {
      const given: Record<string, string> = {};
      if (config?.mode !== 'customize') return given;
      for (const [name, text] of Object.entries(texts)) {
        const action = config.sections?.[name as 'tone']?.action;
        given[name] = typeof action === 'function' ? await action(text) : text;
      }
      return given;
    };
    return { asked, state, turn, sections, opened };
  };
  const part = (action: string, content: string) => ({ provider: 'ci', action, content });

  it('are left alone while nothing is added', async () => {
    const { sections, turn } = setUp();
    const { key, config } = await sections.prepare(turn);
    assert.equal(config, undefined);
    assert.equal((await sections.prepare(turn)).key, key);
  });

  it('get what is added around the engine’s own text, and the rest after the custom instructions', async () => {
    const { sections, state, turn, opened } = setUp();
    state.added = {
      sections: [
        { section: 'tone', content: 'x', parts: [part('append', 'briefly'), part('prepend', 'Always')] },
        { section: 'house_rules', content: 'x', parts: [part('append', 'Shoes off')] },
      ],
      context: [{ provider: 'ci', content: 'main is red' }],
      startup: [],
    };
    const given = await opened(await sections.prepare(turn));
    assert.equal(given.tone, 'Always\nBe kind\nbriefly');
    assert.match(String(given.custom_instructions), /name="house_rules">\nShoes off\n[^]*kind="context" provider="ci">\nmain is red/);
  });

  it('ask again with the engine’s own text where a provider rewrites it, once', async () => {
    const { asked, sections, state, turn, opened } = setUp();
    state.added = { ...nothing, sections: [{ section: 'tone', content: 'guess', parts: [part('callback', 'guess')] }] };
    const message = await sections.prepare(turn);
    state.added = { ...nothing, sections: [{ section: 'tone', content: 'Be kind!', parts: [part('callback', 'Be kind!')] }] };
    assert.equal((await opened(message)).tone, 'Be kind!');
    assert.deepEqual(asked, [{}, { tone: 'Be kind' }]);
    assert.equal((await sections.prepare(turn)).key, message.key, 'the engine has it');
    assert.deepEqual(asked[2], own);
  });

  it('need another system message when something else is added, or nothing any more', async () => {
    const { sections, state, turn, opened } = setUp();
    const red = { ...nothing, context: [{ provider: 'ci', content: 'main is red' }] };
    state.added = red;
    const first = await sections.prepare(turn);
    assert.notEqual((await sections.prepare(turn)).key, first.key, 'the engine has not asked for it');
    const second = await sections.prepare(turn);
    await opened(second);
    assert.equal((await sections.prepare(turn)).key, second.key);
    state.added = { ...nothing, context: [{ provider: 'ci', content: 'main is green' }] };
    const third = await sections.prepare(turn);
    assert.notEqual(third.key, second.key);
    await opened(third);
    state.added = nothing;
    const last = await sections.prepare(turn);
    assert.notEqual(last.key, third.key);
    assert.equal(last.config, undefined);
  });
});
