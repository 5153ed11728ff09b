package dev.understudy.it.clients;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import static org.awaitility.Awaitility.await;

/** A Kafka cluster of one broker in a JVM of its own, and Kafka's tools, from the jars of {@code it/kafka}. */
final class KafkaBroker implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg";

    private final Path folder;
    private final Child child;
    private final int port;

    private KafkaBroker(Path folder, Child child, int port) {
        this.folder = folder;
        this.child = child;
        this.port = port;
    }

    /** @param advertised where clients are told to find it, whoever they have asked */
    static KafkaBroker start(Path folder, int advertised) throws IOException, InterruptedException {
        int port = FreePorts.next();
        int controller = FreePorts.next();
        Path settings = Files.writeString(folder.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.voters=1@127.0.0.1:%2$d
                controller.listener.names=CONTROLLER
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%3$d
                listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
                log.dirs=%4$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                auto.create.topics.enable=false
                """.formatted(
                        port, controller, advertised, folder.resolve("data")));
        tool(folder, "kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", settings.toString());
        Child child = Child.start(folder.resolve("broker.log"), java("info", "kafka.Kafka", settings.toString()));
        await("broker")
                .atMost(PATIENCE)
                .until(() -> child.output().contains("Kafka Server started")
                        || !child.process().isAlive());
        if (!child.process().isAlive()) {
            throw new IllegalStateException(child.output());
        }
        return new KafkaBroker(folder, child, port);
    }

    /** Runs one of Kafka's tools to its end, and tells what it printed. */
    static String tool(Path folder, String type, String... arguments) throws IOException, InterruptedException {
        Path log = folder.resolve(type + ".log");
        try (Child tool = Child.start(log, java("warn", type, arguments))) {
            if (tool.exitCode(PATIENCE) != 0) {
                throw new IllegalStateException(tool.output());
            }
            return tool.output();
        }
    }

    private static List<String> java(String level, String type, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=" + level,
                "-cp",
                Checkout.root().resolve("it/kafka/target/lib") + "/*",
                type));
        command.addAll(List.of(arguments));
        return command;
    }

    /** Where it really is. */
    int port() {
        return port;
    }

    /** The records of a topic of one partition, as the broker keeps them. */
    Path records(String topic) {
        return folder.resolve("data").resolve(topic + "-0").resolve("0".repeat(20) + ".log");
    }

    @Override
    public void close() {
        child.close();
    }
}
