/** Code in the colours of its language, as soon as they are known. Its characters are the same with and without. */
import { goOn } from '../../code/codeParts.ts';
import { useColours } from '../../code/colourCode.ts';
import { VisibleText } from './VisibleText.tsx';

interface ColouredTextProps {
  text: string;
  language: string | undefined;
  /** Names invisible characters. */
  visible: boolean;
}

export function ColouredText({ text, language, visible }: ColouredTextProps) {
  const parts = useColours(text, language);
  if (!parts) return visible ? <VisibleText text={text} /> : <>{text}</>;
  const goesOn = visible ? goOn(parts) : [];
  return (
    <>
      {parts.map(({ text: part, kind }, index) => (
        <span key={index} class={kind && `code-${kind}`}>
          {visible ? <VisibleText text={part} prose={goesOn[index]} /> : part}
        </span>
      ))}
    </>
  );
}
