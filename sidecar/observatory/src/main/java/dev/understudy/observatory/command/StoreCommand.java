package dev.understudy.observatory.command;

import dev.understudy.observatory.store.StoreFolder;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.SettingConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code understudy store}: what is kept for {@code understudy ask}. */
@Command(
        name = "store",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Keeps exchanges and samples as tables in a folder, in segments of Parquet that understudy ask, DuckDB, "
                    + "pandas or Spark can read.",
            ""
        },
        subcommands = StoreAddCommand.class)
public final class StoreCommand {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            versionProvider = Exit.Version.class,
            exitCodeOnExecutionException = Exit.WRONG,
            description = "Lists a store's segments.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:listed", "1:some are damaged", "2:couldn't be read"})
    int list(
            @Option(names = "--store", paramLabel = "FOLDER", required = true, description = "The store's folder.")
                    Path folder)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        List<StoreFolder.Segment> segments = existing(folder).segments();
        long bytes = 0;
        int damaged = 0;
        for (StoreFolder.Segment segment : segments) {
            boolean whole = StoreFolder.isWhole(segment);
            damaged += whole ? 0 : 1;
            bytes += segment.bytes();
            out.printf(
                    Locale.ROOT,
                    "%s  from %s  %d bytes%s%n",
                    segment.table().sqlName(),
                    Instant.EPOCH.plus(segment.firstMicros(), ChronoUnit.MICROS),
                    segment.bytes(),
                    whole ? "" : "  damaged: " + segment.file().getFileName());
        }
        out.printf(Locale.ROOT, "%d segments, %d bytes%n", segments.size(), bytes);
        return damaged == 0 ? Exit.FINE : Exit.ATTENTION;
    }

    @Command(
            name = "trim",
            mixinStandardHelpOptions = true,
            versionProvider = Exit.Version.class,
            exitCodeOnExecutionException = Exit.WRONG,
            description = "Deletes a store's earliest segments until the rest is small enough.",
            exitCodeListHeading = "%nExit codes:%n",
            exitCodeList = {"0:trimmed", "2:couldn't be done"})
    int trim(
            @Option(names = "--store", paramLabel = "FOLDER", required = true, description = "The store's folder.")
                    Path folder,
            @Option(
                            names = "--keep",
                            paramLabel = "SIZE",
                            required = true,
                            converter = SettingConverter.Bytes.class,
                            description = "How much may stay, for example 1GiB.")
                    long keep)
            throws IOException {
        try (StoreFolder.Writing writing = existing(folder).write()) {
            List<StoreFolder.Segment> deleted = writing.trim(keep);
            spec.commandLine()
                    .getOut()
                    .printf(
                            Locale.ROOT,
                            "deleted %d segments, %d bytes%n",
                            deleted.size(),
                            deleted.stream()
                                    .mapToLong(StoreFolder.Segment::bytes)
                                    .sum());
        }
        return Exit.FINE;
    }

    private static StoreFolder existing(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            throw new IOException(folder + ": no such folder (understudy store add makes it)");
        }
        return new StoreFolder(folder);
    }
}
