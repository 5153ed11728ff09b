package dev.understudy.agent.orders;

import dev.understudy.agent.value.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * {@code redact}: the names whose values aren't shown, {@code {"names": ["diagnosis", "home_address"]}}, besides those
 * that the agent was started with. It comes before the order {@code points}, so that no point tells anything before its
 * names are known; what had been told before it came stays told.
 */
public final class RedactOrder implements Order {
    private static final int MOST = 1000;
    private static final int LONGEST_SHOWN = 80;
    private static final Pattern NAME = Pattern.compile("\\p{L}[\\p{L}\\p{N}_ -]{0,63}");

    private final Secrets secrets;
    private volatile int names;

    /** Orders what {@code secrets} knows. */
    public RedactOrder(Secrets secrets) {
        this.secrets = secrets;
    }

    @Override
    public String kind() {
        return "redact";
    }

    /** A name that isn't understood is a problem, and the others aren't shown all the same. */
    @Override
    public List<String> bring(Map<String, Object> wanted) {
        List<String> problems = new ArrayList<>();
        List<String> read = new ArrayList<>();
        Object all = wanted.get("names");
        if (all != null && !(all instanceof List)) {
            problems.add("names aren't understood: " + shortened(all) + " (expected: a list)");
        }
        for (Object one : all instanceof List ? (List<?>) all : List.of()) {
            if (!(one instanceof String) || !NAME.matcher((String) one).matches()) {
                problems.add("a name isn't understood: " + shortened(one) + " (expected: the name of a field)");
            } else if (read.size() < MOST) {
                read.add((String) one);
            } else {
                problems.add(one + ": too many (expected: at most " + MOST + " names)");
            }
        }
        secrets.choose(read);
        names = read.size();
        return problems;
    }

    private static String shortened(Object value) {
        String text = String.valueOf(value);
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    }

    @Override
    public String standing() {
        int now = names;
        return now == 0 ? "none" : now == 1 ? "1 name" : now + " names";
    }
}
