package dev.understudy.example.demo.report;

/** One invariant: its name, whether it held, and the figures that show it. */
public record Check(String name, boolean held, String figures) {
    static Check equal(String name, long expected, long actual, String what) {
        return new Check(
                name,
                expected == actual,
                actual + " " + what + (expected == actual ? "" : " (expected: " + expected + ")"));
    }
}
