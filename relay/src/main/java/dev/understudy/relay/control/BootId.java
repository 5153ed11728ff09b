package dev.understudy.relay.control;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Tells whether two processes run on one kernel, so that {@code System.nanoTime} is the same clock for both
 * ({@code CLOCK_MONOTONIC}; random(4), {@code /proc/sys/kernel/random/boot_id}).
 */
public final class BootId {
    private static final Path FILE = Path.of("/proc/sys/kernel/random/boot_id");

    private BootId() {}

    /** This kernel's; {@code ""} if it has none. */
    public static String read() {
        try {
            return Files.readString(FILE).strip();
        } catch (IOException | SecurityException none) {
            return "";
        }
    }
}
