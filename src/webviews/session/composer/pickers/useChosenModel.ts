/**
 * The model that the user has just chosen counts at once in the page. The chat has it only when the extension has told the page so, and whoever
 * presses Enter before that means the model that they have chosen.
 */
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { ChatState } from '../../../../ahp/channels/chat/state.ts';
import type { ModelSelection } from '../../../../ahp/channels/shapes/basic.ts';
import type { URI } from '../../../../ahp/common/shapes.ts';
import { sameJson } from '../../../../base/sameJson.ts';
import { chooseModel, nextModel } from '../../../../views/session/composer/composer.ts';
import type { RejectedMessage } from '../../protocol.ts';
import type { SessionPort } from '../../page/sessionPort.ts';

/** The extension shows or refuses a choice in far less time. What it says by then counts, for example when another client was faster. */
const CHOICE_MS = 5_000;

interface Choice {
  readonly chat: URI;
  readonly model: ModelSelection;
  /** Those that the page knew before. */
  readonly refused: readonly RejectedMessage[];
  /** Was chosen just before, and the chat has yet to say so. What it says until then is older than this choice, also where it is the same. */
  readonly after?: ModelSelection;
}

interface ChosenModelProps {
  port: SessionPort;
  uri: URI | undefined;
  chat: ChatState | undefined;
  rejections: readonly RejectedMessage[];
}

/** The chat with what was just chosen, and the port by which it is chosen. */
export function useChosenModel({ port, uri, chat, rejections }: ChosenModelProps): { port: SessionPort; chat: ChatState | undefined } {
  const [choice, setChoice] = useState<Choice>();
  const refused = useRef(rejections);
  refused.current = rejections;
  const open = useRef<Choice>(undefined);
  const choosing = useMemo(
    (): SessionPort => ({
      post: port.post,
      dispatch: (target, action, asked) => {
        const model = action.type === 'chat/draftChanged' ? action.draft?.model : undefined;
        const after = open.current?.chat === target && { after: open.current.model };
        if (model) setChoice({ chat: target, model, refused: refused.current, ...after });
        port.dispatch(target, action, asked);
      },
    }),
    [port],
  );
  const isOpen =
    choice !== undefined &&
    chat !== undefined &&
    choice.chat === uri &&
    (choice.after !== undefined || !sameJson(nextModel(chat), choice.model)) &&
    !rejections.some((one) => one.action.type === 'chat/draftChanged' && !choice.refused.includes(one));
  const isNext = isOpen && choice.after !== undefined && sameJson(nextModel(chat), choice.after);
  open.current = isOpen ? choice : undefined;
  // Without this, the choice would come back when the chat gets another model later.
  useLayoutEffect(() => {
    if (!choice) return undefined;
    if (!isOpen) {
      setChoice(undefined);
      return undefined;
    }
    if (isNext) {
      const { chat: target, model, refused: known } = choice;
      setChoice({ chat: target, model, refused: known });
      return undefined;
    }
    const timer = setTimeout(() => setChoice(undefined), CHOICE_MS);
    return () => clearTimeout(timer);
  }, [choice, isOpen, isNext]);
  const shown = useMemo(() => {
    const draft = chat && isOpen ? chooseModel(chat, choice.model).draft : undefined;
    return chat && draft ? { ...chat, draft } : chat;
  }, [chat, isOpen, choice]);
  return { port: choosing, chat: shown };
}
