package dev.understudy.it.bench;

import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.standin.LoadPoint;
import dev.understudy.it.bench.standin.QuoteServer;
import dev.understudy.it.bench.standin.StandInTrial;
import dev.understudy.it.bench.standin.StandInTrial.Level;
import dev.understudy.it.bench.standin.StandInTrial.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** How alike stand-ins are to services, at the load that was learned and at two others. */
@Command(
        name = "standin",
        mixinStandardHelpOptions = true,
        description = "How alike stand-ins are to services: latency, processor time, bytes.")
final class StandInStudy implements Callable<Integer> {
    private static final double MOST = 10;
    private static final double MOST_P99 = 20;

    @Mixin
    private Stage stage = new Stage();

    @Option(names = "--seconds", defaultValue = "15", description = "How long a run takes (default: 15).")
    private int seconds = 15;

    @Option(names = "--rounds", defaultValue = "3", description = "Of each load (default: 3).")
    private int rounds = 3;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try {
            Table table = new Table()
                    .line("Learned at medium load in %d s. Then service and stand-in by turns, %d rounds of %d s each."
                            .formatted(seconds * 2, rounds, seconds))
                    .line("Medians: of the service, of the stand-in, and the difference.")
                    .line("")
                    .line("| service | load | requests/s | mean, ms | p95, ms | p99, ms | CPU, ms | bytes | failed |")
                    .line("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
            int[] met = new int[2];
            for (Outcome outcome : List.of(
                    trial(
                            "quotes",
                            List.of("java", "-cp", System.getProperty("java.class.path"), QuoteServer.class.getName()),
                            folder),
                    trial("pricing", List.of("java", "-jar", pricing().toString()), folder))) {
                outcome.levels().forEach(level -> table.line(row(outcome, level, met)));
            }
            table.line("")
                    .line("%d of %d figures are within %.0f %%, of p99 %.0f %%."
                            .formatted(met[0], met[1], MOST, MOST_P99));
            stage.put("Beside the service", table.toString());
        } finally {
            Stage.remove(folder);
        }
        return 0;
    }

    private Outcome trial(String service, List<String> original, Path folder) throws Exception {
        StandInTrial.Programs programs = new StandInTrial.Programs(original, stage.sidecar(), stage.standIn());
        return new StandInTrial(service, programs, folder, seconds, rounds, Stage::progress).run();
    }

    private Path pricing() {
        return stage.root().resolve(Path.of("examples", "pricing", "target", "pricing.jar"));
    }

    private static String row(Outcome outcome, Level level, int[] met) {
        return "| %s | %s | %.0f | %s | %s | %s | %s | %s | %d, %d |"
                .formatted(
                        outcome.service(),
                        level.name(),
                        level.perSecond(),
                        pair(level, LoadPoint::mean, MOST, met),
                        pair(level, LoadPoint::p95, MOST, met),
                        pair(level, LoadPoint::p99, MOST_P99, met),
                        pair(level, LoadPoint::processorMillis, MOST, met),
                        pair(level, LoadPoint::bytes, MOST, met),
                        level.original().failed(),
                        level.standIn().failed());
    }

    private static String pair(Level level, ToDoubleFunction<LoadPoint> figure, double most, int[] met) {
        double original = figure.applyAsDouble(level.original());
        double standIn = figure.applyAsDouble(level.standIn());
        double error = original == 0 ? 0 : (standIn / original - 1) * 100;
        boolean within = Math.abs(error) <= most;
        met[0] += within ? 1 : 0;
        met[1]++;
        String difference = "%+.0f %%".formatted(error);
        return "%.2f, %.2f: %s".formatted(original, standIn, within ? difference : "**" + difference + "**");
    }
}
