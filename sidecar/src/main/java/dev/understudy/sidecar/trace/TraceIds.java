package dev.understudy.sidecar.trace;

import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceId;
import java.util.random.RandomGenerator;

/**
 * The ids of one exchange's trace.
 *
 * @param trace 32 hex digits
 * @param exchange the root span, 16 hex digits
 * @param production its first child
 * @param debug its second child, parent of whatever the debug JVM tells
 */
public record TraceIds(String trace, String exchange, String production, String debug) {
    /** New ids; never the invalid all-zero ones. */
    public static TraceIds draw(RandomGenerator random) {
        return new TraceIds(
                TraceId.fromLongs(random.nextLong(), nonZero(random)), span(random), span(random), span(random));
    }

    /** The W3C {@code traceparent} value that makes the debug JVM's spans children of the debug span. */
    public String traceparent() {
        return "00-" + trace + "-" + debug + "-01";
    }

    private static String span(RandomGenerator random) {
        return SpanId.fromLong(nonZero(random));
    }

    private static long nonZero(RandomGenerator random) {
        long drawn = random.nextLong();
        return drawn == 0 ? 1 : drawn;
    }
}
