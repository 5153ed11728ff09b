package dev.understudy.it.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** By what command, when and on what machine figures were taken. */
public final class Measured {
    private Measured() {}

    /** A sentence or two for the head of a section. */
    public static String by(String command) throws IOException {
        String processor = Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 2))
                .findFirst()
                .orElse("unknown processor");
        return "Written by `it/bench %s` on %s: %s, %d processors, Linux %s, Java %s."
                .formatted(
                        command.strip(),
                        LocalDate.now(ZoneOffset.UTC),
                        processor,
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.version"),
                        Runtime.version());
    }
}
