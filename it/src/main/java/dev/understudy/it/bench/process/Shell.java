package dev.understudy.it.bench.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A command that is waited for. */
public final class Shell {
    private Shell() {}

    /** Its output, both streams; an exit code other than 0 is an error. */
    public static String run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", command) + " ended with " + code + ":\n" + said);
        }
        return said;
    }
}
