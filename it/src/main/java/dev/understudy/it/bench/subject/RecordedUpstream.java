package dev.understudy.it.bench.subject;

import dev.understudy.it.bench.process.FreePorts;
import dev.understudy.it.bench.process.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An aggregator before one real server: a port for production, another for the debug JVM. */
public final class RecordedUpstream implements AutoCloseable {
    private static final Pattern READY =
            Pattern.compile("production=127\\.0\\.0\\.1:(\\d+) debug=127\\.0\\.0\\.1:(\\d+)");

    private final Tool tool;
    private final int production;
    private final int debug;

    private RecordedUpstream(Tool tool, int production, int debug) {
        this.tool = tool;
        this.production = production;
        this.debug = debug;
    }

    /**
     * Starts one, in two processes.
     *
     * @param protocol http, redis or postgres
     * @param upstream the real server's port
     */
    public static RecordedUpstream start(Path folder, Path jar, String protocol, int upstream) throws IOException {
        return start(folder, jar, protocol, upstream, "ring");
    }

    /** The same, with this {@code tap.carrier}. */
    public static RecordedUpstream start(Path folder, Path jar, String protocol, int upstream, String carrier)
            throws IOException {
        Path home = Files.createDirectories(folder.resolve("aggregator-" + protocol + "-" + FreePorts.next()));
        Files.writeString(home.resolve("aggregator.yaml"), """
                upstreams:
                  - name: test
                    protocol: %s
                    production: { listen: "127.0.0.1:0", upstream: "127.0.0.1:%d" }
                    debug: { listen: "127.0.0.1:0" }
                journal: { memory: 1GiB }
                tap: { carrier: %s, recorder-java-options: "-Xms16m -Xmx3g" }
                control: { listen: "127.0.0.1:0", anonymous: admin }
                """.formatted(protocol, upstream, carrier));
        Tool tool = Tool.start(
                home,
                List.of(
                        "env",
                        "MALLOC_ARENA_MAX=1",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xms16m",
                        "-Xmx3g",
                        "-jar",
                        jar.toString(),
                        "--config",
                        "aggregator.yaml"));
        Matcher ready = READY.matcher(tool.awaitOutput("ready:"));
        if (!ready.find()) {
            throw new IOException("the aggregator didn't say where it listens");
        }
        return new RecordedUpstream(tool, Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
    }

    /** Where production is recorded. */
    public Subject production(String name) {
        return new Subject(name, production, production, List.of(tool), "relay-");
    }

    /** Where the recorded replies are given. */
    public Subject debug(String name) {
        return new Subject(name, debug, debug, List.of(tool), "lane-");
    }

    @Override
    public void close() {
        tool.close();
    }
}
