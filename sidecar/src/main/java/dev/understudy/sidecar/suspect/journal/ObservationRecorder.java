package dev.understudy.sidecar.suspect.journal;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.stream.OwnerOnly;
import dev.understudy.sidecar.suspect.ExchangeOutcome;
import dev.understudy.sidecar.suspect.RankingInput;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes what a ranking rests on to a compressed file, until that has as many bytes as it may have.
 *
 * <p>Each entry is its kind, its length in four bytes and, except for questions, JSON. It is written by whoever brings
 * observations, never by a lane loop. A file that can't be written ends the recording and nothing else. Its methods
 * exclude each other.
 */
public final class ObservationRecorder implements RankingInput, AutoCloseable {
    static final int OUTCOME = 'o';
    static final int BATCH = 'b';
    static final int QUESTION = 'q';

    private static final Logger LOG = LoggerFactory.getLogger(ObservationRecorder.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int BUFFER = 1 << 16;

    private final Path file;
    private final long maxSize;
    private final CountedBytes written;
    private final DataOutputStream out;
    private boolean ended;

    private ObservationRecorder(Path file, long maxSize, CountedBytes written, DataOutputStream out) {
        this.file = file;
        this.maxSize = maxSize;
        this.written = written;
        this.out = out;
    }

    /**
     * Begins a file that nobody but its owner may read.
     *
     * @param file that isn't there yet
     * @param maxSize bytes from which on nothing more is written
     * @throws IOException if it is there, or can't be made
     */
    public static ObservationRecorder create(Path file, long maxSize) throws IOException {
        Files.createFile(file, OwnerOnly.file());
        CountedBytes written = new CountedBytes(Files.newOutputStream(file));
        return new ObservationRecorder(
                file,
                maxSize,
                written,
                new DataOutputStream(new BufferedOutputStream(new GZIPOutputStream(written, BUFFER, true), BUFFER)));
    }

    @Override
    public void outcome(ExchangeOutcome outcome) {
        try {
            write(OUTCOME, JSON.writeValueAsBytes(outcome));
        } catch (IOException problem) {
            end(problem);
        }
    }

    @Override
    public void batch(byte[] json) {
        write(BATCH, json);
    }

    /** Also writes out what is buffered. */
    @Override
    public synchronized void question() {
        write(QUESTION, new byte[0]);
        if (!ended) {
            try {
                out.flush();
            } catch (IOException problem) {
                end(problem);
            }
        }
    }

    private synchronized void write(int kind, byte[] content) {
        if (ended) {
            return;
        }
        try {
            if (written.count + content.length >= maxSize) {
                LOG.warn("{}: {} bytes, so no more observations are recorded (max-size)", file, written.count);
                close();
                return;
            }
            out.writeByte(kind);
            out.writeInt(content.length);
            out.write(content);
        } catch (IOException problem) {
            end(problem);
        }
    }

    private synchronized void end(IOException problem) {
        LOG.warn("{}: observations aren't recorded any longer: {}", file, problem.toString());
        close();
    }

    @Override
    public synchronized void close() {
        if (!ended) {
            ended = true;
            try {
                out.close();
            } catch (IOException problem) {
                LOG.warn("{}: {}", file, problem.toString());
            }
        }
    }

    /** Counts what reaches the file. */
    private static final class CountedBytes extends OutputStream {
        private final OutputStream out;
        private long count;

        CountedBytes(OutputStream out) {
            this.out = out;
        }

        @Override
        public void write(int one) throws IOException {
            out.write(one);
            count++;
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            out.write(bytes, from, length);
            count += length;
        }

        @Override
        public void flush() throws IOException {
            out.flush();
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }
}
