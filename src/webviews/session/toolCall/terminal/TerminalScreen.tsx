/** What a terminal shows, by a terminal emulator. */
import { FitAddon } from '@xterm/addon-fit';
import { Terminal, type ITheme } from '@xterm/xterm';
import { useEffect, useRef } from 'preact/hooks';
import type { TerminalText } from '../../../../views/session/toolCall/terminalText.ts';
import { PacedWrites } from './pacedWrites.ts';

/** In pixels, as for all code of the view. */
const FONT_SIZE = 12;

interface ScreenProps {
  output: TerminalText;
  maxRows: number;
  /** The number of lines in use, including the scrollback. */
  onLines(lines: number): void;
}

export function TerminalScreen({ output, maxRows, onLines }: ScreenProps) {
  const clip = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const writes = useRef<PacedWrites>(undefined);
  const shape = useRef<() => void>(() => undefined);
  const rowLimit = useRef(maxRows);
  rowLimit.current = maxRows;

  useEffect(() => {
    if (!container.current) return undefined;
    const style = getComputedStyle(document.documentElement);
    const created = new Terminal({
      disableStdin: true,
      convertEol: true,
      rows: rowLimit.current,
      scrollback: 5000,
      cursorInactiveStyle: 'none',
      fontFamily: style.getPropertyValue('--vscode-editor-font-family').trim() || 'monospace',
      fontSize: FONT_SIZE,
      theme: themeOf(style),
    });
    const fit = new FitAddon();
    created.loadAddon(fit);
    created.open(container.current);
    // Keys only scroll. Otherwise xterm would take Tab, and the user could not leave the terminal.
    created.attachCustomKeyEventHandler((event) => {
      if (event.type === 'keydown') scrollByKey(created, event.key);
      return false;
    });
    const themes = new MutationObserver(() => (created.options.theme = themeOf(getComputedStyle(document.documentElement))));
    themes.observe(document.body, { attributes: true, attributeFilter: ['class'] });
    writes.current = new PacedWrites(created, () => shape.current());
    const observer = new ResizeObserver(() => shape.current());
    observer.observe(container.current);
    shape.current = () => {
      const cols = fit.proposeDimensions()?.cols ?? created.cols;
      const rows = rowLimit.current;
      if (cols >= 2 && (cols !== created.cols || rows !== created.rows)) created.resize(cols, rows);
      const { baseY, cursorY } = created.buffer.active;
      const used = baseY + cursorY + 1;
      onLines(used);
      // The terminal keeps its rows, for programs that move the cursor. Only the rows in use are visible.
      const rowHeight = (created.element?.querySelector<HTMLElement>('.xterm-screen')?.offsetHeight ?? 0) / created.rows;
      if (clip.current && rowHeight > 0) clip.current.style.height = `${Math.min(used, rows) * rowHeight}px`;
    };
    return () => {
      observer.disconnect();
      themes.disconnect();
      created.dispose();
      writes.current = undefined;
    };
  }, []);

  useEffect(() => writes.current?.show(withoutLastBreak(output)), [output, maxRows]);

  return (
    <div class="terminal-screen">
      <div ref={clip} class="terminal-clip">
        <div ref={container} />
      </div>
    </div>
  );
}

/** A line break at the end is written with the next output, so that no empty line is shown. */
function withoutLastBreak({ text, end }: TerminalText): TerminalText {
  const cut = text.endsWith('\r\n') ? 2 : text.endsWith('\n') ? 1 : 0;
  return { text: text.slice(0, text.length - cut), end: end - cut };
}

function scrollByKey(terminal: Terminal, key: string): void {
  if (key === 'ArrowUp' || key === 'ArrowDown') terminal.scrollLines(key === 'ArrowUp' ? -1 : 1);
  else if (key === 'PageUp' || key === 'PageDown') terminal.scrollPages(key === 'PageUp' ? -1 : 1);
}

const ansi = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'] as const;

/** The terminal colors of the theme. Undefined ones keep xterm's defaults. */
function themeOf(style: CSSStyleDeclaration): ITheme {
  const colour = (name: string) => style.getPropertyValue(`--vscode-${name}`).trim() || undefined;
  const theme: Record<string, string | undefined> = {
    background: colour('terminal-background') ?? colour('panel-background') ?? colour('editor-background'),
    foreground: colour('terminal-foreground') ?? colour('foreground'),
    selectionBackground: colour('terminal-selectionBackground'),
  };
  for (const name of ansi) {
    theme[name.toLowerCase()] = colour(`terminal-ansi${name}`);
    theme[`bright${name}`] = colour(`terminal-ansiBright${name}`);
  }
  theme.cursor = theme.background;
  return Object.fromEntries(Object.entries(theme).filter(([, value]) => value !== undefined));
}
