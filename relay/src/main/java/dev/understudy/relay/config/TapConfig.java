package dev.understudy.relay.config;

import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How what is relayed gets to those that copy or record it.
 *
 * @param carrier by calls in one process, or by rings to another process, the child
 * @param directory where the rings are, on a file system in memory
 * @param ring the most bytes of each ring, a power of two from 64 KiB to 1 GiB; there is one for each relay loop
 * @param health where load balancers ask whether it serves; null for nowhere
 * @param childNice how far the child stands back where the processors are busy, 0 to 19
 * @param childOptions what the child's JVM is started with, besides what it always is
 */
public record TapConfig(
        Carrier carrier,
        String directory,
        long ring,
        @Nullable InetSocketAddress health,
        int childNice,
        List<String> childOptions) {
    /** What carries the tap stream. */
    public enum Carrier {
        /** Calls: relay and copies share one process. */
        INLINE,
        /** Rings in mapped memory: the copies are a process of their own. */
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
        childOptions = List.copyOf(childOptions);
    }

    /** Where rings are unless it is set: where a system has no file system in memory, files that it writes back do. */
    public static String place() {
        return Files.isDirectory(IN_MEMORY) ? IN_MEMORY.toString() : System.getProperty("java.io.tmpdir");
    }

    private static @Nullable InetSocketAddress health(Section section) {
        InetSocketAddress asked = section.optional("health", Value.address(), NOWHERE);
        return asked.equals(NOWHERE) ? null : new InetSocketAddress(asked.getHostString(), asked.getPort());
    }

    /**
     * What holds where nothing is set.
     *
     * @param childNice how far the child stands back
     */
    public static TapConfig defaults(int childNice) {
        return new TapConfig(Carrier.RING, place(), 16 << 20, null, childNice, List.of());
    }

    /**
     * Reads the section.
     *
     * @param child what its settings call the child, such as lane
     * @param nice how far the child stands back unless it is set
     */
    public static TapConfig read(Section section, String child, int nice) {
        TapConfig defaults = defaults(nice);
        return section.build(own -> read(own, child, defaults), defaults);
    }

    private static TapConfig read(Section section, String child, TapConfig defaults) {
        Carrier carrier = section.optional("carrier", Value.choice(Carrier.class), defaults.carrier);
        String directory = section.optional("directory", Value.anyText(), defaults.directory);
        long ring = section.optional("ring", Value.bytes(), defaults.ring);
        InetSocketAddress health = health(section);
        int nice = section.optional(child + "-nice", Value.integer(0, 19), defaults.childNice);
        String options = section.optional(child + "-java-options", Value.anyText(), "");
        return new TapConfig(
                carrier,
                directory,
                ring,
                health,
                nice,
                Stream.of(options.split(" ", -1))
                        .filter(option -> !option.isEmpty())
                        .toList());
    }
}
