package dev.understudy.aggregator;

import dev.understudy.aggregator.live.LiveLimits;
import dev.understudy.relay.connect.Address;
import dev.understudy.relay.connect.ProductionConfig;
import java.net.SocketAddress;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A running server that the debug JVM may ask.
 *
 * @param upstream the name of the upstream for which it answers
 * @param at its addresses
 * @param limits what it may be asked
 * @param barred tells addresses at which nothing may be said, whatever name led there
 */
record LiveTarget(String upstream, Role role, ProductionConfig at, LiveLimits limits, Predicate<SocketAddress> barred) {
    /** The real server of an upstream, which is asked for reads alone. */
    static LiveTarget real(String upstream, ProductionConfig at) {
        return new LiveTarget(upstream, Role.REAL, at, LiveLimits.DEFAULT, address -> false);
    }

    /** A stand-in, in plain text. */
    static LiveTarget standin(String upstream, Address at, Predicate<SocketAddress> barred) {
        return new LiveTarget(upstream, Role.STANDIN, ProductionConfig.of(at), LiveLimits.STANDIN, barred);
    }

    /** The same with other limits. */
    LiveTarget within(LiveLimits others) {
        return new LiveTarget(upstream, role, at, others, barred);
    }

    /** Its addresses in words. */
    String address() {
        return at.addresses().stream().map(Address::spelled).collect(Collectors.joining(", "));
    }

    /** Which server it is, in the words of messages. */
    enum Role {
        REAL(
                "live",
                "live reads",
                "reads of the debug JVM reach the real server",
                "not let through, and no other that isn't known to only read"),
        STANDIN(
                "standin",
                "calls to the stand-in",
                "what nothing recorded fits reaches the stand-in",
                "not sent, and no other with a longer body than is kept");

        private final String word;
        private final String calls;
        private final String notice;
        private final String refusal;

        Role(String word, String calls, String notice, String refusal) {
            this.word = word;
            this.calls = calls;
            this.notice = notice;
            this.refusal = refusal;
        }

        /** As it stands in the settings. */
        String word() {
            return word;
        }

        /** What it is asked, as a plural. */
        String calls() {
            return calls;
        }

        /** What its address follows, as it is said at the start. */
        String notice() {
            return notice;
        }

        /** What a request's form follows that it isn't sent. */
        String refusal() {
            return refusal;
        }
    }
}
