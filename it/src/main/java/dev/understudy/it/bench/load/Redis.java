package dev.understudy.it.bench.load;

import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.util.List;

/**
 * One command again and again on 64 connections, by redis-benchmark.
 *
 * @param command {@code get} or {@code set}
 * @param bytes of each value
 */
public record Redis(String name, String command, int bytes, int pipeline, int commands) implements Workload {
    /** {@code GET}s of 100 bytes. */
    public Redis(String name, int pipeline, int commands) {
        this(name, "get", 100, pipeline, commands);
    }

    @Override
    public String unit() {
        return "command";
    }

    @Override
    public Sample run(Subject subject) throws IOException, InterruptedException {
        benchmark(subject, commands / 5);
        Sample.Meter meter = Sample.begin(subject);
        benchmark(subject, commands);
        return meter.end(commands, 0, null);
    }

    private void benchmark(Subject subject, int count) throws IOException, InterruptedException {
        Shell.run(List.of(
                "redis-benchmark",
                "-p",
                Integer.toString(subject.redis()),
                "-c",
                "64",
                "-n",
                Integer.toString(count),
                "-P",
                Integer.toString(pipeline),
                "-t",
                command,
                "-d",
                Integer.toString(bytes),
                "--csv"));
    }
}
