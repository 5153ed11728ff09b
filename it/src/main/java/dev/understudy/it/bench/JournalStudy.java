package dev.understudy.it.bench;

import dev.understudy.it.bench.journal.Recordings;
import dev.understudy.it.bench.journal.Recordings.Recorded;
import dev.understudy.it.bench.report.Table;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** What a recorded exchange takes in the aggregator's memory, beside what it was on the wire. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        description = "Heap per recorded exchange, by protocol and kind of request.")
final class JournalStudy implements Callable<Integer> {
    private static final double FACTOR = 1.3;
    private static final int FIXED = 200;

    @Mixin
    private Stage stage = new Stage();

    @Option(names = "--exchanges", defaultValue = "200000", description = "Of each kind (default: 200000).")
    private int exchanges = 200_000;

    @Override
    public Integer call() throws Exception {
        Table table = new Table()
                .line("%,d exchanges of each kind are given to the recorders as bytes; heap is what is used after a"
                        .formatted(exchanges))
                .line("collection with them less what was used without. Bytes are those of "
                        + "request and reply on the wire.")
                .line("At most %.1f of these and %d more are allowed.".formatted(FACTOR, FIXED))
                .line("")
                .line("| exchange | requests | bytes | heap | allowed | |")
                .line("| --- | --- | --- | --- | --- | --- |");
        for (Recordings.Kind kind : Recordings.KINDS) {
            for (boolean different : new boolean[] {true, false}) {
                Recorded recorded = Recordings.measure(kind, different, exchanges);
                double allowed = FACTOR * recorded.wireBytes() + FIXED;
                String row = String.format(
                        Locale.ROOT,
                        "| %s | %s | %.0f | %.0f | %.0f | %s |",
                        kind.name(),
                        different ? "all different" : "all equal",
                        recorded.wireBytes(),
                        recorded.heapBytes(),
                        allowed,
                        recorded.heapBytes() <= allowed ? "met" : "**missed**");
                Stage.progress(row);
                table.line(row);
            }
        }
        stage.put("Journal", table.toString());
        return 0;
    }
}
