package dev.understudy.testing.client;

import java.util.List;

/**
 * An upstream call of debug that no recorded reply fitted.
 *
 * @param upstream its name
 * @param form the call in its canonical form
 * @param why one sentence
 * @param nearest up to three recorded calls that are like it
 */
public record MissedCall(String upstream, String form, String why, List<String> nearest) {
    public MissedCall {
        nearest = List.copyOf(nearest);
    }
}
