package dev.understudy.it.bench.clone;

import dev.understudy.it.bench.clone.DefectTrial.Defect;
import dev.understudy.it.bench.report.Table;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Runs trials, and makes tables of what they came to. */
public final class CloneTable {
    /** Most seconds that production may stand still, by megabytes of live heap. */
    private static final Map<Integer, Double> MOST = Map.of(100, 0.35, 500, 0.8, 1000, 1.5);

    private static final double SOONEST = 10;

    /** From an alert to suspects, in seconds. */
    private static final int SLOWEST = 60;
    /** The places among which the method has to be. */
    private static final int FIRST = 5;

    private final int runs;
    private final Opener folders;
    private final Remover remover;
    private final Consumer<String> progress;

    /**
     * For tables of that many runs a line.
     *
     * @param folders makes a folder for a run
     * @param remover deletes it afterwards
     * @param progress is told what begins
     */
    public CloneTable(int runs, Opener folders, Remover remover, Consumer<String> progress) {
        this.runs = runs;
        this.folders = folders;
        this.remover = remover;
        this.progress = progress;
    }

    /** Makes a folder. */
    @FunctionalInterface
    public interface Opener {
        Path open() throws IOException;
    }

    /** Deletes a folder. */
    @FunctionalInterface
    public interface Remover {
        void remove(Path folder) throws IOException;
    }

    /** By the size of the heap. */
    public String suspension(List<Integer> heaps, IntFunction<CloneTrial> trials)
            throws IOException, InterruptedException {
        Table table = new Table()
                .line("A service with 4 clients, each with one request at a time, on a new connection. Suspension is")
                .line("what the session reports; a client's longest wait includes it. Median (most) of " + runs
                        + " runs.")
                .line("")
                .line("| live heap, MB | snapshot, MiB | suspension, s | target | | longest wait, s | live after, s"
                        + " | first comparison after, s | target | | failed requests |")
                .line("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (int heap : heaps) {
            List<Cloned> all = run("clone: %d MB of heap".formatted(heap), trials.apply(heap));
            double limit = MOST.getOrDefault(heap, Double.NaN);
            double first = median(all, Cloned::comparedSeconds);
            table.line(String.format(
                    Locale.ROOT,
                    "| %d | %.0f | %s | %s | %s | %s | %s | %s | ≤ %.0f | %s | %d of %d |",
                    heap,
                    median(all, Cloned::imageMebibytes),
                    both(all, Cloned::suspensionSeconds),
                    Double.isNaN(limit) ? "–" : "≤ " + limit,
                    Double.isNaN(limit) ? "" : met(median(all, Cloned::suspensionSeconds) <= limit),
                    both(all, Cloned::waitSeconds),
                    both(all, Cloned::liveSeconds),
                    both(all, Cloned::comparedSeconds),
                    SOONEST,
                    met(first <= SOONEST),
                    all.stream().mapToLong(Cloned::failed).sum(),
                    all.stream().mapToLong(Cloned::asked).sum()));
        }
        return table.toString();
    }

    /** By how much the service writes. */
    public String writes(List<Integer> rates, IntFunction<CloneTrial> trials) throws IOException, InterruptedException {
        Table table = new Table()
                .line("The same with 100 MB of heap and a log that grows. Median (most) of " + runs + " runs.")
                .line("")
                .line("| written, MB/s | suspension, s | longest wait, s | failed requests |")
                .line("| --- | --- | --- | --- |");
        for (int rate : rates) {
            List<Cloned> all = run("clone: %d MB/s to disk".formatted(rate), trials.apply(rate));
            table.line("| %d | %s | %s | %d |"
                    .formatted(
                            rate,
                            both(all, Cloned::suspensionSeconds),
                            both(all, Cloned::waitSeconds),
                            all.stream().mapToLong(Cloned::failed).sum()));
        }
        return table.toString();
    }

    /** Whether the copy answers from the state that production had. */
    public String state(CloneTrial trial) throws IOException, InterruptedException {
        Table table = new Table()
                .line("Counters in the heap that grow with each request, users who logged in before the clone, while")
                .line("4 clients ask without a break, at the moment of the snapshot, too.")
                .line("")
                .line("| run | exchanges | SAME or EQUIVALENT | DIFFERENT | not compared | share |")
                .line("| --- | --- | --- | --- | --- | --- |");
        int number = 0;
        for (Cloned cloned : run("clone: state", trial)) {
            number++;
            long all = cloned.compared() + cloned.different() + cloned.notCompared();
            table.line(String.format(
                    Locale.ROOT,
                    "| %d | %d | %d | %d | %d | %.3f %% |",
                    number,
                    all,
                    cloned.compared(),
                    cloned.different(),
                    cloned.notCompared(),
                    100.0 * cloned.compared() / Math.max(1, all)));
        }
        return table.toString();
    }

    /**
     * Whether the copy shows a defect of production's memory, and how soon.
     *
     * @param trials makes those of a defect with a way of copying
     */
    public String defects(BiFunction<Defect, String, DefectTrial> trials) throws IOException, InterruptedException {
        Table table = new Table()
                .line("The memory went bad before the session began. An alert arrives; from then on nobody types.")
                .line("Failing exchanges are the copy's, of one run; seconds are from the alert until suspects and")
                .line("report were there, median (most) of " + runs + " runs.")
                .line("")
                .line("| defect | copy | failing in the copy | rank of its method | target | | from alert to suspects,"
                        + " s | target | |")
                .line("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
        for (Defect defect : Defect.values()) {
            for (String clone : List.of("criu", "restart")) {
                boolean isLive = clone.equals("criu");
                List<DefectOutcome> all = new ArrayList<>();
                for (int run = 1; run <= runs; run++) {
                    progress.accept("clone: " + defect.text() + ", " + clone + ", run " + run + " of " + runs);
                    Path folder = folders.open();
                    try {
                        all.add(trials.apply(defect, clone).run(folder));
                    } finally {
                        remover.remove(folder);
                    }
                }
                table.line(row(defect, isLive, all));
            }
        }
        return table.toString();
    }

    private static String row(Defect defect, boolean isLive, List<DefectOutcome> all) {
        double[] seconds =
                all.stream().mapToDouble(DefectOutcome::seconds).sorted().toArray();
        boolean isMet =
                all.stream().allMatch(each -> isLive ? each.rank() > 0 && each.rank() <= FIRST : each.rank() == 0);
        String ranks = all.stream()
                .map(each -> each.rank() == 0 ? "none" : Integer.toString(each.rank()))
                .collect(Collectors.joining(", "));
        return String.format(
                Locale.ROOT,
                "| %s | %s | %d | %s | %s | %s | %s | %s | %s |",
                defect.text(),
                isLive ? "LIVE" : "RESTARTED",
                all.get(0).failing(),
                ranks,
                isLive ? "1 to 5" : "none",
                met(isMet),
                isLive
                        ? String.format(
                                Locale.ROOT, "%.1f (%.1f)", seconds[seconds.length / 2], seconds[seconds.length - 1])
                        : "–",
                isLive ? "≤ " + SLOWEST : "",
                isLive ? met(seconds[seconds.length / 2] <= SLOWEST) : "");
    }

    private List<Cloned> run(String what, CloneTrial trial) throws IOException, InterruptedException {
        List<Cloned> all = new ArrayList<>();
        for (int run = 1; run <= runs; run++) {
            progress.accept(what + ", run " + run + " of " + runs);
            Path folder = folders.open();
            try {
                all.add(trial.run(folder));
            } finally {
                remover.remove(folder);
            }
        }
        return all;
    }

    private static double median(List<Cloned> all, ToDoubleFunction<Cloned> value) {
        double[] sorted = all.stream().mapToDouble(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private static String both(List<Cloned> all, ToDoubleFunction<Cloned> value) {
        double most = all.stream().mapToDouble(value).max().orElse(Double.NaN);
        return String.format(Locale.ROOT, "%.2f (%.2f)", median(all, value), most);
    }

    private static String met(boolean is) {
        return is ? "met" : "**missed**";
    }
}
