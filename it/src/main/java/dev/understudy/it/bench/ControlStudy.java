package dev.understudy.it.bench;

import dev.understudy.it.bench.control.Search;
import dev.understudy.it.bench.control.Trial;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Whether the controller keeps the debug window open, and how much of the information it gets that a fixed rate could have. */
@Command(
        name = "control",
        mixinStandardHelpOptions = true,
        description = "The agent's controller beside fixed sampling, under constant, bursty and growing load.")
final class ControlStudy implements Callable<Integer> {
    @Mixin
    private Stage stage = new Stage();

    @Option(
            names = "--shapes",
            split = ",",
            defaultValue = "constant,bursty,growing",
            description = "Of the load (default: ${DEFAULT-VALUE}).")
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

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        try {
            Trial trial = new Trial(stage.sidecar(), stage.agent(), folder, waitMicros, windowSeconds, seconds);
            boolean missed = false;
            for (String shape : shapes) {
                Search search = new Search(trial, Stage::progress);
                double before = busy();
                for (int share : shares) {
                    search.look(shape, share / 100.0);
                }
                missed |= search.missed();
                String head =
                        "Load average of the machine: %.1f, %.1f in the end. The window held %d KiB, runs were of %d s."
                                .formatted(before, busy(), trial.window() >> 10, seconds);
                stage.put("Load that is " + shape, head + "\n\n" + search.table());
            }
            return missed ? 1 : 0;
        } finally {
            Stage.remove(folder);
        }
    }

    private static double busy() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
