package dev.understudy.sidecar.suspect.journal;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.sidecar.suspect.ExchangeOutcome;
import dev.understudy.sidecar.suspect.Suspects;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Feeds a recorded ranking's input to another ranking, in the same order. Stateless. */
public final class ObservationReader {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** As large as an agent's report may be. */
    private static final int LARGEST = 8 << 20;

    private ObservationReader() {}

    /**
     * Reads the file to its end, or to where its writer was ended.
     *
     * @param asked is run where somebody had asked for the suspects
     * @throws IOException if it can't be read, or isn't such a file; the message says what was expected
     */
    public static void read(Path file, Suspects suspects, Runnable asked) throws IOException {
        try (DataInputStream in = new DataInputStream(
                new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file)), 1 << 16))) {
            while (true) {
                int kind = in.readUnsignedByte();
                byte[] content = content(file, in);
                switch (kind) {
                    case ObservationRecorder.OUTCOME -> suspects.ended(JSON.readValue(content, ExchangeOutcome.class));
                    case ObservationRecorder.BATCH -> suspects.observed(content);
                    case ObservationRecorder.QUESTION -> asked.run();
                    default ->
                        throw new IOException(
                                file + ": an entry of kind " + kind + " (expected: recorded observations)");
                }
            }
        } catch (EOFException end) {
            // all that was written
        } catch (RuntimeException damaged) {
            throw new IOException(file + ": " + damaged + " (expected: recorded observations)", damaged);
        }
    }

    private static byte[] content(Path file, DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > LARGEST) {
            throw new IOException(file + ": an entry of " + length + " bytes (expected: at most " + LARGEST + ")");
        }
        byte[] content = in.readNBytes(length);
        if (content.length < length) {
            throw new EOFException();
        }
        return content;
    }
}
