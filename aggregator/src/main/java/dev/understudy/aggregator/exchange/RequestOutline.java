package dev.understudy.aggregator.exchange;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The parts of one request by name, to say by which of them two requests differ. Has checksums of values and never a
 * value. Bounded; immutable.
 */
public final class RequestOutline {
    /** Parts beyond which the rest is one part. */
    public static final int MOST = 40;

    private static final int LONGEST_NAME = 80;
    private static final String REST = "…";

    private final Map<String, Integer> sums;

    private RequestOutline(Map<String, Integer> sums) {
        this.sums = sums;
    }

    /** Collects the parts of a request. Confined to it. */
    public static final class Builder {
        private final Map<String, Integer> sums = new LinkedHashMap<>();

        /** Adds a part; several of one name, in their order, are one. */
        public Builder add(String name, Object value) {
            String line = Form.line(name);
            String shown = line.length() <= LONGEST_NAME ? line : line.substring(0, LONGEST_NAME) + REST;
            boolean fits = sums.size() < MOST || sums.containsKey(shown);
            sums.merge(fits ? shown : REST, value.hashCode(), (first, next) -> 31 * first + next);
            return this;
        }

        /** Whether further parts have no names. */
        public boolean isFull() {
            return sums.size() >= MOST;
        }

        /** The outline of all these parts, then those of the other. */
        public RequestOutline build(Builder then) {
            Map<String, Integer> all = new LinkedHashMap<>(sums);
            then.sums.forEach((name, sum) -> all.merge(name, sum, (first, next) -> 31 * first + next));
            return new RequestOutline(all);
        }
    }

    /** The same with other names. */
    RequestOutline named(UnaryOperator<String> naming) {
        Map<String, Integer> renamed = new LinkedHashMap<>();
        sums.forEach((name, sum) -> renamed.merge(naming.apply(name), sum, (first, next) -> 31 * first + next));
        return new RequestOutline(renamed);
    }

    /** What differs in a recorded request, by name; what only one of them has says so. */
    public List<String> differences(RequestOutline recorded) {
        List<String> differences = new ArrayList<>();
        sums.forEach((name, sum) -> {
            Integer other = recorded.sums.get(name);
            if (other == null) {
                differences.add(name + " (not recorded)");
            } else if (!Objects.equals(sum, other)) {
                differences.add(name);
            }
        });
        for (String name : recorded.sums.keySet()) {
            if (!sums.containsKey(name)) {
                differences.add(name + " (not asked)");
            }
        }
        return differences;
    }
}
