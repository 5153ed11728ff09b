package dev.understudy.observatory.command;

import dev.understudy.observatory.event.SourceCounts;
import dev.understudy.observatory.event.TierSource;
import dev.understudy.observatory.sample.SampleException;
import dev.understudy.observatory.sample.SampleReader;
import dev.understudy.observatory.sample.SampleSeries;
import dev.understudy.observatory.sample.SampleSet;
import dev.understudy.observatory.store.StoreFolder;
import dev.understudy.observatory.store.StoreWriter;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.SettingConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code understudy store add}. */
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Adds recordings, journals and samples to a store. What is added again replaces what the store has of it.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:added",
            "1:added, but for empty or damaged parts, which are named",
            "2:something couldn't be read"
        })
final class StoreAddCommand implements Callable<Integer> {
    @Option(
            names = "--store",
            paramLabel = "FOLDER",
            required = true,
            description = "The store's folder; made if need be.")
    private Path store = Path.of("");

    @Option(
            names = "--tier",
            paramLabel = "NAME=SOURCE",
            converter = TierOption.Converter.class,
            description = "A tier, and a recording of what it was asked, or the directory of an upstream in an "
                    + "aggregator's journal. Repeatable.")
    private List<TierOption> tiers = new ArrayList<>();

    @Option(
            names = "--samples",
            paramLabel = "FOLDER",
            description = "A folder or a file of understudy node. Repeatable.")
    private List<Path> samples = new ArrayList<>();

    @Option(
            names = "--keep",
            paramLabel = "SIZE",
            converter = SettingConverter.Bytes.class,
            description = "How large the store may be, 1GiB by default. The earliest segments make room.")
    private long keep = 1L << 30;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        if (tiers.isEmpty() && samples.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "nothing to add (expected: --tier or --samples)");
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        boolean whole = true;
        try (StoreFolder.Writing writing = new StoreFolder(store).write()) {
            for (TierOption tier : tiers) {
                whole &= add(writing, tier, out, err);
            }
            for (Path folder : samples) {
                whole &= add(writing, folder, out, err);
            }
            int deleted = writing.trim(keep).size();
            if (deleted > 0) {
                out.println("deleted the earliest " + deleted + " segments, to stay below " + keep + " bytes");
            }
        } catch (IOException failed) {
            err.println(failed.getMessage());
            return Exit.WRONG;
        }
        return whole ? Exit.FINE : Exit.ATTENTION;
    }

    private static boolean add(StoreFolder.Writing writing, TierOption tier, PrintWriter out, PrintWriter err)
            throws IOException {
        try (StoreWriter writer = new StoreWriter(writing, tier.tier() + "=" + absolute(tier.source()))) {
            SourceCounts counts = TierSource.read(tier.tier(), tier.source(), writer::add);
            if (counts.exchanges() == 0) {
                err.println(tier.source() + ": there is no exchange in it, so what the store has of it stays");
                return false;
            }
            writer.finish();
            out.println(tier.tier() + ", " + tier.source() + ": " + counts.exchanges() + " exchanges");
            counts.notes().forEach(note -> err.println(tier.tier() + ", " + tier.source() + ": " + note));
            return counts.omitted(SourceCounts.Omission.DAMAGED) == 0;
        }
    }

    /** One file after the other: a folder may have more values than fit in memory. */
    private static boolean add(StoreFolder.Writing writing, Path folder, PrintWriter out, PrintWriter err)
            throws IOException {
        long values = 0;
        boolean whole = true;
        List<Path> files = SampleReader.files(folder);
        for (Path file : files) {
            try (StoreWriter writer = new StoreWriter(writing, absolute(file))) {
                SampleSet set = SampleReader.read(file, Long.MIN_VALUE, Long.MAX_VALUE, SampleReader.MOST_VALUES);
                for (SampleSeries series : set.series()) {
                    writer.add(series);
                    values += series.values().length;
                }
                if (!set.series().isEmpty()) {
                    writer.finish();
                }
                if (set.badLines() > 0) {
                    err.println(file + ": " + set.badLines() + " lines left out, for example " + set.firstBadLines());
                }
            } catch (SampleException damaged) {
                err.println("left out: " + damaged.getMessage());
                whole = false;
            }
        }
        out.println(folder + ": " + files.size() + " files, " + values + " values");
        return whole;
    }

    private static String absolute(Path path) {
        return path.toAbsolutePath().normalize().toString();
    }
}
