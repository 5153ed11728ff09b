package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.sidecar.command.report.RecordingFilter;
import dev.understudy.sidecar.command.report.RedactOption;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.Har;
import dev.understudy.sidecar.record.RequestLines;
import dev.understudy.sidecar.record.TurnLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code understudy inspect}: says what is in a recording. */
@Command(
        name = "inspect",
        mixinStandardHelpOptions = true,
        versionProvider = Exit.Version.class,
        description = {
            "Shows what a recording contains: connections, bytes, times, and HTTP requests with "
                    + "credentials masked. Protocols without requests are shown as turns.",
            ""
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:read", "1:read as far as it is whole: its end is torn", "2:couldn't be read"})
final class InspectCommand implements Callable<Integer> {
    @Parameters(paramLabel = "FILE", description = "The recording.")
    private Path file = Path.of("");

    @Mixin
    private RecordingFilter filter = new RecordingFilter();

    @Mixin
    private RedactOption redact = new RedactOption();

    @Option(
            names = "--requests",
            description = "Lists the requests as well, with their numbers on their connection; of "
                    + "what isn't HTTP the turns, with"
                    + " the times at which they began, as replay --exchange takes them.")
    private boolean requests;

    @Option(
            names = "--har",
            paramLabel = "FILE",
            description = "Also writes the HTTP exchanges to a new file, as an HTTP Archive without bodies.")
    private @Nullable Path har;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public Integer call() throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Contents contents = Contents.read(file);
        Masking masking = redact.masking();
        print(contents, masking, out);
        if (har != null) {
            Map<String, Object> archive = Har.read(file, contents, summary -> filter.takes(contents, summary), masking);
            PrivateFile.create(har, new ObjectMapper().writeValueAsBytes(archive));
        }
        out.flush();
        return contents.torn() == null ? Exit.FINE : Exit.ATTENTION;
    }

    private void print(Contents contents, Masking masking, PrintWriter out) throws IOException {
        out.println("begun " + Instant.ofEpochMilli(contents.begunMillis()));
        long shown = 0;
        long asked = 0;
        long turns = 0;
        long bytes = 0;
        try (RecordingReader recording = RecordingReader.open(file)) {
            for (Contents.Summary summary : contents.connections()) {
                if (!filter.takes(contents, summary)) {
                    continue;
                }
                long taken = summary.requests().stream().filter(filter::takes).count();
                int unframed = unframed(summary);
                shown++;
                asked += taken;
                turns += unframed;
                bytes += summary.requestBytes() + summary.replyBytes();
                out.printf(
                        Locale.ROOT,
                        "#%d %s  %.3f s to %.3f s  %d bytes in, %d out, %s, %s%n",
                        summary.id(),
                        summary.between(),
                        RecordingFilter.seconds(contents, summary.firstNanos()),
                        RecordingFilter.seconds(contents, summary.lastNanos()),
                        summary.requestBytes(),
                        summary.replyBytes(),
                        unframed > 0 ? unframed + " turns" : taken + " requests",
                        summary.end());
                if (requests && unframed > 0) {
                    printTurns(contents, summary, recording, out);
                } else if (requests) {
                    printRequests(contents, summary, masking, out);
                }
            }
        }
        out.println(shown + " of " + contents.connections().size() + " connections, " + asked + " requests, "
                + (turns > 0 ? turns + " turns, " : "") + bytes + " bytes");
        if (contents.torn() != null) {
            out.println("torn: " + contents.torn());
        }
    }

    /** How many turns stand for requests; 0 where there are any. */
    private static int unframed(Contents.Summary summary) {
        return summary.requests().isEmpty() ? summary.turns() : 0;
    }

    private void printRequests(Contents contents, Contents.Summary summary, Masking masking, PrintWriter out) {
        List<RequestLines.Line> all = summary.requests();
        for (int i = 0; i < all.size(); i++) {
            RequestLines.Line line = all.get(i);
            if (filter.takes(line)) {
                out.printf(
                        Locale.ROOT,
                        "    %d.  %.3f s  %s %s%n",
                        i + 1,
                        RecordingFilter.seconds(contents, line.nanos()),
                        line.method(),
                        masking.target(line.target()));
            }
        }
    }

    private static void printTurns(
            Contents contents, Contents.Summary summary, RecordingReader recording, PrintWriter out)
            throws IOException {
        AtomicInteger number = new AtomicInteger();
        TurnLines.read(
                recording,
                summary,
                line -> out.printf(
                        Locale.ROOT,
                        "    %d.  %.3f s  @%d  %s%d bytes%n",
                        number.incrementAndGet(),
                        RecordingFilter.seconds(contents, line.nanos()),
                        line.nanos(),
                        line.word().isEmpty() ? "" : line.word() + ", ",
                        line.bytes()));
    }
}
