/**
 * What tool providers add to the engine's system message. The engine asks for its sections once, with the first message after a session was
 * opened, so a session is opened again when something else is to be added.
 */
import type { SystemMessageConfig } from '@github/copilot-sdk';
import { type ContextPart, withContext } from '../../../../base/text/contextBlock.ts';
import type { AgentTurn, SystemSections } from '../../agent.ts';

/** The engine's sections. */
const names = [
  'preamble',
  'identity',
  'tone',
  'tool_efficiency',
  'environment_context',
  'code_change_rules',
  'guidelines',
  'safety',
  'tool_instructions',
  'custom_instructions',
  'runtime_instructions',
  'last_instructions',
] as const;
/** What belongs to none of the engine's sections is added to this one. */
const OTHERS = 'custom_instructions';

type Texts = Readonly<Record<string, string>>;

/** The system message of a session that is opened. */
export interface SystemMessage {
  /** Another one when another system message is needed. */
  readonly key: number;
  readonly config: SystemMessageConfig | undefined;
}

export class EngineSections {
  #key = 0;
  /** The engine's own sections, as far as it has sent them. */
  #own: Texts = {};
  /** The sections as the engine has them now, where something was added. Undefined while it has not asked. */
  #given: Texts | 'nothing' | undefined = 'nothing';
  #turn: AgentTurn | undefined;
  #added: SystemSections | undefined;

  /** Asks what is to be added in this turn. Rejects at the end of the turn. */
  async prepare(turn: AgentTurn): Promise<SystemMessage> {
    const added = await turn.sections(this.#own);
    this.#turn = turn;
    this.#added = added;
    const isEmpty = added.sections.length + added.context.length + added.startup.length === 0;
    if (!this.#isGiven(isEmpty ? 'nothing' : this.#wanted(added))) {
      this.#key++;
      this.#given = isEmpty ? 'nothing' : undefined;
    }
    return { key: this.#key, config: isEmpty ? undefined : this.#config };
  }

  #isGiven(wanted: Texts | 'nothing'): boolean {
    const given = this.#given;
    if (given === undefined || given === 'nothing' || wanted === 'nothing') return given === wanted;
    // An engine may not have all sections.
    return Object.entries(given).every(([name, text]) => wanted[name] === text);
  }

  get #config(): SystemMessageConfig {
    const sections = Object.fromEntries(names.map((name) => [name, { action: (own: string) => this.#section(name, own) }]));
    return { mode: 'customize', sections };
  }

  /** As far as the engine's own sections are known. */
  #wanted(added: SystemSections): Texts {
    return Object.fromEntries(
      names.map((name) => [name, withOthers(name, changeOf(added, name)?.content ?? this.#own[name] ?? '', added)]),
    );
  }

  /** The engine asks. It goes on with its own text after an error. */
  async #section(name: string, own: string): Promise<string> {
    const isChanged = this.#own[name] !== own;
    this.#own = { ...this.#own, [name]: own };
    const change = this.#added && changeOf(this.#added, name);
    if (isChanged && change?.parts.some(({ action }) => action === 'callback')) this.#added = await this.#turn?.sections(this.#own);
    const text = withOthers(name, this.#added ? changed(this.#added, name, own) : own, this.#added);
    this.#given = { ...(typeof this.#given === 'object' && this.#given), [name]: text };
    return text;
  }
}

function changeOf({ sections }: SystemSections, name: string) {
  return sections.find(({ section }) => section === name);
}

function changed(added: SystemSections, name: string, own: string): string {
  let text = own;
  for (const { action, content } of changeOf(added, name)?.parts ?? []) {
    if (action === 'append') text = text === '' ? content : `${text}\n${content}`;
    else if (action === 'prepend') text = text === '' ? content : `${content}\n${text}`;
    else text = content;
  }
  return text;
}

function withOthers(name: string, text: string, added: SystemSections | undefined): string {
  if (name !== OTHERS || !added) return text;
  const isOwn = (section: string) => (names as readonly string[]).includes(section);
  const parts: ContextPart[] = [
    ...added.startup.map((said) => ({ kind: 'startup' as const, ...said })),
    ...added.sections
      .filter(({ section }) => !isOwn(section))
      .flatMap(({ section, parts: from }) =>
        from.map(({ provider, content }) => ({ kind: 'section' as const, provider, name: section, content })),
      ),
    ...added.context.map((said) => ({ kind: 'context' as const, ...said })),
  ];
  return [text, withContext(parts, '')].filter((part) => part !== '').join('\n\n');
}
