package dev.understudy.it.suites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A suite's program, which is ended if it doesn't end by itself. */
final class SuiteProcess {
    /** More than all of a suite's tests take, each ended at its own limit. */
    private static final Duration PATIENCE = Duration.ofMinutes(12);

    private SuiteProcess() {}

    /** Its standard output is in {@code output} afterwards, its errors beside that. */
    static int run(Path folder, Path output, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Path errors = output.resolveSibling(output.getFileName() + ".err");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            if (process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                return process.exitValue();
            }
            return -1;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** As {@link #run}, with an exit code other than 0 as an error. */
    static void succeed(Path folder, Path output, List<String> command) throws IOException, InterruptedException {
        int code = run(folder, output, Map.of(), command);
        if (code != 0) {
            Path errors = output.resolveSibling(output.getFileName() + ".err");
            throw new IOException(String.join(" ", command) + " ended with " + code + ":\n" + Files.readString(output)
                    + Files.readString(errors));
        }
    }
}
