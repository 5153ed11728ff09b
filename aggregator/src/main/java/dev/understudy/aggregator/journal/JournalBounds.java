package dev.understudy.aggregator.journal;

import java.time.Duration;

/**
 * How much a journal may hold.
 *
 * @param memory bytes of unused exchanges; an eighth of it more may be held for repeating, another for calls without a
 *     twin, and another for requests that the debug JVM is sent again
 * @param age how long an exchange stays usable
 * @param repeatLast whether the last reply of each repeatable form is remembered
 */
public record JournalBounds(long memory, Duration age, boolean repeatLast) {
    public JournalBounds {
        if (memory < 1) {
            throw new IllegalArgumentException("memory: " + memory + " (expected: > 0)");
        }
        if (age.isNegative() || age.isZero()) {
            throw new IllegalArgumentException("age: " + age + " (expected: > 0)");
        }
    }

    long largestExchange() {
        return Math.max(1, memory / 8);
    }

    long repeatMemory() {
        return memory / 8;
    }
}
