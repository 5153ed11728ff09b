package dev.understudy.sidecar.command.report;

import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.RequestLines;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of commands that read a recording: which of its connections they are about. */
public final class RecordingFilter {
    @Option(
            names = "--connection",
            paramLabel = "N",
            description = "Only that connection, or another one that is named.")
    private @Nullable List<Long> connections;

    @Option(
            names = "--path",
            paramLabel = "TEXT",
            description = "Only connections with a request for a path with that in it.")
    private @Nullable String path;

    @Option(names = "--since", paramLabel = "SECONDS", description = "Only connections that lasted beyond that.")
    private double since = Double.NEGATIVE_INFINITY;

    @Option(names = "--until", paramLabel = "SECONDS", description = "Only connections that began before that.")
    private double until = Double.POSITIVE_INFINITY;

    /** Whether a connection of a recording is chosen. */
    public boolean takes(Contents contents, Contents.Summary summary) {
        return (connections == null || connections.contains(summary.id()))
                && (path == null || summary.requests().stream().anyMatch(this::takes))
                && seconds(contents, summary.lastNanos()) >= since
                && seconds(contents, summary.firstNanos()) <= until;
    }

    /** Of a connection that is taken, a request that is meant. */
    public boolean takes(RequestLines.Line line) {
        return path == null || line.target().contains(path);
    }

    /** How long after the recording's begin that was. */
    public static double seconds(Contents contents, long nanos) {
        return (nanos - contents.begunNanos()) / 1e9;
    }
}
