package dev.understudy.it.bench.thesis;

import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Subject;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Table 3.1: how long a window of so many bytes lasts when the debug database is so many times slower.
 *
 * <p>Time runs {@code scale} times faster than there: rates and service times are scaled, buffers aren't.
 */
public final class WindowTable {
    private static final double SERVICE_SECONDS = 1.0 / 30;
    private static final double RUN_SECONDS = 420;
    private static final int FACTOR = 8;
    private static final String QUERY = "select * from t";

    private static final List<Row> ROWS = List.of(
            new Row(27, false, 4, 1.8, "∞"),
            new Row(27, false, 4, 3, "8 s"),
            new Row(27, false, 16, 3, "72 s"),
            new Row(17, true, 4, 8, "16 s"),
            new Row(17, true, 4, 5, "18 s"),
            new Row(17, true, 64, 3.2, "∞"),
            new Row(17, true, 16, 3.2, "376 s"));

    private final Path folder;
    private final Path sidecar;
    private final double scale;
    private final long seed;

    /** @param scale how many times faster than in the thesis */
    public WindowTable(Path folder, Path sidecar, double scale, long seed) {
        this.folder = folder;
        this.sidecar = sidecar;
        this.scale = scale;
        this.seed = seed;
    }

    /** Adds the table. */
    public void measure(Table table) throws IOException, InterruptedException {
        table.line("### Table 3.1: debug windows").line("");
        if (!MariaDb.installed()) {
            table.line("Not measured: there is no MariaDB here.").line("");
            return;
        }
        table.line(String.format(
                        Locale.ROOT,
                        "A real MariaDB on both sides; `%s` on one connection sleeps 1/30 s "
                                + "in production (the thesis's 30",
                        QUERY))
                .line("requests/s at most) and so many times longer in the debug copy. Time runs "
                        + String.format(Locale.ROOT, "%.0f", scale) + " times faster than there,")
                .line("rates and sleeps alike, and is converted back. The window's bytes "
                        + "are ours: what a request takes here is its")
                .line("bytes and the bookkeeping, some hundred bytes, where the thesis's "
                        + "pipe took about 20. A run ends after " + String.format(Locale.ROOT, "%.0f s.", RUN_SECONDS))
                .line("")
                .line("| input | buffer there | slow-down | requests answered before the overflow | window | thesis |")
                .line("| --- | --- | --- | --- | --- | --- |");
        try (MariaDb production = MariaDb.start(folder.resolve("window-production"), List.of());
                MariaDb debug = MariaDb.start(folder.resolve("window-debug"), List.of())) {
            create(production, 1);
            for (Row row : ROWS) {
                create(debug, row.slowDown);
                table.line(run(row, production, debug));
            }
        }
        table.line("");
    }

    private void create(MariaDb server, double slowDown) throws IOException, InterruptedException {
        server.run(String.format(
                Locale.ROOT,
                "create database if not exists w; use w; create or replace view t as select 1 as a, sleep(%.6f) as b",
                SERVICE_SECONDS * slowDown / scale));
    }

    private String run(Row row, MariaDb production, MariaDb debug) throws IOException, InterruptedException {
        String settings = "window: { lane-memory: " + row.kibibytes * FACTOR + "KiB, memory: 8MiB }";
        try (Subject subject =
                Subject.sidecar(folder, sidecar, "window", production.port(), debug.port(), "tcp", settings)) {
            Tool tool = subject.between().get(0);
            double rate = row.rate * scale;
            long answered = 0;
            double seconds = RUN_SECONDS / scale;
            boolean overflowed = false;
            try (MySqlClient client = new MySqlClient(subject.web(), "w")) {
                Random random = new Random(seed);
                long begun = System.nanoTime();
                double due = 0;
                while (due < seconds && !overflowed) {
                    due += row.poisson ? -Math.log1p(-random.nextDouble()) / rate : 1 / rate;
                    await(begun + (long) (due * 1e9));
                    client.query(QUERY);
                    answered++;
                    overflowed = answered % 4 == 0 && tool.output().contains("OVERFLOW");
                }
                seconds = (System.nanoTime() - begun) / 1e9;
            } catch (SocketTimeoutException stands) {
                throw new IOException("production stood in row " + row, stands);
            }
            return String.format(
                    Locale.ROOT,
                    "| %s%.0f requests/s | %d KiB | %.1fx | %,d | %s | %s |",
                    row.poisson ? "Poisson, " : "steady, ",
                    row.rate,
                    row.kibibytes,
                    row.slowDown,
                    answered,
                    overflowed ? String.format(Locale.ROOT, "%.1f s", seconds * scale) : "∞",
                    row.thesis);
        }
    }

    private static void await(long moment) {
        for (long left = moment - System.nanoTime(); left > 0; left = moment - System.nanoTime()) {
            LockSupport.parkNanos(Math.min(left, TimeUnit.SECONDS.toNanos(1)));
        }
    }

    private record Row(double rate, boolean poisson, int kibibytes, double slowDown, String thesis) {}
}
