package dev.understudy.it.clients;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.TeeStage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Kafka's performance tools through the sidecar, between two real brokers that tell clients the sidecar's address as
 * theirs.
 */
@Tag("any-jdk")
class KafkaIT {
    private static final int RECORDS = 50_000;
    private static final int RECORD = 200;
    private static final String TOPIC = "cues";

    @TempDir
    Path folder;

    @Test
    void perfTools_leaveTheSameRecordsOnBothSides_andGetThemBack() throws Exception {
        int front = FreePorts.next();
        try (KafkaBroker production = KafkaBroker.start(folder("production"), front);
                KafkaBroker debug = KafkaBroker.start(folder("debug"), front);
                TeeStage stage = TeeStage.open(
                        folder("tee"),
                        "tcp",
                        production.port(),
                        debug.port(),
                        "listeners[0].listen=127.0.0.1:" + front)) {
            String server = "127.0.0.1:" + stage.port();
            tool("TopicCommand --bootstrap-server %s --create --topic %s --partitions 1 --replication-factor 1"
                    .formatted(server, TOPIC));
            String sent = tool("ProducerPerformance --topic %s --num-records %d --record-size %d --throughput -1"
                            .formatted(TOPIC, RECORDS, RECORD)
                    + " --producer-props acks=all bootstrap.servers=" + server);
            assertThat(sent).contains(RECORDS + " records sent");
            String got = tool(("ConsumerPerformance --bootstrap-server %s --topic %s --messages %d "
                            + "--timeout 60000 --group audience")
                    .formatted(server, TOPIC, RECORDS));
            assertThat(got).contains(", " + RECORDS + ", ");

            JsonNode status = stage.settled();
            String all = status.toPrettyString();
            assertThat(Files.size(production.records(TOPIC))).isGreaterThan((long) RECORDS * RECORD);
            await("debug's records")
                    .atMost(Duration.ofMinutes(1))
                    .untilAsserted(() -> assertThat(Files.mismatch(debug.records(TOPIC), production.records(TOPIC)))
                            .as(all)
                            .isEqualTo(-1));
            assertThat(status.at("/losses")).as(all).isEmpty();
            assertThat(status.at("/fidelity").asText()).as(all).startsWith("faithful");
            assertThat(status.at("/verdicts/SAME").asInt()).as(all).isPositive();
            // brokers answer with ids of their own, some of another length
            assertThat(status.at("/notCompared").fieldNames())
                    .toIterable()
                    .as(all)
                    .isSubsetOf("MISALIGNED");
        }
    }

    private String tool(String line) throws Exception {
        String[] words = line.split(" ", 2);
        return KafkaBroker.tool(folder, "org.apache.kafka.tools." + words[0], words[1].split(" ", -1));
    }

    private Path folder(String name) throws IOException {
        return Files.createDirectories(folder.resolve(name));
    }
}
