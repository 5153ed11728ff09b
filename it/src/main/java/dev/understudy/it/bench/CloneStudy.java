package dev.understudy.it.bench;

import dev.understudy.it.bench.clone.CloneTable;
import dev.understudy.it.bench.clone.CloneTrial;
import dev.understudy.it.bench.clone.DefectTrial;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What {@code understudy debug} costs the service that it copies, and how much of its state the copy has. */
@Command(
        name = "clone",
        mixinStandardHelpOptions = true,
        description = "How long a live clone suspends production, and whether the copy answers as production does."
                + " Needs root and CRIU.")
final class CloneStudy implements Callable<Integer> {
    @Mixin
    private Stage stage = new Stage();

    @Option(
            names = "--runs",
            defaultValue = "5",
            description = "Clones for each line; 0 leaves all but the defects out (default: 5).")
    private int runs = 5;

    @Option(
            names = "--heaps",
            defaultValue = "100,500,1000",
            split = ",",
            description = "Megabytes of live heap (default: 100,500,1000).")
    private List<Integer> heaps = List.of(100, 500, 1000);

    @Option(
            names = "--writes",
            defaultValue = "0,1,5,10",
            split = ",",
            description =
                    "Megabytes a second that the service writes to disk, with 100 MB of heap (default: 0,1,5,10).")
    private List<Integer> writes = List.of(0, 1, 5, 10);

    @Option(
            names = "--exchanges",
            defaultValue = "10000",
            description = "Exchanges of the run that compares state; 0 leaves it out (default: 10000).")
    private long exchanges = 10_000;

    @Option(
            names = "--defects",
            defaultValue = "3",
            description = "Runs for each defect of production's memory; 0 leaves them out (default: 3).")
    private int defects = 3;

    @Override
    public Integer call() throws Exception {
        Path understudy = stage.root().resolve("understudy");
        if (runs > 0) {
            clones(understudy);
        }
        if (defects > 0) {
            CloneTable shops = new CloneTable(defects, Stage::folder, Stage::remove, Stage::progress);
            stage.put(
                    "Defects of production's memory",
                    shops.defects((defect, clone) -> new DefectTrial(understudy, defect, clone)));
        }
        return 0;
    }

    private void clones(Path understudy) throws IOException, InterruptedException {
        CloneTable table = new CloneTable(runs, Stage::folder, Stage::remove, Stage::progress);
        stage.put("Suspension", table.suspension(heaps, heap -> new CloneTrial(understudy, heap, 0, 100)));
        stage.put(
                "While the service writes to disk",
                table.writes(writes, rate -> new CloneTrial(understudy, 100, rate, 100)));
        if (exchanges > 0) {
            stage.put("State", table.state(new CloneTrial(understudy, 100, 0, exchanges)));
        }
    }
}
