package dev.understudy.sidecar.resync;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a command; what is wrong is told by its exit code, and by the end of what it wrote. */
record CommandStep(List<String> command) implements Step {
    private static final int SHOWN = 400;

    /** A process that it leaves behind may go on writing, so the output isn't read to its end but left in a file. */
    @Override
    public void run(Occasion occasion) throws IOException, InterruptedException {
        Path output = Files.createTempFile("understudy-resync", ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile());
            builder.environment()
                    .putAll(Map.of(
                            "RESYNC_DEBUG", occasion.debug(),
                            "RESYNC_EPOCH", Integer.toString(occasion.epoch()),
                            "RESYNC_CAUSE", occasion.cause().name()));
            Process process = builder.start();
            try {
                if (!process.waitFor(occasion.timeout().toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException(command.get(0) + " took longer than "
                            + occasion.timeout().toSeconds() + " s" + end(output));
                }
                if (process.exitValue() != 0) {
                    throw new IOException(command.get(0) + " exited with " + process.exitValue() + end(output));
                }
            } finally {
                process.destroyForcibly();
            }
        } finally {
            Files.deleteIfExists(output);
        }
    }

    private static String end(Path output) throws IOException {
        try (SeekableByteChannel written = Files.newByteChannel(output)) {
            ByteBuffer end = ByteBuffer.allocate(SHOWN);
            written.position(Math.max(0, written.size() - SHOWN));
            int read = 0;
            while (read >= 0 && end.hasRemaining()) {
                read = written.read(end);
            }
            String text = new String(end.array(), 0, end.position(), StandardCharsets.UTF_8).strip();
            return text.isEmpty() ? "" : ": " + text;
        }
    }
}
