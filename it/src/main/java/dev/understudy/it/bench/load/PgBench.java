package dev.understudy.it.bench.load;

import dev.understudy.it.bench.process.CpuTicks;
import dev.understudy.it.bench.process.Shell;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.util.List;

/**
 * One select by primary key again and again on eight connections, by pgbench, always about the same rows in the same
 * order.
 *
 * @param mode simple, extended or prepared
 */
public record PgBench(String name, String mode, int selects) implements Workload {
    private static final int CLIENTS = 8;

    /** pgbench takes TLS where it is offered: the debug port offers it, the real server here has none. */
    private static final String WITHOUT_TLS = "dbname=postgres sslmode=disable";

    @Override
    public String unit() {
        return "select";
    }

    @Override
    public Sample run(Subject subject) throws IOException, InterruptedException {
        pgbench(subject, selects / 5);
        Sample.Meter meter = Sample.begin(subject);
        CpuTicks before = CpuTicks.of(subject.between());
        pgbench(subject, selects);
        // a server's process for each connection is gone by now
        long cpu = CpuTicks.of(subject.between()).since(before);
        Sample sample = meter.end(selects, 0, null);
        return new Sample(selects, 0, sample.seconds(), cpu, sample.relayNanos(), null);
    }

    private void pgbench(Subject subject, int count) throws IOException, InterruptedException {
        Shell.run(List.of(
                "pgbench",
                "-n",
                "-S",
                "-M",
                mode,
                "-c",
                Integer.toString(CLIENTS),
                "-t",
                Integer.toString(count / CLIENTS),
                "--random-seed=7",
                "-h",
                "127.0.0.1",
                "-p",
                Integer.toString(subject.web()),
                "-U",
                "bench",
                WITHOUT_TLS));
    }
}
