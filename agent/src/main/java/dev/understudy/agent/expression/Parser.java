package dev.understudy.agent.expression;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Makes nodes of words, by the grammar that the package shows. Confined to one parsing. */
final class Parser {
    private static final int DEEPEST = 40;
    private static final int MOST_NODES = 300;
    private static final int LONGEST_PATTERN = 200;

    private final Lexer lexer;
    private final List<String> names = new ArrayList<>();
    private Token token;
    private final Set<String> asked = new LinkedHashSet<>();
    private int depth;
    private int nodes;

    /** From a place of the text on. */
    Parser(String text, int at) throws ExpressionProblem {
        this.lexer = new Lexer(text, at);
        this.token = lexer.next();
    }

    /** The expression that ends with the text, or before {@code }} if that is its end. */
    Expression expression(boolean inBraces) throws ExpressionProblem {
        Node node = either();
        if (inBraces ? !token.is("}") : token.kind != Token.Kind.END) {
            throw unexpected(inBraces ? "an operator or }" : "an operator or the end");
        }
        return new Expression(node, names, asked);
    }

    /** Where the next word begins. */
    int at() {
        return token.at;
    }

    private Node either() throws ExpressionProblem {
        if (++depth > DEEPEST) {
            throw new ExpressionProblem(token.at, "too deep (expected: at most " + DEEPEST + " levels)");
        }
        Node node = both();
        while (token.is("||")) {
            Node left = node;
            advance();
            Node right = both();
            node = in -> {
                Object truth = Operators.truth(left.value(in));
                return Boolean.FALSE.equals(truth) ? Operators.truth(right.value(in)) : truth;
            };
        }
        depth--;
        return node;
    }

    private Node both() throws ExpressionProblem {
        Node node = same();
        while (token.is("&&")) {
            Node left = node;
            advance();
            Node right = same();
            node = in -> {
                Object truth = Operators.truth(left.value(in));
                return Boolean.TRUE.equals(truth) ? Operators.truth(right.value(in)) : truth;
            };
        }
        return node;
    }

    private Node same() throws ExpressionProblem {
        Node left = order();
        boolean negated = token.is("!=");
        if (!negated && !token.is("==")) {
            return left;
        }
        advance();
        Node right = order();
        return negated
                ? in -> Operators.not(Operators.same(left.value(in), right.value(in)))
                : in -> Operators.same(left.value(in), right.value(in));
    }

    private Node order() throws ExpressionProblem {
        Node left = sum();
        IntPredicate holds = token.is("<")
                ? order -> order < 0
                : token.is("<=")
                        ? order -> order <= 0
                        : token.is(">") ? order -> order > 0 : token.is(">=") ? order -> order >= 0 : order -> false;
        if (!token.is("<") && !token.is("<=") && !token.is(">") && !token.is(">=")) {
            return left;
        }
        advance();
        Node right = sum();
        return in -> Operators.compare(left.value(in), right.value(in), holds);
    }

    private Node sum() throws ExpressionProblem {
        Node node = product();
        while (token.is("+") || token.is("-")) {
            Node left = node;
            boolean plus = token.is("+");
            advance();
            Node right = product();
            node = plus
                    ? in -> Operators.add(left.value(in), right.value(in))
                    : in -> Operators.calculate('-', left.value(in), right.value(in));
        }
        return node;
    }

    private Node product() throws ExpressionProblem {
        Node node = unary();
        while (token.is("*") || token.is("/") || token.is("%")) {
            Node left = node;
            char operator = token.text.charAt(0);
            advance();
            Node right = unary();
            node = in -> Operators.calculate(operator, left.value(in), right.value(in));
        }
        return node;
    }

    private Node unary() throws ExpressionProblem {
        int signs = 0;
        List<Boolean> negations = new ArrayList<>();
        while (token.is("!") || token.is("-")) {
            negations.add(token.is("!"));
            advance();
            if (++signs > DEEPEST) {
                throw new ExpressionProblem(token.at, "too many signs");
            }
        }
        Node node = part();
        for (int i = negations.size() - 1; i >= 0; i--) {
            Node of = node;
            node = negations.get(i)
                    ? in -> Operators.not(of.value(in))
                    : in -> Operators.calculate('-', 0L, of.value(in));
        }
        return node;
    }

    private Node part() throws ExpressionProblem {
        Node node = first();
        while (token.is(".") || token.is("[")) {
            Node of = node;
            if (token.is("[")) {
                advance();
                if (token.kind == Token.Kind.TEXT) {
                    asked.add(token.text);
                }
                Node key = either();
                take("]");
                node = in -> Members.element(of.value(in), key.value(in), in);
            } else {
                advance();
                Token name = token;
                if (name.kind != Token.Kind.NAME) {
                    throw unexpected("a name");
                }
                advance();
                node = token.is("(") ? called(of, name) : member(of, name.text);
            }
        }
        return node;
    }

    private Node member(Node of, String name) {
        asked.add(name);
        return in -> Members.member(of.value(in), name, in.fields);
    }

    private Node called(Node of, Token name) throws ExpressionProblem {
        if (!Members.CALLS.contains(name.text)) {
            throw new ExpressionProblem(
                    name.at,
                    name.text
                            + "() can't be called (expected: a field, size, length, class, name, message, or contains,"
                            + " startsWith, endsWith, matches with a text)");
        }
        advance();
        if (name.text.equals("matches")) {
            Pattern pattern = pattern();
            take(")");
            return in -> BoundedMatch.of(pattern, of.value(in), in);
        }
        Node with = either();
        take(")");
        return in -> Members.call(of.value(in), name.text, with.value(in));
    }

    /** It stands in the expression itself, so that it is known here whether it is one. */
    private Pattern pattern() throws ExpressionProblem {
        if (token.kind != Token.Kind.TEXT || token.text.length() > LONGEST_PATTERN) {
            throw unexpected("a pattern in quotes of at most " + LONGEST_PATTERN + " characters");
        }
        try {
            Pattern pattern = Pattern.compile(token.text);
            advance();
            return pattern;
        } catch (PatternSyntaxException | StackOverflowError problem) {
            String why = problem instanceof PatternSyntaxException
                    ? ((PatternSyntaxException) problem).getDescription()
                    : "too deep";
            throw new ExpressionProblem(token.at, "the pattern can't be read: " + why);
        }
    }

    private Node first() throws ExpressionProblem {
        Token word = token;
        if (word.is("(")) {
            advance();
            Node node = either();
            take(")");
            return node;
        }
        switch (word.kind) {
            case NUMBER:
                Object number = number(word);
                advance();
                return in -> number;
            case TEXT:
                advance();
                return in -> word.text;
            case NAME:
                advance();
                return named(word.text);
            default:
                throw unexpected("a value");
        }
    }

    private static Object number(Token word) throws ExpressionProblem {
        try {
            return word.text.indexOf('.') < 0
                    ? (Object) Long.parseLong(word.text)
                    : (Object) Double.parseDouble(word.text);
        } catch (NumberFormatException tooLarge) {
            throw new ExpressionProblem(word.at, word.text + " is too large");
        }
    }

    private Node named(String name) {
        switch (name) {
            case "true":
                return in -> true;
            case "false":
                return in -> false;
            case "null":
                return in -> null;
            default:
                asked.add(name);
                int known = names.indexOf(name);
                int number = known < 0 ? names.size() : known;
                if (known < 0) {
                    names.add(name);
                }
                return in -> in.variable(number);
        }
    }

    private void take(String symbol) throws ExpressionProblem {
        if (!token.is(symbol)) {
            throw unexpected(symbol);
        }
        advance();
    }

    private void advance() throws ExpressionProblem {
        if (++nodes > MOST_NODES) {
            throw new ExpressionProblem(token.at, "too long (expected: at most " + MOST_NODES + " words)");
        }
        token = lexer.next();
    }

    private ExpressionProblem unexpected(String expected) {
        return new ExpressionProblem(token.at, token + " (expected: " + expected + ")");
    }
}
