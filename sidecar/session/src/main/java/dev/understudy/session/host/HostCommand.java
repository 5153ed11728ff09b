package dev.understudy.session.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program of this machine to its end. Its output is read to a limit, and it is killed at its time limit with all
 * that it started.
 */
public final class HostCommand {
    /** Of what a program prints; the rest is read and dropped. */
    private static final int MOST_OUTPUT = 1 << 20;

    private HostCommand() {}

    /**
     * What a program did.
     *
     * @param code its exit code; -1 if it was killed at the time limit
     * @param output what it printed, errors included
     */
    public record Result(int code, String output) {
        /** Whether it ended well. */
        public boolean isFine() {
            return code == 0;
        }

        /** The last line that it printed, where programs say what went wrong; "" if it printed nothing. */
        public String lastLine() {
            return output.lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line.strip());
        }
    }

    /**
     * Runs a program.
     *
     * @param limit after which it is killed
     * @throws IOException if there is no such program, or it may not be run
     */
    public static Result run(Duration limit, List<String> command) throws IOException, InterruptedException {
        return run(limit, Map.of(), command);
    }

    /** The same, with additions to the environment. */
    public static Result run(Duration limit, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        process.getOutputStream().close();
        StringBuilder output = new StringBuilder();
        Thread reader = new Thread(() -> read(process.getInputStream(), output), "output of " + command.get(0));
        reader.setDaemon(true);
        reader.start();
        try {
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                kill(process);
            }
            // a child that lives on may hold the pipe open
            reader.join(1000);
            synchronized (output) {
                return new Result(ended ? process.exitValue() : -1, output.toString());
            }
        } catch (InterruptedException stopped) {
            kill(process);
            throw stopped;
        }
    }

    private static void kill(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }

    private static void read(InputStream in, StringBuilder output) {
        byte[] buffer = new byte[8192];
        try (in) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                synchronized (output) {
                    int room = Math.min(n, MOST_OUTPUT - output.length());
                    output.append(new String(buffer, 0, Math.max(room, 0), StandardCharsets.UTF_8));
                }
            }
        } catch (IOException closed) {
            // the program was killed
        }
    }
}
