package dev.understudy.mcp.carrier;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Messages as lines: one client's, for as long as its end of standard input is open.
 *
 * <p>While {@link #MOST} messages are being answered no further one is read. Writing is guarded by the output.
 */
public final class StdioCarrier {
    private static final int MOST = 8;
    private static final int LAST_ANSWERS_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(StdioCarrier.class);

    private final MessageDispatcher dispatcher;
    private final InputStream in;
    private final OutputStream out;
    private final Semaphore room = new Semaphore(MOST);

    public StdioCarrier(MessageDispatcher dispatcher, InputStream in, OutputStream out) {
        this.dispatcher = dispatcher;
        this.in = new BufferedInputStream(in);
        this.out = out;
    }

    /** Answers until the input ends, and then waits some seconds for the last answers. */
    public void run() throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(MOST, task -> {
            Thread thread = new Thread(task, "understudy-mcp");
            thread.setDaemon(true);
            return thread;
        });
        try {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int read = in.read(); read >= 0; read = in.read()) {
                if (read == '\n') {
                    take(line, threads);
                    line = new ByteArrayOutputStream();
                } else if (line.size() <= MessageDispatcher.LONGEST) {
                    line.write(read);
                }
            }
            take(line, threads);
        } finally {
            threads.shutdown();
            if (!threads.awaitTermination(LAST_ANSWERS_SECONDS, TimeUnit.SECONDS)) {
                threads.shutdownNow();
            }
        }
    }

    private void take(ByteArrayOutputStream line, ExecutorService threads) throws InterruptedException {
        if (line.size() > MessageDispatcher.LONGEST) {
            write(dispatcher.tooLong());
            return;
        }
        byte[] message = line.toByteArray();
        if (isBlank(message)) {
            return;
        }
        room.acquire();
        threads.execute(() -> {
            try {
                write(dispatcher.answer(message));
            } finally {
                room.release();
            }
        });
    }

    private void write(byte @Nullable [] answer) {
        if (answer == null) {
            return;
        }
        synchronized (out) {
            try {
                out.write(answer);
                out.write('\n');
                out.flush();
            } catch (IOException gone) {
                LOG.debug("the client doesn't read its answer", gone);
            }
        }
    }

    private static boolean isBlank(byte[] line) {
        for (byte each : line) {
            if (each != ' ' && each != '\r' && each != '\t') {
                return false;
            }
        }
        return true;
    }
}
