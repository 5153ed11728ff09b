package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How what is relayed gets to the lanes.
 *
 * @param carrier by calls in one process, or by rings to a process of their own
 * @param directory where the rings are, on a file system in memory
 * @param ring the most bytes of each ring, a power of two from 64 KiB to 1 GiB; there is one for each relay loop
 * @param health where load balancers ask whether it serves; null for nowhere
 * @param laneNice how far the lane process stands back where the processors are busy, 0 to 19
 * @param laneOptions what the lane process's JVM is started with, besides what it always is
 */
public record TapConfig(
        Carrier carrier,
        String directory,
        long ring,
        @Nullable InetSocketAddress health,
        int laneNice,
        List<String> laneOptions) {
    /** What carries the tap stream. */
    public enum Carrier {
        /** Calls: relay and lanes share one process. */
        INLINE,
        /** Rings in mapped memory: the lanes are a process of their own. */
        RING
    }

    private static final InetSocketAddress NOWHERE = InetSocketAddress.createUnresolved("nowhere", 0);
    private static final long SMALLEST = 64 << 10;
    private static final long LARGEST = 1 << 30;
    private static final Path IN_MEMORY = Path.of("/dev/shm");

    public TapConfig {
        if (Long.bitCount(ring) != 1 || ring < SMALLEST || ring > LARGEST) {
            throw new IllegalArgumentException("ring: " + ring + " (expected: a power of two from 64KiB to 1GiB)");
        }
        laneOptions = List.copyOf(laneOptions);
    }

    /** What holds where nothing is set. */
    public static TapConfig defaults() {
        return new TapConfig(Carrier.RING, place(), 16 << 20, null, 19, List.of());
    }

    /** Where a system has no file system in memory, such as macOS, files that it writes back will do. */
    private static String place() {
        return Files.isDirectory(IN_MEMORY) ? IN_MEMORY.toString() : System.getProperty("java.io.tmpdir");
    }

    private static @Nullable InetSocketAddress health(Section section) {
        InetSocketAddress asked = section.optional("health", Value.address(), NOWHERE);
        return asked.equals(NOWHERE) ? null : new InetSocketAddress(asked.getHostString(), asked.getPort());
    }

    static TapConfig read(Section section) {
        TapConfig defaults = defaults();
        String options = section.optional("lane-java-options", Value.anyText(), "");
        return new TapConfig(
                section.optional("carrier", Value.choice(Carrier.class), defaults.carrier),
                section.optional("directory", Value.anyText(), defaults.directory),
                section.optional("ring", Value.bytes(), defaults.ring),
                health(section),
                section.optional("lane-nice", Value.integer(0, 19), defaults.laneNice),
                Stream.of(options.split(" "))
                        .filter(option -> !option.isEmpty())
                        .toList());
    }
}
