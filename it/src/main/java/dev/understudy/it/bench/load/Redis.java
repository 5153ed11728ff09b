package dev.understudy.it.bench.load;

import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.util.List;

/** {@code GET}s of 64 connections, by redis-benchmark. */
public record Redis(String name, int pipeline, int commands) implements Workload {
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
                "get",
                "-d",
                "100",
                "--csv"));
    }
}
