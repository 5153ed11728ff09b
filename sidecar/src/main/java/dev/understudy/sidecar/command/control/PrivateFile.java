package dev.understudy.sidecar.command.control;

import dev.understudy.relay.stream.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

/** A file with what production and its users said: one that is created can be read by nobody else. */
public final class PrivateFile {
    private PrivateFile() {}

    /** Writes text to a file, in the place of what is there; a file that exists keeps its permissions. */
    public static void write(Path file, String text) throws IOException {
        try {
            write(
                    file,
                    text.getBytes(StandardCharsets.UTF_8),
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE));
        } catch (IOException unwritable) {
            throw new IOException(file + ": couldn't be written (" + unwritable + ")", unwritable);
        }
    }

    /**
     * Writes a file that doesn't exist yet.
     *
     * @throws FileAlreadyExistsException if it does
     */
    public static void create(Path file, byte[] bytes) throws IOException {
        write(file, bytes, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
    }

    private static void write(Path file, byte[] bytes, Set<? extends OpenOption> options) throws IOException {
        try (SeekableByteChannel channel = Files.newByteChannel(file, options, OwnerOnly.file())) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
        }
    }
}
