package dev.understudy.example.demo.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.example.demo.load.Tally;
import dev.understudy.example.demo.stage.Addresses;
import dev.understudy.example.demo.stage.Cast;
import dev.understudy.example.demo.stage.Program;
import java.io.IOException;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everything that was found out after the last request, before it is judged.
 *
 * @param sidecar the sidecar's {@code /v1/status}
 * @param verdicts the latest verdicts of each kind, as {@code /v1/verdicts} gives them
 * @param agents the sidecar's {@code /v1/agent}
 * @param aggregator the aggregator's {@code /v1/status}
 * @param misses the aggregator's {@code /v1/misses}
 * @param socketsSeen whether this system shows whom a process is connected to
 * @param strangers far ports of the debug JVM's connections to anybody but the aggregator's debug side and the sidecar
 * @param ended the processes that aren't alive any more
 * @param unanswered questions to sidecar and aggregator that weren't answered, with the reason
 * @param debugPid the debug JVM's process id
 */
public record Findings(
        Tally clients,
        double loadSeconds,
        double catchUpSeconds,
        JsonNode sidecar,
        JsonNode verdicts,
        JsonNode agents,
        JsonNode aggregator,
        JsonNode misses,
        Upstreams upstreams,
        boolean socketsSeen,
        Set<Integer> strangers,
        List<String> ended,
        List<String> unanswered,
        long debugPid) {

    private static final int LATEST = 200;
    private static final int MISSES = 10;

    /** Asks everybody. */
    public static Findings gather(Cast cast, Addresses at, Tally clients, double loadSeconds, double catchUpSeconds)
            throws IOException, InterruptedException, SQLException {
        ControlPort sidecar = new ControlPort(at.sidecarControlUrl());
        ControlPort aggregator = new ControlPort(at.aggregatorControlUrl());
        ObjectNode verdicts = JsonNodeFactory.instance.objectNode();
        for (String kind : new String[] {"DIFFERENT", "NOT_COMPARED", "EQUIVALENT"}) {
            verdicts.set(
                    kind,
                    sidecar.ask("/v1/verdicts?kind=" + kind + "&limit=" + LATEST)
                            .path("verdicts"));
        }
        JsonNode status = sidecar.ask("/v1/status");
        JsonNode agents = sidecar.ask("/v1/agent").path("agents");
        JsonNode recorded = aggregator.ask("/v1/status");
        JsonNode misses = aggregator.ask("/v1/misses?limit=" + MISSES).path("misses");
        return new Findings(
                clients,
                loadSeconds,
                catchUpSeconds,
                status,
                verdicts,
                agents,
                recorded,
                misses,
                Upstreams.ask(cast.database(), cast.cache(), new ControlPort(at.pricingUrl())),
                Sockets.canBeSeen(),
                strangers(cast, at),
                cast.programs().stream()
                        .filter(program -> !program.isAlive())
                        .map(Program::name)
                        .toList(),
                Stream.concat(sidecar.unanswered().stream(), aggregator.unanswered().stream())
                        .toList(),
                cast.debug().pid());
    }

    private static Set<Integer> strangers(Cast cast, Addresses at) throws IOException {
        if (!Sockets.canBeSeen() || !cast.debug().isAlive()) {
            return Set.of();
        }
        Set<Integer> ports = Sockets.dialled(cast.debug().pid(), at.debug());
        ports.removeAll(Set.of(
                at.postgresForDebug(),
                at.redisForDebug(),
                at.pricingForDebug(),
                at.sidecarControl(),
                at.aggregatorControl()));
        return ports;
    }

    /** The sidecar's one listener. */
    JsonNode listener() {
        return sidecar.path("listeners").path(0);
    }

    JsonNode window() {
        return sidecar.path("window");
    }

    long exchanges(String side) {
        return listener().path("exchanges").path(side).asLong();
    }

    long verdicts(String kind) {
        return listener().path("verdicts").path(kind).asLong();
    }
}
