package dev.understudy.observatory.node;

import dev.understudy.observatory.node.process.ProcessTable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What is sampled, how often, and where it goes.
 *
 * @param folder where segments are written
 * @param every the time between two samples, 20 to 1000 ms
 * @param processes numbers of processes, or texts of their command lines; 16 at most
 * @param keep what all segments may take together, in bytes, from 1 MiB
 * @param time how long it goes on; zero: until it is stopped
 */
public record NodeConfig(Path folder, Duration every, List<String> processes, long keep, Duration time) {
    static final Duration SHORTEST = Duration.ofMillis(20);
    static final Duration LONGEST = Duration.ofSeconds(1);

    public NodeConfig {
        if (every.compareTo(SHORTEST) < 0 || every.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("--every: " + every.toMillis() + " ms (expected: 20ms to 1s)");
        }
        if (keep < SegmentFolder.LEAST) {
            throw new IllegalArgumentException("--keep: " + keep + " bytes (expected: 1MiB or more)");
        }
        if (processes.size() > ProcessTable.MOST) {
            throw new IllegalArgumentException(
                    "--process: " + processes.size() + " of them (expected: up to " + ProcessTable.MOST + ")");
        }
        for (String process : processes) {
            if (process.isBlank()) {
                throw new IllegalArgumentException(
                        "--process: '' (expected: a process's number, or a part of its command line)");
            }
        }
        processes = List.copyOf(processes);
    }
}
