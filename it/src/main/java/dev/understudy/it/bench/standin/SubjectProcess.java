package dev.understudy.it.bench.standin;

import dev.understudy.it.bench.process.CpuTimes;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A server in a process of its own, listening on a port. */
final class SubjectProcess implements Closeable {
    private static final int TRIES = 300;

    private final Process process;
    private final int port;

    private SubjectProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /**
     * Starts one, and waits until it accepts connections.
     *
     * @param command which makes it listen on that port of 127.0.0.1
     */
    static SubjectProcess start(List<String> command, int port, Path log) throws IOException, InterruptedException {
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
        builder.environment().put("SERVER_PORT", String.valueOf(port));
        SubjectProcess started = new SubjectProcess(builder.start(), port);
        for (int tried = 0; tried < TRIES; tried++) {
            try (Socket probe = new Socket()) {
                probe.connect(new InetSocketAddress("127.0.0.1", port), 1000);
                return started;
            } catch (IOException notYet) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        started.close();
        throw new IOException(command + " doesn't listen on " + port + "; see " + log);
    }

    int port() {
        return port;
    }

    /** Processor time of all its threads, in nanoseconds. */
    long processorNanos() {
        return CpuTimes.of(List.of(process.toHandle())).total();
    }

    /** Stops it in good order, as SIGTERM does. */
    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException stopped) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
