package dev.understudy.session.program;

import dev.understudy.sidecar.command.control.PrivateFile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The file with which other commands find a session's control ports. */
public final class ProgramAddresses {
    private ProgramAddresses() {}

    /**
     * Writes it.
     *
     * @param aggregator its control port; null without one
     * @return the file, which only this user can read
     */
    public static Path write(Path directory, URI sidecar, @Nullable InetSocketAddress aggregator, SessionTokens tokens)
            throws IOException {
        List<String> lines = new ArrayList<>();
        lines.add("export UNDERSTUDY_CONTROL_URL=" + sidecar);
        lines.add("export UNDERSTUDY_CONTROL_TOKEN=" + tokens.admin());
        if (aggregator != null) {
            lines.add("export UNDERSTUDY_AGGREGATOR_URL=http://" + AddressText.of(aggregator));
            lines.add("export UNDERSTUDY_AGGREGATOR_TOKEN=" + tokens.admin());
        }
        Path file = directory.resolve("env");
        PrivateFile.write(file, lines.stream().map(line -> line + "\n").collect(Collectors.joining()));
        return file;
    }
}
