/** Registers the VS Code controls that the view uses, and declares their types for JSX. */
import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-button-group/index.js';
import '@vscode-elements/elements/dist/vscode-toolbar-button/index.js';
import type { HTMLAttributes } from 'preact';

interface ButtonAttributes extends HTMLAttributes<HTMLElement> {
  secondary?: boolean;
  disabled?: boolean;
  /** A codicon's name. */
  icon?: string;
  'icon-only'?: boolean;
}
interface ToolbarButtonAttributes extends HTMLAttributes<HTMLElement> {
  /** A codicon's name. */
  icon: string;
  /** The label for screen readers. */
  label: string;
}

declare module 'preact' {
  // Preact declares custom elements in this way.
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': ButtonAttributes;
      'vscode-button-group': HTMLAttributes<HTMLElement>;
      'vscode-toolbar-button': ToolbarButtonAttributes;
    }
  }
}
