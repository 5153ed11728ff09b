package dev.understudy.aggregator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A real aggregator in a process of its own, whose heap and direct memory have 112 MiB each, with one upstream called
 * {@code test}.
 */
final class SmallAggregator implements AutoCloseable {
    /** In mebibytes. */
    private static final int MEMORY = 112;

    /** More bytes than it has memory. */
    static final long TOO_MANY = (MEMORY + 16L) << 20;

    private static final int LEAD = 4 << 20;
    private final AggregatorProcess process;
    private long missedBefore;

    /** @param journal more settings of the journal, or "" */
    SmallAggregator(Path folder, String protocol, int upstreamPort, String journal) throws IOException {
        this(folder, protocol, upstreamPort, journal, "30s");
    }

    /** @param wait for what belongs to no recorded reply, such as what a statement looks like */
    SmallAggregator(Path folder, String protocol, int upstreamPort, String journal, String wait) throws IOException {
        String settings = """
                upstreams:
                  - name: test
                    protocol: %s
                    production: { listen: 127.0.0.1:0, upstream: 127.0.0.1:%d }
                    debug: { listen: 127.0.0.1:0 }
                    wait: %s
                    calls: [{ form: '*', wait: 1ms }]
                journal: { memory: 16MiB%s }
                lanes: { lane-memory: 40MiB, memory: 40MiB }
                control: { listen: 127.0.0.1:0, anonymous: admin }
                """.formatted(protocol, upstreamPort, wait, journal.isEmpty() ? "" : ", " + journal);
        process = AggregatorProcess.with(
                folder,
                settings,
                "-Xmx" + MEMORY + "m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+ExitOnOutOfMemoryError",
                "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")));
    }

    /** Has the journal as empty as at the start, for the next of the tests that share it. */
    void forget() throws Exception {
        process.post("/v1/forget", "{\"olderThanMillis\":0}");
        Eventually.await(() -> number("unused") == 0 && large("bytes") == 0);
        missedBefore = number("missed");
    }

    /** Misses since then. */
    long missed() throws Exception {
        return number("missed") - missedBefore;
    }

    /** Host and port. */
    String production() {
        return process.production;
    }

    /** Host and port. */
    String debug() {
        return process.debug;
    }

    static int port(String address) {
        return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    }

    String status() throws Exception {
        return process.status();
    }

    String get(String path) throws Exception {
        return process.get(path);
    }

    /** The first number of that name in the status. */
    long number(String key) throws Exception {
        return process.number(key);
    }

    /** That number of large replies. */
    long large(String key) throws Exception {
        return AggregatorProcess.number(status().replaceAll("(?s).*\"large\":", ""), key);
    }

    /**
     * Has an upstream wait for the recording now and then: these tests are about size, and not about which of a
     * machine's programs is the fastest.
     */
    LongText.Progress keepingUp() throws Exception {
        return keepingUp("replyBytes");
    }

    /** Has a client wait for the recording of its requests now and then. */
    LongText.Progress keepingUpWithRequests() throws Exception {
        return keepingUp("requestBytes");
    }

    private LongText.Progress keepingUp(String counted) throws Exception {
        long before = number(counted);
        long[] next = {LEAD};
        return written -> {
            if (written < next[0]) {
                return;
            }
            next[0] = written + LEAD;
            try {
                Eventually.await(() -> number(counted) > before + written - LEAD && large("waitingBytes") < LEAD);
            } catch (Exception failed) {
                throw new IOException(failed);
            }
        };
    }

    /** Waits until production's last exchange is recorded, so that the debug side asks for what is there. */
    void awaitRecorded(long exchanges) throws Exception {
        Eventually.await(() -> {
            assertThat(process.isAlive()).as("%s", process.log()).isTrue();
            assertThat(status())
                    .as("%s", process.log())
                    .doesNotContain("TOO_LARGE", "DISK_", "LANE_OVERFLOW", "RECORDERS_FULL");
            return number("unused") >= exchanges;
        });
    }

    /** Waits until that is recorded, and all else that production's connections were told, which are closed by now. */
    void awaitRecordedAndClosed(long exchanges) throws Exception {
        awaitRecorded(exchanges);
        Eventually.await(() -> number("open") == 0);
    }

    /** Bytes of memory of the whole process. */
    long resident() throws IOException {
        return process.resident();
    }

    void kill() throws InterruptedException {
        process.kill();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
