/**
 * Converts an expression within a function to one that can be appended to its file: local variables are replaced by their
 * initial values, and values that depend on a call by a stand-in.
 */
import { type Node, type SourceFile, SyntaxKind } from "typescript/unstable/ast";
import {
  isArrayBindingPattern,
  isAwaitExpression,
  isBindingElement,
  isForOfStatement,
  isFunctionLikeDeclaration,
  isIdentifier,
  isParameterDeclaration,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isTypeNode,
  isVariableDeclaration,
} from "typescript/unstable/ast/is";
import type { Symbol as Named, Project, Type } from "typescript/unstable/sync";

/**
 * The text of the expression. Values of statements are null, `STAND_IN` is a value that depends on a call, and
 * `PICK("a", "b")` is one of the literals of a type.
 */
export function closedText(project: Project, file: SourceFile, root: Node): string {
  const { checker } = project;
  const start = root.getStart(file);
  let text = "";
  let done = start;
  const put = (node: Node, instead: string): void => {
    text += file.text.slice(done, node.getStart(file)) + instead;
    done = node.end;
  };

  const walk = (node: Node): void => {
    if (isTypeNode(node)) return;
    if (isAwaitExpression(node) || node.kind === SyntaxKind.ThisKeyword) {
      put(node, "STAND_IN");
    } else if (isTaggedTemplateExpression(node)) {
      if (isTemplateExpression(node.template)) {
        for (const { expression } of node.template.templateSpans) hold(expression);
      }
    } else if (isPropertyAccessExpression(node)) {
      const picked = isLocal(rootOf(node)) ? pick(checker.getTypeAtLocation(node)) : undefined;
      if (picked === undefined) walk(node.expression);
      else put(node, picked);
    } else if (isPropertyAssignment(node)) {
      walk(node.initializer);
    } else if (isShorthandPropertyAssignment(node)) {
      const instead = replaced(checker.getShorthandAssignmentValueSymbol(node), node.name);
      if (instead !== undefined) put(node, `${node.name.getText(file)}: ${instead}`);
    } else if (isIdentifier(node)) {
      const instead = replaced(checker.getSymbolAtLocation(node), node);
      if (instead !== undefined) put(node, instead);
    } else {
      node.forEachChild(walk);
    }
  };

  /** Replaces an expression within a statement: a value never becomes text, a fragment does. */
  const hold = (held: Node): void => {
    if (isFragment(checker.getTypeAtLocation(held))) walk(held);
    else put(held, "null");
  };

  const isLocal = (node: Node): boolean =>
    isIdentifier(node) && localDeclaration(checker.getSymbolAtLocation(node)) !== undefined;

  /** The declaration of a local variable that is declared outside the expression `root`; undefined for any other symbol. */
  const localDeclaration = (symbol: Named | undefined): Node | undefined => {
    const declared = symbol?.valueDeclaration?.resolve(project);
    if (declared === undefined || declared.getSourceFile().fileName !== file.fileName)
      return undefined;
    if (declared.pos >= root.pos && declared.end <= root.end) return undefined;
    for (let at = declared.parent; at !== undefined; at = at.parent) {
      if (isFunctionLikeDeclaration(at) || isForOfStatement(at)) return declared;
    }
    return undefined;
  };

  const replaced = (symbol: Named | undefined, node: Node): string | undefined => {
    const declared = localDeclaration(symbol);
    if (declared === undefined) return undefined;
    const type = checker.getTypeAtLocation(node);
    return pick(type) ?? initial(declared) ?? (isFragment(type) ? "SQL`true`" : "STAND_IN");
  };

  /** The initial value of a variable; the default of a parameter. */
  const initial = (declared: Node): string | undefined => {
    if (isVariableDeclaration(declared) || isParameterDeclaration(declared)) {
      return declared.initializer && `(${closedText(project, file, declared.initializer)})`;
    }
    if (!isBindingElement(declared)) return undefined;
    const pattern = declared.parent;
    const whole = initial(pattern.parent);
    if (whole === undefined) return undefined;
    if (isArrayBindingPattern(pattern)) return `${whole}[${pattern.elements.indexOf(declared)}]`;
    return `${whole}.${(declared.propertyName ?? declared.name)?.getText(file)}`;
  };

  /** One of the literals of a type; undefined without literals. */
  const pick = (type: Type | undefined): string | undefined => {
    const literals = type === undefined ? [] : literalsOf(type);
    return literals.length === 0 ? undefined : `PICK(${literals.join(", ")})`;
  };

  const literalsOf = (type: Type): string[] => {
    if (type.isUnionType()) return type.getTypes().flatMap(literalsOf);
    if (type.isIndexType() || type.isTypeParameter()) {
      const constraint = checker.getBaseConstraintOfType(type);
      return constraint === undefined || constraint.id === type.id ? [] : literalsOf(constraint);
    }
    return type.isLiteralType() && !type.isBigIntLiteralType() ? [JSON.stringify(type.value)] : [];
  };

  walk(root);
  return text + file.text.slice(done, root.end);
}

/** Whether a type is that of statements and their parts. */
export function isFragment(type: Type | undefined): boolean {
  if (type?.isUnionType()) return type.getTypes().some(isFragment);
  return type?.getSymbol()?.name === "Sql";
}

function rootOf(node: Node): Node {
  return isPropertyAccessExpression(node) ? rootOf(node.expression) : node;
}
