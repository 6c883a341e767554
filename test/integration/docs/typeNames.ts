/** The names that types have, as the TypeScript compiler sees them, for tests that compare them with a document. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './documented.ts';

export class TypeNames {
  readonly #checker: ts.TypeChecker;
  readonly #types = new Map<string, ts.Type>();

  constructor(files: readonly string[]) {
    const path = join(root, 'tsconfig.json');
    const { options: settings } = ts.parseJsonConfigFileContent(ts.readConfigFile(path, ts.sys.readFile).config, ts.sys, root);
    const program = ts.createProgram(
      files.map((file) => join(root, file)),
      { ...settings, noEmit: true, incremental: false, tsBuildInfoFile: undefined },
    );
    this.#checker = program.getTypeChecker();
    for (const file of files) {
      const source = program.getSourceFile(join(root, file));
      const module = source && this.#checker.getSymbolAtLocation(source);
      for (const symbol of module ? this.#checker.getExportsOfModule(module) : []) {
        const original = symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
        this.#types.set(symbol.name, this.#checker.getDeclaredTypeOfSymbol(original));
      }
    }
  }

  /** Members of all of these, sorted. */
  members(...types: string[]): string[] {
    return this.#namesOf(types.map((name) => this.#type(name)));
  }
  /** Members of what the path leads to. */
  within(type: string, ...path: string[]): string[] {
    return this.#namesOf(this.#follow(this.#type(type), path));
  }
  /** The strings that the path leads to. */
  literals(type: string, ...path: string[]): string[] {
    const found = this.#follow(this.#type(type), path).flatMap((one) => (one.isStringLiteral() ? one.value : []));
    return [...new Set(found)].sort();
  }

  #type(name: string): ts.Type {
    return this.#types.get(name) ?? assert.fail(`there is a type ${name}`);
  }
  #namesOf(types: readonly ts.Type[]): string[] {
    const names = types.flatMap((type) => this.#parts(type)).flatMap((type) => this.#checker.getPropertiesOfType(type));
    return [...new Set(names.map(({ name }) => name))].sort();
  }
  /** Of a union, its members; of a list or a record, what it holds; of a function, its first parameter. */
  #parts(type: ts.Type): ts.Type[] {
    const held = this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? this.#checker.getIndexTypeOfType(type, ts.IndexKind.String);
    if (type.isUnion()) return type.types.flatMap((one) => this.#parts(one));
    if (type.isStringLiteral()) return [type];
    const parameter = type.getCallSignatures()[0]?.parameters[0];
    if (parameter) return this.#parts(this.#checker.getTypeOfSymbol(parameter));
    return held ? this.#parts(held) : [type];
  }
  #follow(type: ts.Type, path: readonly string[]): ts.Type[] {
    return path.reduce(
      (types, name) =>
        types.flatMap((one) => {
          const member = this.#checker.getPropertyOfType(one, name);
          return member ? this.#parts(this.#checker.getTypeOfSymbol(member)) : [];
        }),
      this.#parts(type),
    );
  }
}
