package dev.understudy.it.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query in Prometheus' language, read beside the series that it is about: what it names and isn't there is a problem.
 * It takes the part of the language that our files use, and calls the rest a problem.
 */
final class Query {
    private static final Pattern TOKEN = Pattern.compile("\\s*(\"(?:[^\"\\\\]|\\\\.)*\"|\\[[^]]*]|\\d[\\w.]*"
            + "|[A-Za-z_:][\\w:]*|=~|!~|!=|==|>=|<=|[-+*/(){},=<>])");
    private static final Pattern NAME = Pattern.compile("[A-Za-z_:][\\w:]*");
    private static final Pattern VARIABLE = Pattern.compile("\\$(\\w+)");
    private static final Set<String> AGGREGATIONS = Set.of("sum", "min", "max", "avg", "count");
    private static final Set<String> OF_RANGES = Set.of("rate", "increase");
    private static final Set<String> OPERATORS =
            Set.of("+", "-", "*", "/", "==", "!=", ">", "<", ">=", "<=", "and", "or", "unless");
    private static final Set<String> MATCHERS = Set.of("=", "=~", "!=", "!~");

    /** What these are is the installation's affair: only a variable can stand for it. */
    private static final Set<String> CHOSEN =
            Set.of("listener", "upstream", "address", "agent", "method", "instance", "debug");

    private final Scrape scrape;
    private final Set<String> variables;
    private final List<String> tokens = new ArrayList<>();
    private final Set<String> metrics = new TreeSet<>();
    private final List<String> problems = new ArrayList<>();
    private final Set<String> labels;
    private int next;

    private Query(String text, Scrape scrape, Set<String> variables) {
        this.scrape = scrape;
        this.variables = variables;
        Matcher token = TOKEN.matcher(text.strip());
        while (token.lookingAt()) {
            tokens.add(token.group(1));
            token.region(token.end(), token.regionEnd());
        }
        if (token.regionStart() < token.regionEnd()) {
            problems.add("can't be read from here: " + text.strip().substring(token.regionStart()));
        }
        labels = expression(false);
        if (next < tokens.size()) {
            problems.add("unexpected: " + tokens.get(next));
        }
    }

    /** @param variables that are filled in before, without their {@code $} */
    static Query read(String text, Scrape scrape, Set<String> variables) {
        return new Query(text, scrape, variables);
    }

    List<String> problems() {
        return List.copyOf(problems);
    }

    Set<String> metrics() {
        return Set.copyOf(metrics);
    }

    /** Those that its result has. */
    Set<String> labels() {
        return Set.copyOf(labels);
    }

    private String peek() {
        return next < tokens.size() ? tokens.get(next) : "";
    }

    private String take() {
        String token = peek();
        next++;
        return token;
    }

    private boolean takes(String token) {
        boolean is = peek().equals(token);
        next += is ? 1 : 0;
        return is;
    }

    private void expect(String token) {
        if (!takes(token)) {
            problems.add("'" + peek() + "' (expected: '" + token + "')");
            next++;
        }
    }

    /** Operands without brackets' order, which labels don't depend on; returns the result's labels. */
    private Set<String> expression(boolean isRange) {
        Set<String> left = operand(isRange);
        while (OPERATORS.contains(peek())) {
            String operator = take();
            Set<String> right = operand(isRange);
            if (left.isEmpty()) {
                left = right;
            } else if (!right.isEmpty() && !left.equals(right) && !operator.equals("or")) {
                problems.add("'" + operator + "' finds no pair: " + left + " and " + right);
            }
        }
        return left;
    }

    private Set<String> operand(boolean isRange) {
        String token = take();
        if (token.equals("(")) {
            Set<String> inner = expression(isRange);
            expect(")");
            return inner;
        }
        if (token.matches("\\d.*")) {
            return Set.of();
        }
        if (!NAME.matcher(token).matches()) {
            problems.add("'" + token + "' (expected: a metric, a function or a number)");
            return Set.of();
        }
        if (AGGREGATIONS.contains(token)) {
            return aggregation();
        }
        if (OF_RANGES.contains(token)) {
            expect("(");
            Set<String> inner = expression(true);
            expect(")");
            return inner;
        }
        return token.equals("histogram_quantile") ? quantile() : selector(token, isRange);
    }

    private Set<String> aggregation() {
        List<String> by = takes("by") ? list() : List.of();
        expect("(");
        Set<String> inner = expression(false);
        expect(")");
        for (String label : by) {
            if (!inner.contains(label)) {
                problems.add("by (" + label + "): no such label (expected: of " + inner + ")");
            }
        }
        return new TreeSet<>(by);
    }

    private Set<String> quantile() {
        expect("(");
        operand(false);
        expect(",");
        Set<String> inner = new TreeSet<>(expression(false));
        expect(")");
        if (!inner.remove("le")) {
            problems.add("histogram_quantile of series without le: " + inner);
        }
        return inner;
    }

    private List<String> list() {
        List<String> labels = new ArrayList<>();
        expect("(");
        do {
            labels.add(take());
        } while (takes(","));
        expect(")");
        return labels;
    }

    private Set<String> selector(String metric, boolean isRange) {
        metrics.add(metric);
        Map<String, Set<String>> known = scrape.metric(metric);
        if (known == null) {
            problems.add(metric + ": no such metric");
            known = Map.of();
        }
        if (takes("{")) {
            do {
                matcher(metric, known);
            } while (takes(","));
            expect("}");
        }
        boolean hasRange = peek().startsWith("[");
        if (hasRange) {
            used(take());
        }
        if (hasRange != isRange) {
            problems.add(metric + (isRange ? ": has no range" : ": has a range"));
        }
        if (isRange && !scrape.isCounter(metric)) {
            problems.add(metric + ": a rate of what isn't a counter");
        }
        return known.keySet();
    }

    private void matcher(String metric, Map<String, Set<String>> known) {
        String label = take();
        String matcher = take();
        String quoted = take();
        if (!MATCHERS.contains(matcher) || !quoted.startsWith("\"")) {
            problems.add(label + matcher + quoted + " (expected: LABEL=\"VALUE\")");
            return;
        }
        String value = quoted.substring(1, quoted.length() - 1);
        Set<String> values = known.get(label);
        if (values == null) {
            problems.add(metric + " has no label " + label + " (expected: of " + known.keySet() + ")");
        } else if (CHOSEN.contains(label)) {
            if (!VARIABLE.matcher(value).matches()) {
                problems.add(label + "=" + value + ": isn't known before (expected: a variable)");
            }
            used(value);
        } else {
            for (String one : matcher.endsWith("~") ? value.split("\\|", -1) : new String[] {value}) {
                Pattern wanted = Pattern.compile(matcher.endsWith("~") ? one : Pattern.quote(one));
                if (values.stream().noneMatch(wanted.asMatchPredicate())) {
                    problems.add(metric + ": no series has " + label + "=" + one + " (expected: of " + values + ")");
                }
            }
        }
    }

    private void used(String text) {
        Matcher variable = VARIABLE.matcher(text);
        while (variable.find()) {
            if (!variables.contains(variable.group(1))) {
                problems.add("$" + variable.group(1) + ": no such variable");
            }
        }
    }
}
