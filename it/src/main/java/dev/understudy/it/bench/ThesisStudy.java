package dev.understudy.it.bench;

import dev.understudy.it.bench.report.Table;
import dev.understudy.it.bench.subject.Backends;
import dev.understudy.it.bench.thesis.PageTables;
import dev.understudy.it.bench.thesis.SlapTable;
import dev.understudy.it.bench.thesis.WindowTable;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tables 3.1 to 3.5 of the thesis, with real programs. */
@Command(
        name = "thesis",
        mixinStandardHelpOptions = true,
        description = "The thesis's tables 3.1 to 3.5 again, with real programs.")
final class ThesisStudy implements Callable<Integer> {
    @Mixin
    private Stage stage = new Stage();

    @Option(
            names = "--scale",
            defaultValue = "20",
            description = "How many times faster than there time runs in table 3.1 (default: 20).")
    private double scale = 20;

    @Option(names = "--repeats", defaultValue = "500", description = "Requests of each kind (default: 500).")
    private int repeats = 500;

    @Option(names = "--employees", defaultValue = "30000", description = "Rows of table 3.5 (default: 30000).")
    private int employees = 30_000;

    @Option(names = "--rounds", defaultValue = "5", description = "Runs of mysqlslap in each way (default: 5).")
    private int rounds = 5;

    @Option(names = "--seed", defaultValue = "1", description = "Of the Poisson arrivals (default: 1).")
    private long seed = 1;

    @Override
    public Integer call() throws Exception {
        Path folder = Stage.folder();
        Path sidecar = stage.sidecar();
        Table table = new Table();
        try (Backends backends = new Backends(folder)) {
            Stage.progress("thesis: table 3.1");
            new WindowTable(folder, sidecar, scale, seed).measure(table);
            Stage.progress("thesis: tables 3.2 to 3.4");
            new PageTables(folder, sidecar, backends, repeats).measure(table);
            Stage.progress("thesis: table 3.5");
            new SlapTable(folder, sidecar, employees, rounds).measure(table);
            stage.put("The thesis's studies", table.toString());
            return 0;
        } finally {
            Stage.remove(folder);
        }
    }
}
