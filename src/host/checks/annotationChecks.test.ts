import assert from 'node:assert/strict';
import type { Annotation, AnnotationEntry, AnnotationsAction } from '../../ahp/channels/annotations.ts';
import { english } from '../../base/text/phrase.ts';
import { annotationsProblem } from './annotationChecks.ts';

const session = 'demo:/1';
const entry = (id: string, text: AnnotationEntry['text'] = 'Why?'): AnnotationEntry => ({ id, text });
const annotation = (id: string, fields: Partial<Annotation> = {}): Annotation => ({
  ...{ id, origin: { session }, resource: 'file:///w/a.ts', resolved: false, entries: [entry('e')] },
  ...fields,
});
const range = (startLine: number, endLine: number) => ({ start: { line: startLine, character: 0 }, end: { line: endLine, character: 0 } });

describe('annotationsProblem', () => {
  const problem = (action: AnnotationsAction, annotations: Annotation[] = [annotation('a')]) => {
    const words = annotationsProblem(action, { annotations }, session);
    return words === undefined ? undefined : english(words);
  };
  const set = (fields: Partial<Annotation>, annotations?: Annotation[]) =>
    problem({ type: 'annotations/set', annotation: annotation('b', fields) }, annotations);

  it('accepts what belongs to the session', () => {
    assert.equal(set({ range: range(1, 2), resource: 'file:///elsewhere', entries: [] }), undefined);
    assert.equal(problem({ type: 'annotations/updated', annotationId: 'a', resolved: true }), undefined);
    assert.equal(problem({ type: 'annotations/entrySet', annotationId: 'a', entry: entry('f', { markdown: 'x' }) }), undefined);
    assert.equal(problem({ type: 'annotations/entryRemoved', annotationId: 'a', entryId: 'none' }), undefined);
    assert.equal(problem({ type: 'annotations/removed', annotationId: 'a' }), undefined);
  });

  it('refuses another session, other resources, and ranges that are none', () => {
    assert.match(set({ origin: { session: 'demo:/2' } }) ?? '', /origin\.session/);
    for (const resource of ['https://example.org/a', 'file:relative', 'file://host/share', `file:///${'x'.repeat(4_096)}`])
      assert.match(set({ resource }) ?? '', /resource must be a file: URI/);
    for (const bad of [range(2, 1), range(-1, 1), range(0.5, 1), range(1, Infinity)]) assert.match(set({ range: bad }) ?? '', /range/);
    assert.match(problem({ type: 'annotations/updated', annotationId: 'a', range: range(2, 1) }) ?? '', /range/);
    assert.match(problem({ type: 'annotations/updated', annotationId: 'a', origin: { session: 'x:/1' } }) ?? '', /origin/);
  });

  it('refuses changes of what is not there', () => {
    assert.equal(problem({ type: 'annotations/removed', annotationId: 'z' }), 'there is no annotation z');
    assert.match(problem({ type: 'annotations/entrySet', annotationId: 'z', entry: entry('e') }) ?? '', /no annotation/);
  });

  it('bounds texts, ids, extensions and numbers', () => {
    assert.equal(set({ entries: [entry('e', 'x'.repeat(64 * 1024))] }), undefined);
    assert.match(set({ entries: [entry('e', { markdown: 'x'.repeat(64 * 1024 + 1) })] }) ?? '', /a text/);
    assert.match(set({ id: 'x'.repeat(201) }) ?? '', /an id/);
    assert.match(set({ _meta: { a: 'x'.repeat(4 * 1024) } }) ?? '', /_meta/);
    assert.match(set({ entries: [entry('e'), entry('e')] }) ?? '', /same id/);
    const many = Array.from({ length: 200 }, (_, index) => entry(`${index}`));
    assert.equal(set({ entries: many }), undefined);
    assert.match(set({ entries: [...many, entry('e')] }) ?? '', /200 entries/);
    const full = [annotation('a', { entries: many })];
    assert.match(problem({ type: 'annotations/entrySet', annotationId: 'a', entry: entry('e') }, full) ?? '', /200 entries/);
    assert.equal(problem({ type: 'annotations/entrySet', annotationId: 'a', entry: entry('7', 'new') }, full), undefined);
    const all = Array.from({ length: 1_000 }, (_, index) => annotation(`${index}`));
    assert.match(set({}, all) ?? '', /1,000 annotations/);
    assert.equal(problem({ type: 'annotations/set', annotation: annotation('7') }, all), undefined);
  });

  it('bounds all texts together', () => {
    const large = Array.from({ length: 63 }, (_, index) => annotation(`${index}`, { entries: [entry('e', 'x'.repeat(64 * 1024))] }));
    assert.equal(set({ entries: [entry('e', 'short')] }, large), undefined);
    assert.match(set({ entries: [entry('e', 'x'.repeat(64 * 1024))] }, large) ?? '', /together/);
    const more: AnnotationsAction = { type: 'annotations/entrySet', annotationId: '1', entry: entry('f', 'x'.repeat(64 * 1024)) };
    assert.match(problem(more, large) ?? '', /together/);
  });
});
