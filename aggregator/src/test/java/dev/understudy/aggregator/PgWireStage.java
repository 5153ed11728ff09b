package dev.understudy.aggregator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real PostgreSQL behind a real aggregator, and work in wire messages that production does first and the debug side
 * then.
 */
abstract class PgWireStage {
    private static final Pattern CLOSED = Pattern.compile("\"connections\":(\\d+),\"open\":0,\"exchanges\"");

    private PostgresSides sides;

    @BeforeEach
    final void open() throws Exception {
        sides = new PostgresSides("wait: 100ms");
    }

    @AfterEach
    final void close() {
        sides.close();
    }

    /** What one side does on a connection. */
    @FunctionalInterface
    interface Work {
        List<String> on(PgWire connection) throws Exception;
    }

    /** What one side does on the connections of its pool. */
    @FunctionalInterface
    interface PoolWork {
        List<String> on(PgWire... connections) throws Exception;
    }

    /** Both sides see the same, and nothing is missed. */
    final List<String> sameOnBothSides(Work work) throws Exception {
        return sameOnBothSides(1, 1, connections -> work.on(connections[0]));
    }

    /** The same with so many connections of production's and of the debug side. */
    final List<String> sameOnBothSides(int production, int debug, PoolWork work) throws Exception {
        List<String> seen = onPool(sides.productionPort(), production, work);
        awaitRecorded(production);
        assertThat(onPool(sides.debugPort(), debug, work)).isEqualTo(seen);
        assertNothingMissed();
        return seen;
    }

    private static List<String> onPool(int port, int connections, PoolWork work) throws Exception {
        PgWire[] all = new PgWire[connections];
        for (int i = 0; i < connections; i++) {
            all[i] = new PgWire(port);
        }
        try {
            return work.on(all);
        } finally {
            for (PgWire one : all) {
                one.close();
            }
        }
    }

    /** Both sides do each work on a new connection, and see the same; nothing is missed. */
    final List<String> sameInSessions(List<Work> sessions) throws Exception {
        List<String> seen = new ArrayList<>();
        for (Work session : sessions) {
            seen.addAll(onConnection(sides.productionPort(), session));
        }
        awaitRecorded(sessions.size());
        List<String> replayed = new ArrayList<>();
        for (Work session : sessions) {
            replayed.addAll(onConnection(sides.debugPort(), session));
        }
        assertThat(replayed).isEqualTo(seen);
        assertNothingMissed();
        return seen;
    }

    /** What production alone sees; it is recorded then. */
    final List<String> onProduction(Work work) throws Exception {
        List<String> seen = onConnection(sides.productionPort(), work);
        awaitRecorded(1);
        return seen;
    }

    private static List<String> onConnection(int port, Work work) throws Exception {
        return onPool(port, 1, connections -> work.on(connections[0]));
    }

    /** Both sides see the same of sessions that begin with these options. */
    final List<String> sameAtTheStart(String... options) throws Exception {
        List<String> seen = new ArrayList<>();
        for (int port : new int[] {sides.productionPort(), sides.debugPort()}) {
            try (PgWire connection = new PgWire(port, options)) {
                seen.add(connection.heard(1000).strip());
            }
            Eventually.await(() -> status().contains("\"open\":0,"));
        }
        assertThat(seen.get(1)).isEqualTo(seen.get(0));
        return seen;
    }

    /** A connection of the debug side. */
    final PgWire debug() throws IOException {
        return new PgWire(sides.debugPort());
    }

    private void awaitRecorded(int connections) throws Exception {
        // a request to cancel is a connection, too
        Eventually.await(() -> {
            Matcher counted = CLOSED.matcher(status());
            return counted.find() && Integer.parseInt(counted.group(1)) >= connections;
        });
    }

    private void assertNothingMissed() throws Exception {
        assertThat(status()).contains("\"missed\":0", "\"unfit\":0");
    }

    final String status() throws Exception {
        return TestAggregator.status(sides.aggregator);
    }

    final String misses() throws Exception {
        return TestAggregator.get(sides.aggregator, "/v1/misses");
    }
}
