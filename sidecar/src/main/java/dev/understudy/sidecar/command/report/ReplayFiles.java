package dev.understudy.sidecar.command.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.sidecar.command.control.PrivateFile;
import dev.understudy.sidecar.replay.ReplayReport;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The files that a command which replays can write. */
public final class ReplayFiles {
    @Option(
            names = "--json",
            paramLabel = "FILE",
            description =
                    "Writes the verdict of each exchange as JSON, of 10000 that are as recorded and 10000 others at"
                            + " most.")
    private @Nullable Path json;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Writes a summary in Markdown, for a comment on a change.")
    private @Nullable Path markdown;

    /**
     * Writes those that are wanted.
     *
     * @param document what stands in the JSON; of {@code report}, perhaps with more
     * @throws IOException if one can't be written
     */
    public void write(ReplayReport report, ObjectNode document) throws IOException {
        if (json != null) {
            PrivateFile.write(
                    json, new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document) + "\n");
        }
        if (markdown != null) {
            PrivateFile.write(markdown, report.markdown());
        }
    }
}
