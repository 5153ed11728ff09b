package dev.understudy.it.debug;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.stage.TeeStage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A debugger stops all threads of the debug JVM under load, for twice as long as a reply may take: customers notice
 * nothing, and nothing is lost. {@code -Dunderstudy.stopped=60} makes it a minute, with the usual time for a reply.
 */
@Tag("any-jdk")
class BreakpointIT {
    private static final Duration STOPPED = Duration.ofSeconds(Integer.getInteger("understudy.stopped", 12));
    private static final Duration BEFORE = Duration.ofSeconds(2);
    private static final Duration AFTERWARDS = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long SEED = 60;

    @TempDir
    Path folder;

    @Test
    void debugStoppedAtABreakpoint_losesNothing_andDisturbsNobody() throws Exception {
        try (LedgerJvm production = LedgerJvm.start(folder.resolve("production.log"));
                LedgerJvm debug = LedgerJvm.start(
                        folder.resolve("debug.log"),
                        "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");
                TeeStage stage = TeeStage.open(
                        folder,
                        "http",
                        production.port(),
                        debug.port(),
                        "window.reply-timeout=" + STOPPED.dividedBy(2).toSeconds() + "s")) {
            List<String> booked;
            try (Load load = new Load(stage.port(), SEED);
                    Debugger debugger = Debugger.attach(debug.debuggerPort())) {
                load.goOn(BEFORE);
                long answered = load.latency().getTotalCount();
                load.goOn(BEFORE);
                Histogram usual = load.latency();

                Debugger.Stop stop = debugger.stopAt(Ledger.class, "book", PATIENCE);
                answered += usual.getTotalCount() + load.latency().getTotalCount();
                load.goOn(STOPPED);
                Histogram meanwhile = load.latency();
                report(usual, meanwhile);
                JsonNode stopped = stage.listener();
                stop.resume();
                load.goOn(AFTERWARDS);

                answered += meanwhile.getTotalCount();
                assertThat(meanwhile.getTotalCount()).isGreaterThan(10L * Load.CLIENTS);
                assertThat(answered - stopped.at("/exchanges/debug").asLong())
                        .as("exchanges that debug was behind, " + stopped.toPrettyString())
                        .isGreaterThanOrEqualTo(meanwhile.getTotalCount() - Load.CLIENTS);
                booked = load.end();
            }
            stage.awaitExchanges(booked.stream().mapToInt(BreakpointIT::length).sum());
            assertThat(production.chains()).isEqualTo(booked);
            assertThat(debug.chains()).isEqualTo(booked);
            assertAllCompared(stage.listener());
        }
    }

    private static int length(String chain) {
        return Integer.parseInt(chain.split(" ", -1)[1]);
    }

    private static void assertAllCompared(JsonNode status) {
        String all = status.toPrettyString();
        assertThat(status.at("/losses")).as(all).isEmpty();
        assertThat(status.at("/notCompared")).as(all).isEmpty();
        assertThat(status.at("/verdicts/DIFFERENT").asInt()).as(all).isZero();
        assertThat(status.at("/verdicts/SAME").asInt()
                        + status.at("/verdicts/EQUIVALENT").asInt())
                .as(all)
                .isEqualTo(status.at("/exchanges/production").asInt());
        assertThat(status.at("/fidelity").asText()).as(all).startsWith("faithful");
    }

    private static void report(Histogram usual, Histogram stopped) {
        System.out.printf(
                Locale.ROOT,
                "production's replies while debug stood at a breakpoint: %d in %d s, p50 %d us, p99 %d us;"
                        + " ratio to before: p50 %.2f, p99 %.2f%n",
                stopped.getTotalCount(),
                STOPPED.toSeconds(),
                stopped.getValueAtPercentile(50),
                stopped.getValueAtPercentile(99),
                (double) stopped.getValueAtPercentile(50) / usual.getValueAtPercentile(50),
                (double) stopped.getValueAtPercentile(99) / usual.getValueAtPercentile(99));
    }
}
