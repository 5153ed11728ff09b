package dev.understudy.session.command;

import dev.understudy.session.program.SourceArchive;
import dev.understudy.sidecar.source.SourceRoots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that names the source of what the service runs. */
final class SourceOptions {
    @Option(
            names = "--source",
            paramLabel = "PATH",
            description = "A folder or a jar with the source of what the service runs, which the console shows beside"
                    + " suspects: a project, a folder above packages, or a jar of sources. Its files are copied once."
                    + " May be given again.")
    private List<Path> sources = new ArrayList<>();

    /**
     * What was named, as it is now.
     *
     * @throws IOException if one can't be read, or holds no source; the message names it
     */
    List<SourceArchive> read() throws IOException {
        if (sources.size() > SourceRoots.MOST) {
            throw new IOException("--source: " + sources.size() + " (expected: at most " + SourceRoots.MOST + ")");
        }
        for (Path source : sources) {
            if (!Files.isReadable(source)) {
                throw new IOException("--source " + source + ": no such file (expected: a folder, or a jar)");
            }
        }
        return SourceArchive.of(sources);
    }
}
