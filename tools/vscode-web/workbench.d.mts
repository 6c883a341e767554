import type { Browser, Page } from 'playwright-core';
import type { VsCodeServer } from './server.mjs';

export function openWorkbench(
  server: VsCodeServer,
  browser: Browser,
  options?: { folder?: string; viewport?: { width: number; height: number }; settings?: Record<string, unknown> },
): Promise<Page>;
