// Finds the places in commands and queries where a small mistake can be made.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { looksLikeSql, sqlChanges } from "./sql.ts";

/** What stands from `start` to `end` is replaced. */
export type Change = { kind: string; start: number; end: number; by: string };

/** A function or a constant at the top of a module. */
export type Unit = {
  file: string;
  names: string[];
  /** Whether only a call reaches it: what a constant holds may have been made when its module was loaded. */
  is_function: boolean;
  /** The functions in it, by which a test that called it is known. */
  functions: string[];
  /** Every word in it, by which what uses it is known. */
  words: Set<string>;
  lines: number;
  changes: Change[];
};

const FILES = "server/src/features/**/{commands,queries,*.commands,*.queries}.ts";

export function findUnits(root: string): Unit[] {
  return globSync(FILES, { cwd: root })
    .toSorted()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
      return source.statements.flatMap((statement) => unitOf(file, source, statement) ?? []);
    });
}

function unitOf(file: string, source: ts.SourceFile, statement: ts.Statement): Unit | null {
  const names = namesOf(statement);
  const changes: Change[] = [];
  visit(statement, (node) => void changes.push(...changesOf(node)));
  if (names.length === 0) return null;
  const functions: string[] = [];
  visit(statement, (node) => {
    const named =
      ts.isFunctionDeclaration(node) ||
      ts.isMethodDeclaration(node) ||
      ts.isPropertyAssignment(node) ||
      ts.isVariableDeclaration(node);
    if (named && node.name !== undefined && ts.isIdentifier(node.name)) functions.push(node.name.text);
  });
  const line = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  return {
    file,
    names,
    is_function: !ts.isVariableStatement(statement),
    functions,
    words: new Set(statement.getText().match(/\b[A-Za-z_$][\w$]*\b/g)),
    lines: line(statement.end) - line(statement.getStart()) + 1,
    changes,
  };
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return statement.name ? [statement.name.text] : [];
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
}

function visit(node: ts.Node, seen: (node: ts.Node) => void): void {
  if (ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return;
  seen(node);
  ts.forEachChild(node, (child) => visit(child, seen));
}

const SIGNS: Record<string, string> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
};
const DROPPED_CALLS = ["filter", "slice", "reverse", "sort", "toSorted", "trim", "toLowerCase"];

/** The small mistakes that can be made at a node itself. */
function changesOf(node: ts.Node): Change[] {
  const replace = (kind: string, old: ts.Node, by: string): Change => ({ kind, start: old.getStart(), end: old.end, by });
  if (ts.isIfStatement(node)) {
    const { expression } = node;
    return [
      replace("never", expression, `false && (${expression.getText()})`),
      ...(node.elseStatement ? [] : [replace("always", expression, `true || (${expression.getText()})`)]),
    ];
  }
  if (ts.isConditionalExpression(node))
    return [node.whenTrue, node.whenFalse].map((side) => replace("one-case", node, `(${side.getText()})`));
  if (ts.isBinaryExpression(node)) return operatorChanges(node);
  if (ts.isExpressionStatement(node)) {
    const { expression } = node;
    const called = ts.isAwaitExpression(expression) ? expression.expression : expression;
    return ts.isCallExpression(called) ? [replace("no-call", node, ";")] : [];
  }
  if (ts.isObjectLiteralExpression(node)) {
    const members = node.properties.filter((member) => !ts.isSpreadAssignment(member));
    return node.properties.length < 2
      ? []
      : members.map((member) => {
          const comma = /^\s*,/.exec(node.getSourceFile().text.slice(member.end))?.[0] ?? "";
          return { kind: "no-member", start: member.getStart(), end: member.end + comma.length, by: "" };
        });
  }
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const { name, expression } = node.expression;
    if (DROPPED_CALLS.includes(name.text)) return [{ kind: `no-${name.text}`, start: expression.end, end: node.end, by: "" }];
    if (name.text === "some" || name.text === "every")
      return [replace("some-every", name, name.text === "some" ? "every" : "some")];
    return [];
  }
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [replace("boolean", node, "false")];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [replace("boolean", node, "true")];
  if (ts.isNumericLiteral(node)) return [replace("number", node, String(Number(node.text) + 1))];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return [replace("no-not", node, node.operand.getText())];
  return isSql(node) ? sqlChanges(node.getText()).map((change) => moved(change, node.getStart())) : [];
}

function operatorChanges(node: ts.BinaryExpression): Change[] {
  const { left, right, operatorToken: token } = node;
  const sign = token.getText();
  const whole = (kind: string, by: ts.Node) => ({ kind, start: node.getStart(), end: node.end, by: `(${by.getText()})` });
  if (sign === "&&" || sign === "||") return [whole("one-condition", left), whole("one-condition", right)];
  if (sign === "??") return [whole("no-default", left)];
  const other = SIGNS[sign];
  const is_text = sign === "+" && /["`]/.test(node.getText());
  return other === undefined || is_text ? [] : [{ kind: "operator", start: token.getStart(), end: token.end, by: other }];
}

/** A string or a piece of a template that is SQL, or a part of it. */
function isSql(node: ts.Node): boolean {
  if (ts.isStringLiteral(node)) return looksLikeSql(node.text) && / (=|is|<|>|from|and|by) /.test(node.text);
  if (ts.isNoSubstitutionTemplateLiteral(node)) return looksLikeSql(node.text);
  if (!ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node)) return false;
  const template = ts.isTemplateHead(node) ? node.parent : node.parent.parent;
  return looksLikeSql(template.getText());
}

const moved = (change: Change, by: number): Change => ({ ...change, start: change.start + by, end: change.end + by });
