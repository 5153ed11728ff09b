package dev.understudy.it.bench.control;

import dev.understudy.it.bench.process.Tool;
import dev.understudy.it.control.MillServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * JVMs that serve with the {@link Mill}. Immutable.
 *
 * @param classes the mill's
 */
record MillJvm(Path classes) {
    /** Compiles the mill into that folder. */
    static MillJvm compiled(Path classes) throws IOException {
        Mill.compile(Files.createDirectories(classes));
        return new MillJvm(classes);
    }

    /** Starts one. */
    Tool start(Path home, int port, long waitMicros, List<String> options) throws IOException {
        Files.createDirectories(home);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:CICompilerCount=2",
                "-Dsun.net.httpserver.nodelay=true")); // else a reply waits 40 ms for an acknowledgement
        command.addAll(options);
        command.addAll(List.of(
                "-cp",
                classes + File.pathSeparator + System.getProperty("java.class.path"),
                MillServer.class.getName(),
                Integer.toString(port),
                Long.toString(waitMicros),
                Mill.MAIN));
        return Tool.start(home, command);
    }
}
