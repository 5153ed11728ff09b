package dev.understudy.sidecar.command;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.mask.Masking;
import dev.understudy.sidecar.command.control.Exit;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.Har;
import dev.understudy.sidecar.record.RequestLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
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
            "Says what is in a recording: connections, bytes, times, and HTTP requests with credentials masked.",
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

    @Option(names = "--requests", description = "Lists the requests as well, with their numbers on their connection.")
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
            Files.write(har, new ObjectMapper().writeValueAsBytes(archive), StandardOpenOption.CREATE_NEW);
        }
        out.flush();
        return contents.torn() == null ? Exit.FINE : Exit.ATTENTION;
    }

    private void print(Contents contents, Masking masking, PrintWriter out) {
        out.println("begun " + Instant.ofEpochMilli(contents.begunMillis()));
        long shown = 0;
        long asked = 0;
        long bytes = 0;
        for (Contents.Summary summary : contents.connections()) {
            if (!filter.takes(contents, summary)) {
                continue;
            }
            List<RequestLines.Line> all = summary.requests();
            List<RequestLines.Line> lines = all.stream().filter(filter::takes).toList();
            shown++;
            asked += lines.size();
            bytes += summary.requestBytes() + summary.replyBytes();
            out.printf(
                    Locale.ROOT,
                    "#%d %s  %.3f s to %.3f s  %d bytes in, %d out, %d requests, %s%n",
                    summary.id(),
                    summary.between(),
                    RecordingFilter.seconds(contents, summary.firstNanos()),
                    RecordingFilter.seconds(contents, summary.lastNanos()),
                    summary.requestBytes(),
                    summary.replyBytes(),
                    lines.size(),
                    summary.end());
            if (requests) {
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
        }
        out.println(shown + " of " + contents.connections().size() + " connections, " + asked + " requests, " + bytes
                + " bytes");
        if (contents.torn() != null) {
            out.println("torn: " + contents.torn());
        }
    }
}
