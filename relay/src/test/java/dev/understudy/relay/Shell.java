package dev.understudy.relay;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Programs of the machine that a test needs. */
final class Shell {
    private Shell() {}

    /** Whether there is such a program, and it ended well within a minute. */
    static boolean ran(String... command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(60, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
