package dev.understudy.agent.fork;

import java.nio.file.Files;
import java.nio.file.Path;

/** The jars of Netty's transports that the build has put into a folder. */
public final class NativeTransports {
    private static final Path JARS = Path.of(System.getProperty("understudy.transports", "target/transports"));

    private NativeTransports() {}

    /**
     * One of them.
     *
     * @param name without version and ending
     */
    public static Path jar(String name) {
        Path jar = JARS.resolve(name + ".jar");
        if (!Files.exists(jar)) {
            throw new IllegalStateException("understudy.transports: no " + jar + " (expected: what the build copies)");
        }
        return jar;
    }
}
