package dev.understudy.sidecar.control.flame;

import dev.understudy.relay.control.Call;
import dev.understudy.sidecar.flame.Flame;
import java.util.concurrent.TimeUnit;

/**
 * Which stacks or allocations a caller wants to see; empty names exclude nothing.
 *
 * @param debug which debug JVM
 */
record FlameQuery(String listener, String debug, String route, Flame.Span span) {
    private static final int LONGEST_SECONDS = (int) TimeUnit.DAYS.toSeconds(30);

    /**
     * Reads it from a call's parameters: {@code last} in seconds, or {@code from} and {@code to} in milliseconds since
     * 1970; without these all since the beginning.
     *
     * @param now in milliseconds since 1970
     * @throws IllegalArgumentException if one of them is malformed or out of range; the message names it
     */
    static FlameQuery of(Call call, long now) {
        int last = call.number("last", 0, 0, LONGEST_SECONDS);
        long from = time(call, "from", last == 0 ? 0 : Math.max(0, now - TimeUnit.SECONDS.toMillis(last)));
        long to = time(call, "to", Long.MAX_VALUE);
        return new FlameQuery(
                call.parameter("listener", ""),
                call.parameter("debug", ""),
                call.parameter("route", ""),
                new Flame.Span(from, to));
    }

    private static long time(Call call, String name, long otherwise) {
        String raw = call.parameter(name, "");
        try {
            long time = raw.isEmpty() ? otherwise : Long.parseLong(raw);
            if (time >= 0) {
                return time;
            }
        } catch (NumberFormatException wrong) {
            // answered below, like a negative one
        }
        throw new IllegalArgumentException(name + ": " + raw + " (expected: milliseconds since 1970)");
    }

    boolean fits(String listener, String debug, String route) {
        return (this.listener.isEmpty() || this.listener.equals(listener))
                && (this.debug.isEmpty() || this.debug.equals(debug))
                && (this.route.isEmpty() || this.route.equals(route));
    }
}
