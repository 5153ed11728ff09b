package dev.understudy.sidecar.command.ide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A run configuration of IntelliJ, in a file of its own that a project may share. */
final class IntellijRun {
    private static final int LARGEST = 1 << 16;
    private static final Pattern OURS = Pattern.compile(
            "\\s*<component name=\"ProjectRunConfigurationManager\">\\s*<configuration [^>]*name=\"([^\"]*)\"[^>]*"
                    + "type=\"Remote\".*</component>\\s*",
            Pattern.DOTALL);

    private IntellijRun() {}

    /** Where it belongs within a project. */
    static Path file(Path project, DebuggerAddress address) {
        return project.resolve(".run").resolve(address.name() + ".run.xml");
    }

    static String text(DebuggerAddress address) {
        // the name and the host have no character that XML would read
        return """
                <component name="ProjectRunConfigurationManager">
                  <configuration default="false" name="%1$s" type="Remote">
                    <option name="USE_SOCKET_TRANSPORT" value="true" />
                    <option name="SERVER_MODE" value="false" />
                    <option name="SHMEM_ADDRESS" />
                    <option name="HOST" value="%2$s" />
                    <option name="PORT" value="%3$d" />
                    <option name="AUTO_RESTART" value="false" />
                    <RunnerSettings RunnerId="Debug">
                      <option name="DEBUG_PORT" value="%3$d" />
                      <option name="LOCAL" value="false" />
                    </RunnerSettings>
                    <method v="2" />
                  </configuration>
                </component>
                """.formatted(address.name(), address.host(), address.port());
    }

    /**
     * What the file has to be.
     *
     * @throws IOException if another configuration stands in it, or it can't be read; the message names the file
     */
    static String merged(Path file, DebuggerAddress address) throws IOException {
        if (Files.exists(file)) {
            String before = Files.size(file) > LARGEST ? "" : Files.readString(file);
            Matcher ours = OURS.matcher(before);
            if (!ours.matches() || !ours.group(1).equals(address.name())) {
                throw new IOException(file + ": something else stands there (expected: the remote debugger's "
                        + "configuration " + address.name() + "; choose another --name)");
            }
        }
        return text(address);
    }
}
