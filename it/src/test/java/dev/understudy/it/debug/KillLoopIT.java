package dev.understudy.it.debug;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.TeeStage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A debug JVM is killed and started again in a loop, under load: customers notice nothing, and each loss is said. */
@Tag("any-jdk")
class KillLoopIT {
    private static final int KILLS = 3;
    private static final Duration ALIVE = Duration.ofMillis(700);
    private static final Duration DEAD = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long SEED = 9;

    @TempDir
    Path folder;

    @Test
    void debugKilledAgainAndAgain_disturbsNobody_andIsUsedWhenItIsBack() throws Exception {
        int port = FreePorts.next();
        try (LedgerJvm production = LedgerJvm.start(folder.resolve("production.log"));
                TeeStage stage = TeeStage.open(folder, "http", production.port(), port);
                Load load = new Load(stage.port(), SEED)) {
            for (int n = 0; n < KILLS; n++) {
                try (LedgerJvm debug = LedgerJvm.start(folder.resolve("debug-" + n + ".log"), port)) {
                    int before = compared(stage);
                    await("comparisons")
                            .atMost(PATIENCE)
                            .untilAsserted(() -> assertThat(compared(stage))
                                    .as("of %s", stage.listener())
                                    .isGreaterThan(before));
                    load.goOn(ALIVE);
                    debug.kill();
                    load.goOn(DEAD);
                }
            }
            List<String> booked = load.end();

            assertThat(production.chains()).as("seed %d", SEED).isEqualTo(booked);
            JsonNode status = stage.listener();
            assertThat(status.at("/notCompared").size()
                            + status.at("/verdicts/DIFFERENT").asInt())
                    .as(status.toPrettyString())
                    .isPositive();
        }
    }

    /** A debug JVM that was away has other chains, so that its answers differ. */
    private static int compared(TeeStage stage) throws Exception {
        JsonNode verdicts = stage.listener().at("/verdicts");
        return verdicts.at("/SAME").asInt()
                + verdicts.at("/EQUIVALENT").asInt()
                + verdicts.at("/DIFFERENT").asInt();
    }
}
