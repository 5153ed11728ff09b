package dev.understudy.it.bench;

import dev.understudy.it.bench.control.Reacting;
import dev.understudy.it.bench.control.Reactions;
import dev.understudy.it.bench.control.Search;
import dev.understudy.it.bench.control.Trial;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * How soon the controller cuts the budget, whether it keeps the debug window open, and how much of the information it
 * gets that a fixed rate could have.
 */
@Command(
        name = "control",
        mixinStandardHelpOptions = true,
        description = "The agent's controller beside fixed sampling, under constant, bursty and "
                + "growing load, and how soon it cuts the budget.")
final class ControlStudy implements Callable<Integer> {
    @Mixin
    private Stage stage = new Stage();

    @Option(
            names = "--shapes",
            split = ",",
            defaultValue = "constant,bursty,growing",
            description = "Of the load, or none (default: ${DEFAULT-VALUE}).")
    private List<String> shapes = List.of();

    @Option(
            names = "--shares",
            split = ",",
            defaultValue = "30,60,90",
            description = "Per cent of what production can serve (default: ${DEFAULT-VALUE}).")
    private List<Integer> shares = List.of();

    @Option(names = "--seconds", defaultValue = "20", description = "Of each run (default: ${DEFAULT-VALUE}).")
    private int seconds = 20;

    @Option(
            names = "--wait-micros",
            defaultValue = "1000",
            description = "How long a request waits besides its work (default: ${DEFAULT-VALUE}).")
    private long waitMicros = 1_000;

    @Option(
            names = "--window-seconds",
            defaultValue = "1",
            description = "The window holds some of what production can serve in so long (default: ${DEFAULT-VALUE}).")
    private double windowSeconds = 1;

    @Option(
            names = "--lag",
            defaultValue = "1s",
            description = "The agent's setting of that name (default: ${DEFAULT-VALUE}).")
    private String lag = "1s";

    @Option(
            names = "--reactions",
            defaultValue = "50",
            description = "How often a burst has the budget cut, to see how soon it is; 0 for "
                    + "never (default: ${DEFAULT-VALUE}).")
    private int reactions = 50;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try {
            boolean late = reactions > 0 && react(folder);
            boolean missed = !shapes.equals(List.of("none")) && search(folder);
            return late || missed ? 1 : 0;
        } finally {
            Stage.remove(folder);
        }
    }

    private boolean react(Path folder) throws Exception {
        double before = busy();
        Reactions measured = new Reacting(stage.sidecar(), stage.agent(), folder, Stage::progress).measure(reactions);
        String head = "Load average of the machine: %.1f, %.1f in the end.".formatted(before, busy());
        stage.put("How soon the budget is cut", head + "\n\n" + measured.table());
        return measured.missed();
    }

    private boolean search(Path folder) throws Exception {
        Trial trial = new Trial(stage.sidecar(), stage.agent(), folder, waitMicros, windowSeconds, seconds, lag);
        boolean missed = false;
        for (String shape : shapes) {
            Search search = new Search(trial, Stage::progress);
            double before = busy();
            for (int share : shares) {
                search.look(shape, share / 100.0);
            }
            missed |= search.missed();
            String head = ("Load average of the machine: %.1f, %.1f in the end. The window held %d "
                            + "KiB, runs were of %d s, the lag might be %s.")
                    .formatted(before, busy(), trial.window() >> 10, seconds, lag);
            stage.put("Load that is " + shape, head + "\n\n" + search.table());
        }
        return missed;
    }

    private static double busy() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
