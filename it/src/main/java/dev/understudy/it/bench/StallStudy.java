package dev.understudy.it.bench;

import dev.understudy.it.bench.load.Ask;
import dev.understudy.it.bench.load.Sample;
import dev.understudy.it.bench.load.SteadyHttp;
import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.subject.Subject;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether memory stays flat while the debug JVM accepts, never reads, and clients go on for an hour. */
@Command(
        name = "stall",
        mixinStandardHelpOptions = true,
        description = "Resident memory while the debug JVM stands for an hour.")
final class StallStudy implements Callable<Integer> {
    private static final int BUDGET_MEGABYTES = 256;
    private static final int ALLOWANCE_MEGABYTES = 128;
    private static final int WARM_UP_SECONDS = 10;

    @Mixin
    private Stage stage = new Stage();

    @Option(names = "--minutes", defaultValue = "60", description = "How long it stands (default: 60).")
    private int minutes = 60;

    @Option(names = "--rate", defaultValue = "1500", description = "Requests a second (default: 1500).")
    private int rate = 1500;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        String window = "window: { lane-memory: 16MiB, memory: " + BUDGET_MEGABYTES + "MiB }";
        try (Backends backends = new Backends(folder);
                Subject warm = Subject.sidecar(folder, stage.sidecar(), backends, "no tee", 0, 0, "");
                Subject stalled = Subject.sidecar(
                        folder, stage.sidecar(), backends, "stalled", backends.silent(), backends.silent(), window)) {
            new SteadyHttp("", Ask.get("/1k"), 64, rate, WARM_UP_SECONDS).measure(warm);
            double baseline = warm.residentBytes() / 1e6;
            double start = stalled.residentBytes() / 1e6;
            List<Double> seen = new ArrayList<>();
            // most connections last; others come and go, so that lanes are opened all the time
            CompletableFuture<Sample> lasting = drive(stalled, Ask.get("/1k"), rate);
            CompletableFuture<Sample> changing = drive(stalled, Ask.get("/1k").closing(), 50);
            while (!finishedWithinASecond(lasting)) {
                seen.add(stalled.residentBytes() / 1e6);
                if (seen.size() % 30 == 0) {
                    Stage.progress("stall: %d s, %.0f MB".formatted(seen.size(), seen.get(seen.size() - 1)));
                }
            }
            long failed = lasting.get().failed() + changing.get().failed();
            stage.put("A long stall", table(baseline, start, seen, lasting.get(), failed));
            return 0;
        } finally {
            Stage.remove(folder);
        }
    }

    private CompletableFuture<Sample> drive(Subject subject, Ask ask, int perSecond) {
        SteadyHttp load = new SteadyHttp("", ask, ask.keepAlive() ? 64 : 8, perSecond, minutes * 60);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return load.measure(subject);
                    } catch (InterruptedException stopped) {
                        throw new IllegalStateException(stopped);
                    }
                },
                work -> new Thread(work, "load").start());
    }

    private static boolean finishedWithinASecond(CompletableFuture<Sample> load)
            throws InterruptedException, ExecutionException {
        try {
            load.get(1, TimeUnit.SECONDS);
            return true;
        } catch (TimeoutException goesOn) {
            return false;
        }
    }

    private String table(double baseline, double start, List<Double> seen, Sample sample, long failed) {
        int quarter = Math.max(1, seen.size() / 4);
        double second = median(seen.subList(quarter, 2 * quarter));
        double last = median(seen.subList(seen.size() - quarter, seen.size()));
        double most = seen.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        double limit = start + BUDGET_MEGABYTES * 1.048576 + ALLOWANCE_MEGABYTES;
        return new Table()
                .line(("%d minutes of %,d requests/s on 64 lasting connections and 50/s on "
                                + "connections of their own; the debug")
                        .formatted(minutes, rate))
                .line("JVM accepts and never reads, the memory budget is " + BUDGET_MEGABYTES
                        + " MiB, nothing goes to disk.")
                .line("")
                .line("| resident memory | MB | target | |")
                .line("| --- | --- | --- | --- |")
                .line("| at the start | %.0f | – | |".formatted(start))
                .line("| the same load without a tee | %.0f | – | |".formatted(baseline))
                .line("| second quarter, median | %.0f | – | |".formatted(second))
                .line("| last quarter, median | %.0f | within 5 %% of the second | %s |"
                        .formatted(last, met(last <= second * 1.05)))
                .line("| most | %.0f | ≤ %.0f (start + budget + %d) | %s |"
                        .formatted(most, limit, ALLOWANCE_MEGABYTES, met(most <= limit)))
                .line("")
                .line("Production meanwhile: p50 %,.0f µs, p99 %,.0f µs, p99.9 %,.0f µs, %d of %,d requests failed."
                        .formatted(
                                sample.latencyMicros(50),
                                sample.latencyMicros(99),
                                sample.latencyMicros(99.9),
                                failed,
                                sample.operations() + failed))
                .toString();
    }

    private static String met(boolean met) {
        return met ? "met" : "**missed**";
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(Double.NaN);
    }
}
