/** Fields whose whole text is in view, because it may be that of an agent or a host, and is sent as the user's. For any page. */
import * as l10n from '../../../base/l10n.ts';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { visibleText } from '../../../views/text/visibleText.ts';
import { CodeView } from './CodeView.tsx';

interface TextFieldProps {
  text: string;
  id?: string;
  class: string;
  disabled?: boolean;
  placeholder?: string;
  'aria-label'?: string;
  'aria-required'?: boolean;
  'aria-invalid'?: boolean;
  'aria-describedby'?: string | undefined;
  onText(text: string): void;
  onCopy(text: string): void;
  onBlur?(event: FocusEvent): void;
}

/** As high as its text, so that nothing is scrolled out of view. */
export function GrowingField({
  text,
  takesFocus = false,
  onText,
  onCopy,
  ...attributes
}: TextFieldProps & { takesFocus?: boolean; 'data-judged'?: boolean }) {
  const element = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (takesFocus) element.current?.focus();
  }, []);
  useLayoutEffect(() => {
    if (!element.current) return;
    element.current.style.height = 'auto';
    element.current.style.height = `${element.current.scrollHeight + 2}px`;
  }, [text]);
  return (
    <>
      <textarea {...attributes} ref={element} rows={1} value={text} onInput={(event) => onText(event.currentTarget.value)} />
      {hidesSome(text) && <AsItWillBeSent text={text} onCopy={onCopy} />}
    </>
  );
}

/** Of one line. A text that may not fit, and that the user has not typed here, stands below it, too. */
export function LineField({
  text,
  onText,
  onCopy,
  ...attributes
}: TextFieldProps & { inputMode?: 'email' | 'url' | 'text' | 'numeric' | 'decimal' }) {
  const typed = useRef<string>(undefined);
  const type = (own: string) => {
    typed.current = own;
    onText(own);
  };
  return (
    <>
      <input {...attributes} value={text} onInput={(event) => type(event.currentTarget.value)} />
      {((text !== typed.current && text.length > FITS) || hidesSome(text)) && <AsItWillBeSent text={text} onCopy={onCopy} />}
    </>
  );
}

/** Characters of which a field of one line shows all in the narrowest sidebar. */
const FITS = 24;

/** A field does not show invisible characters. A space at the end is ignored, because it is common while typing. */
function hidesSome(text: string): boolean {
  return visibleText(text.trimEnd()).some(({ unseen, rightToLeft }) => unseen || rightToLeft);
}

function AsItWillBeSent({ text, onCopy }: Pick<TextFieldProps, 'text' | 'onCopy'>) {
  return <CodeView text={text} label={l10n.t('As it will be sent')} onCopy={onCopy} />;
}
