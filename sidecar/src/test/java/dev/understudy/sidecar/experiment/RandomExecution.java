package dev.understudy.sidecar.experiment;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Executions of a few methods and values, so that two of them have much in common. One call makes all others. */
final class RandomExecution {
    private static final List<String> VALUES = List.of(
            "null", "true", "false", "-1", "0", "7", "12", "\"\"", "\"a\"", "[]", "[1]", "A{x=1}", "A{x=2}", "B{}");
    private static final int METHODS = 6;

    private RandomExecution() {}

    static ExecutionScript script(Random random, int mostEvents) {
        return addTo(new ExecutionScript(), random, mostEvents);
    }

    static ExecutionScript addTo(ExecutionScript script, Random random, int mostEvents) {
        for (int threads = 1 + random.nextInt(2); threads > 0; threads--) {
            script.thread(lines(random, mostEvents));
        }
        return script;
    }

    private static String[] lines(Random random, int most) {
        List<String> lines = new ArrayList<>();
        lines.add("e|Root#run|Root");
        Deque<String> open = new ArrayDeque<>();
        for (int n = random.nextInt(most); n > 0; n--) {
            if (open.isEmpty() || random.nextInt(5) < 2) {
                String method = "M#" + (char) ('a' + random.nextInt(METHODS));
                open.push(method);
                lines.add("e|" + method + "|M|" + value(random));
            } else if (random.nextInt(10) == 0) {
                open.pop();
            } else {
                lines.add(end(random, open.pop()));
            }
        }
        while (!open.isEmpty()) {
            lines.add(end(random, open.pop()));
        }
        lines.add("r|Root#run");
        return lines.toArray(new String[0]);
    }

    private static String end(Random random, String method) {
        int how = random.nextInt(8);
        if (how == 0) {
            return "t|" + method + "|" + (random.nextBoolean() ? "E" : "F") + ": " + value(random);
        }
        return "r|" + method + (how == 1 ? "" : "|" + value(random));
    }

    private static String value(Random random) {
        return VALUES.get(random.nextInt(VALUES.size()));
    }
}
