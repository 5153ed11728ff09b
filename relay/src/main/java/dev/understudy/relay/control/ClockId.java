package dev.understudy.relay.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Tells whether {@code System.nanoTime} is the same clock for two processes ({@code CLOCK_MONOTONIC}): they run on one
 * kernel (random(4), {@code boot_id}), and no time namespace has set one of them apart (time_namespaces(7)), as happens
 * to a restored process.
 */
public final class ClockId {
    private static final Path KERNEL = Path.of("/proc/sys/kernel/random/boot_id");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/time");

    private ClockId() {}

    /** This process's; {@code ""} if the kernel has none. */
    public static String read() {
        try {
            return Files.readString(KERNEL).strip() + namespace();
        } catch (IOException | SecurityException none) {
            return "";
        }
    }

    /** Kernels before 5.6 have no such namespaces. */
    private static String namespace() throws IOException {
        try {
            return " " + Files.readSymbolicLink(NAMESPACE);
        } catch (NoSuchFileException none) {
            return "";
        }
    }
}
