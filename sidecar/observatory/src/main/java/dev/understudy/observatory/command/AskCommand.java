package dev.understudy.observatory.command;

import dev.understudy.observatory.store.QueryException;
import dev.understudy.observatory.store.QueryLimits;
import dev.understudy.observatory.store.RemovedAtExit;
import dev.understudy.observatory.store.StoreFolder;
import dev.understudy.observatory.store.StoreQuery;
import dev.understudy.relay.stream.OwnerOnly;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.SettingConverter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy ask}: SQL over a store. */
@Command(
        name = "ask",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        exitCodeOnExecutionException = Exit.WRONG,
        description = {
            "Answers an SQL query over the exchanges and samples in a store. The SQL is DuckDB's; a query only reads.",
            "",
            "Tables: exchanges (tier, route, connection, began, ended, millis, request_bytes, reply_bytes, status, "
                    + "sure, origin), samples (taken, source, metric, value, origin). Times are UTC.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:answered", "1:answered without damaged segments, which are named", "2:couldn't be answered"})
public final class AskCommand implements Callable<Integer> {
    private static final long LONGEST_QUERY = 1 << 20;

    @Parameters(arity = "0..1", paramLabel = "SQL", description = "The query, for example \"SELECT * FROM exchanges\".")
    private @Nullable String sql;

    @Option(names = "--file", paramLabel = "FILE", description = "Reads the query from a file.")
    private @Nullable Path file;

    @Option(names = "--store", paramLabel = "FOLDER", required = true, description = "The store's folder.")
    private Path store = Path.of("");

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "${COMPLETION-CANDIDATES}; table by default. Parquet needs --out.")
    private ResultFormat format = ResultFormat.TABLE;

    @Option(names = "--out", paramLabel = "FILE", description = "Writes the answer to a new file.")
    private @Nullable Path out;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            converter = SettingConverter.Time.class,
            description = "Cancels the query after this time; 1m by default.")
    private Duration timeout = QueryLimits.USUAL.time();

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SettingConverter.Bytes.class,
            description = "How much memory the query may take; 512MiB by default. What doesn't fit goes to a "
                    + "temporary folder of at most eight times that size.")
    private long memory = QueryLimits.USUAL.memoryBytes();

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        String query = query();
        if (!Files.isDirectory(store)) {
            err.println(store + ": no such folder (understudy store add makes it)");
            return Exit.WRONG;
        }
        StoreQuery asked = new StoreQuery(new StoreFolder(store), new QueryLimits(timeout, memory, 8 * memory));
        try {
            answer(asked, query);
        } catch (QueryException wrong) {
            err.println(wrong.getMessage());
            return Exit.WRONG;
        } catch (FileAlreadyExistsException there) {
            err.println(there.getFile() + ": exists already (expected: a new file)");
            return Exit.WRONG;
        }
        asked.damaged().forEach(left -> err.println(left + ": damaged, and left out"));
        return asked.damaged().isEmpty() ? Exit.FINE : Exit.ATTENTION;
    }

    private void answer(StoreQuery asked, String query) throws QueryException, IOException {
        Path to = out;
        if (format == ResultFormat.PARQUET) {
            if (to == null) {
                throw new ParameterException(spec.commandLine(), "--format parquet needs --out FILE");
            }
            asked.write(query, to);
        } else if (to == null) {
            asked.run(query, format.to(spec.commandLine().getOut()));
        } else {
            write(asked, query, to);
        }
    }

    private void write(StoreQuery asked, String query, Path to) throws QueryException, IOException {
        Files.createFile(to, OwnerOnly.file());
        try (RemovedAtExit unfinished = RemovedAtExit.of(to)) {
            try (Writer writer = Files.newBufferedWriter(to)) {
                asked.run(query, format.to(writer));
            }
            unfinished.keep();
        }
    }

    private String query() throws IOException {
        Path from = file;
        if ((sql == null) == (from == null)) {
            throw new ParameterException(spec.commandLine(), "expected: a query, or --file FILE with one");
        }
        if (from == null) {
            return String.valueOf(sql);
        }
        if (Files.size(from) > LONGEST_QUERY) {
            throw new ParameterException(spec.commandLine(), from + ": longer than a query may be (1 MiB)");
        }
        return Files.readString(from);
    }
}
