package dev.understudy.standin.learn;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a recording doesn't say, and its operator knows.
 *
 * @param service the service's name
 * @param workers how many requests it works on at the same time, 0 for no limit; null to find out
 * @param processorSeconds processor time that it used during the recording; 0 if not known
 * @param allocatedBytes what it allocated meanwhile; 0 if not known
 * @param skip what is left out at the beginning, such as a warm-up; zero for nothing
 */
public record LearnOptions(
        String service, @Nullable Integer workers, double processorSeconds, long allocatedBytes, Duration skip) {
    public LearnOptions {
        if (skip.isNegative()) {
            throw new IllegalArgumentException("skip: " + skip + " (expected: >= 0)");
        }
    }
}
