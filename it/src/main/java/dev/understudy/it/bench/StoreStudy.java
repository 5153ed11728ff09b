package dev.understudy.it.bench;

import dev.understudy.it.bench.report.Table;
import dev.understudy.observatory.event.TierExchange;
import dev.understudy.observatory.store.QueryException;
import dev.understudy.observatory.store.QueryLimits;
import dev.understudy.observatory.store.ResultSink;
import dev.understudy.observatory.store.StoreFolder;
import dev.understudy.observatory.store.StoreQuery;
import dev.understudy.observatory.store.StoreWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How fast the observatory's store takes exchanges, and answers queries over many. */
@Command(
        name = "store",
        mixinStandardHelpOptions = true,
        description = "How fast the observatory's store takes exchanges and answers queries.")
final class StoreStudy implements Callable<Integer> {
    private static final int LEAST_A_SECOND = 50_000;
    private static final double LONGEST_QUERY = 2;
    private static final String[][] QUERIES = {
        {"count by route", "SELECT route, count(*) FROM exchanges GROUP BY route"},
        {"quantiles by route", "SELECT route, quantile_cont(millis, [0.5, 0.99, 0.999]) FROM exchanges GROUP BY route"},
        {
            "longest in each window of 50 ms",
            "SELECT time_bucket(INTERVAL 50 milliseconds, ended) AS w, max(millis) AS m FROM exchanges GROUP BY w "
                    + "ORDER BY m DESC LIMIT 20"
        },
        {"the slowest hundred", "SELECT * FROM exchanges ORDER BY millis DESC LIMIT 100"},
    };

    @Mixin
    private Stage stage = new Stage();

    @Option(names = "--exchanges", defaultValue = "10000000", description = "How many (default: 10000000).")
    private int exchanges = 10_000_000;

    @Option(names = "--runs", defaultValue = "5", description = "Of each query (default: 5).")
    private int runs = 5;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try {
            stage.put("Store", table(new StoreFolder(folder)));
        } finally {
            Stage.remove(folder);
        }
        return 0;
    }

    private String table(StoreFolder store) throws IOException, QueryException {
        long begun = System.nanoTime();
        fill(store);
        double seconds = (System.nanoTime() - begun) / 1e9;
        long bytes =
                store.segments().stream().mapToLong(StoreFolder.Segment::bytes).sum();
        Table table = new Table()
                .line("%,d exchanges of two tiers and twenty routes, %.1f bytes each on disk. A query's time has all"
                        .formatted(exchanges, (double) bytes / exchanges))
                .line("from the start of the database and the check of each segment to the last row; the median of %d."
                        .formatted(runs))
                .line("")
                .line("| | | target | |")
                .line("| --- | --- | --- | --- |")
                .line(row(
                        "taken, exchanges/s",
                        "%,.0f".formatted(exchanges / seconds),
                        "≥ %,d".formatted(LEAST_A_SECOND),
                        exchanges / seconds >= LEAST_A_SECOND));
        for (String[] query : QUERIES) {
            double[] times = new double[runs];
            for (int run = 0; run < runs; run++) {
                long asked = System.nanoTime();
                new StoreQuery(store, QueryLimits.USUAL).run(query[1], new NoRows());
                times[run] = (System.nanoTime() - asked) / 1e9;
            }
            Arrays.sort(times);
            double median = times[runs / 2];
            String row = row(
                    query[0] + ", s",
                    String.format(Locale.ROOT, "%.2f", median),
                    String.format(Locale.ROOT, "≤ %.0f", LONGEST_QUERY),
                    median <= LONGEST_QUERY);
            Stage.progress(row);
            table.line(row);
        }
        return table.toString();
    }

    private void fill(StoreFolder store) throws IOException {
        Random random = new Random(1);
        long micros = 1_764_000_000_000_000L;
        try (StoreFolder.Writing writing = store.write();
                StoreWriter writer = new StoreWriter(writing, "web.recording")) {
            for (int n = 0; n < exchanges; n++) {
                micros += 1 + random.nextInt(400);
                long took = (long) (1_000 * Math.exp(random.nextGaussian()));
                String tier = n % 2 == 0 ? "web" : "db";
                String route = "GET /route-" + random.nextInt(10);
                writer.add(new TierExchange(tier, route, n % 64, micros, micros + took, 200, 500 + took, 200, true));
            }
            writer.finish();
        }
    }

    private static String row(String what, String figure, String target, boolean met) {
        return "| " + what + " | " + figure + " | " + target + " | " + (met ? "met" : "**missed**") + " |";
    }

    private static final class NoRows implements ResultSink {
        @Override
        public void columns(List<String> names) {}

        @Override
        public boolean row(List<@Nullable Object> values) {
            return true;
        }

        @Override
        public void end() {}
    }
}
