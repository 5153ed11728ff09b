package dev.understudy.testing;

import java.util.regex.Pattern;
import org.testcontainers.containers.GenericContainer;

/**
 * A server in a container that the service under test calls.
 *
 * @param name by which services find it
 * @param protocol what it speaks
 * @param server listens at its first exposed port
 */
record ContainerUpstream(String name, String protocol, GenericContainer<?> server) {
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,40}");
    private static final Pattern PROTOCOL = Pattern.compile("[a-z]{1,20}");

    ContainerUpstream {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("upstream: " + name + " (expected: a host name in small letters)");
        }
        if (!PROTOCOL.matcher(protocol).matches()) {
            throw new IllegalArgumentException(
                    "upstream " + name + ": " + protocol + " (expected: http, postgres, mysql, redis or tcp)");
        }
        if (server.getExposedPorts().isEmpty()) {
            throw new IllegalArgumentException("upstream " + name + ": no exposed port (expected: one)");
        }
    }

    int port() {
        return server.getExposedPorts().get(0);
    }

    /** Its name on the network that only the aggregator shares with it. */
    String alias() {
        return name + "-upstream";
    }
}
