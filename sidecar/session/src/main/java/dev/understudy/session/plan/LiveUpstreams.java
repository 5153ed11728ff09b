package dev.understudy.session.plan;

import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/** The upstreams that the copy's reads reach. */
public final class LiveUpstreams {
    private static final Set<String> KNOWN_READS = Set.of("http", "redis");

    private LiveUpstreams() {}

    /**
     * Makes sure that each can be one.
     *
     * @throws TargetException if its protocol doesn't show what a read is, or can't be seen
     */
    static void check(Collection<UpstreamAddress> upstreams) throws TargetException {
        for (UpstreamAddress upstream : upstreams) {
            String option = "--upstream: " + address(upstream) + "=live";
            if (upstream.isLive() && upstream.tls() == TlsUse.YES) {
                throw new TargetException(
                        option + " (expected: a server without TLS, as only the service can open its connections)");
            }
            if (upstream.isLive() && !KNOWN_READS.contains(upstream.protocol())) {
                throw new TargetException(option + " with the protocol " + upstream.protocol()
                        + " (expected: http or redis, by which reads are known; a SQL statement that reads can call"
                        + " what writes). --protocol PORT=NAME chooses another one");
            }
        }
    }

    /** A warning for each. */
    public static List<String> warnings(Collection<UpstreamAddress> upstreams) {
        return upstreams.stream()
                .filter(UpstreamAddress::isLive)
                .map(upstream -> address(upstream) + " is live: reads of the copy that nothing recorded answers reach"
                        + " the real server, on at most 4 connections and 50 times a second; all else is a miss")
                .toList();
    }

    private static String address(UpstreamAddress upstream) {
        InetSocketAddress address = upstream.address();
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
