package dev.understudy.divergence.content;

import java.time.Duration;
import java.time.Instant;

/** A span of time, both ends included. */
public record TextSpan(Instant from, Instant to) {
    public TextSpan widened(Duration tolerance) {
        return new TextSpan(from.minus(tolerance), to.plus(tolerance));
    }

    public boolean contains(Instant instant) {
        return !instant.isBefore(from) && !instant.isAfter(to);
    }
}
