/** Finds the parts of code by the grammars of highlight.js, of which only its own tree is used, never its HTML. For the worker. */
import hljs from 'highlight.js/lib/core';
import type { Emitter, LanguageFn } from 'highlight.js';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import dart from 'highlight.js/lib/languages/dart';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import graphql from 'highlight.js/lib/languages/graphql';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import less from 'highlight.js/lib/languages/less';
import lua from 'highlight.js/lib/languages/lua';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import perl from 'highlight.js/lib/languages/perl';
import php from 'highlight.js/lib/languages/php';
import powershell from 'highlight.js/lib/languages/powershell';
import python from 'highlight.js/lib/languages/python';
import r from 'highlight.js/lib/languages/r';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import scss from 'highlight.js/lib/languages/scss';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { type CodeKind, codeKinds, type CodeRuns, type ColourRequest } from './codeParts.ts';

const languages: Readonly<Record<string, LanguageFn>> = {
  bash, c, cpp, csharp, css, dart, diff, dockerfile, go, graphql, ini, java, javascript, json, kotlin, less, lua, makefile, markdown, perl, php,
  powershell, python, r, ruby, rust, scss, shell, sql, swift, typescript, xml, yaml,
}; // prettier-ignore
for (const [name, grammar] of Object.entries(languages)) hljs.registerLanguage(name, grammar);

/** By the scope, or by the part of it before its first dot. What is not here is plain. */
const kinds: Readonly<Record<string, CodeKind>> = {
  comment: 'comment', quote: 'comment', doctag: 'comment',
  keyword: 'keyword', literal: 'keyword', tag: 'keyword', name: 'keyword', 'selector-tag': 'keyword', section: 'keyword',
  string: 'string', regexp: 'string', link: 'string', symbol: 'string', code: 'string', 'char.escape': 'number',
  number: 'number', bullet: 'number',
  title: 'function', 'title.class': 'type', type: 'type', built_in: 'type', 'selector-class': 'type', 'selector-id': 'type', 'selector-pseudo': 'type',
  attr: 'variable', attribute: 'variable', variable: 'variable', 'template-variable': 'variable', property: 'variable', 'selector-attr': 'variable',
  meta: 'meta', addition: 'added', deletion: 'removed',
}; // prettier-ignore

function numberOf(scope: string): number {
  const name = Object.hasOwn(kinds, scope) ? scope : (scope.split('.', 1)[0] ?? '');
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return kind === undefined ? 0 : codeKinds.indexOf(kind) + 1;
}

/** Takes what highlight.js finds. A scope that is plain has the kind of the one around it. */
class RunEmitter implements Emitter {
  readonly runs: number[] = [];
  readonly #open: number[] = [0];

  addText(text: string): void {
    this.#add(text.length, this.#open.at(-1) ?? 0);
  }
  startScope(scope: string): void {
    this.openNode(scope);
  }
  endScope(): void {
    this.closeNode();
  }
  openNode(scope: string): void {
    this.#open.push(numberOf(scope) || (this.#open.at(-1) ?? 0));
  }
  closeNode(): void {
    if (this.#open.length > 1) this.#open.pop();
  }
  __addSublanguage({ runs }: RunEmitter): void {
    for (let index = 0; index + 1 < runs.length; index += 2) this.#add(runs[index] ?? 0, runs[index + 1] ?? 0);
  }
  finalize(): void {
    this.#open.length = 1;
  }
  toHTML(): string {
    return '';
  }

  #add(length: number, kind: number): void {
    const { runs } = this;
    if (length === 0) return;
    if (runs.length > 0 && runs.at(-1) === kind) runs[runs.length - 2] = (runs.at(-2) ?? 0) + length;
    else runs.push(length, kind);
  }
}
hljs.configure({ __emitter: RunEmitter as never });

/** Undefined for a language that is not known here. */
export function runsOf({ code, language }: ColourRequest): CodeRuns | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  return (hljs.highlight(code, { language, ignoreIllegals: true })._emitter as unknown as RunEmitter).runs;
}
