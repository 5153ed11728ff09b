package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.ManifestException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Where an aggregator listens for an upstream.
 *
 * @param upstream the upstream
 * @param production the port for production
 * @param debug the port for the debug JVM
 */
record UpstreamPorts(UpstreamSpec upstream, int production, int debug) {
    private static final int FOR_PRODUCTION = 10_000;
    private static final int FOR_DEBUG = 20_000;
    private static final int LAST_PORT = 65_535;

    /**
     * Gives each upstream two ports: its own with a 1, and with a 2, before it where that is free (15432 and 25432).
     *
     * @throws ManifestException if two upstreams have one name
     */
    static List<UpstreamPorts> of(List<UpstreamSpec> upstreams) throws ManifestException {
        Set<Integer> taken = new HashSet<>(Set.of(AggregatorManifests.CONTROL_PORT, AggregatorManifests.HEALTH_PORT));
        Set<String> names = new HashSet<>();
        List<UpstreamPorts> ports = new ArrayList<>();
        for (UpstreamSpec upstream : upstreams) {
            if (!names.add(upstream.name())) {
                throw new ManifestException(
                        "two upstreams are named " + upstream.name() + " (expected: a name for each)");
            }
            int production = free(FOR_PRODUCTION, upstream.port(), taken);
            ports.add(new UpstreamPorts(upstream, production, free(FOR_DEBUG, upstream.port(), taken)));
        }
        return ports;
    }

    private static int free(int base, int port, Set<Integer> taken) {
        int candidate = base + port > LAST_PORT ? base : base + port;
        while (!taken.add(candidate)) {
            candidate++;
        }
        return candidate;
    }
}
