package dev.understudy.aggregator.http;

import dev.understudy.divergence.wire.http.Header;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The body of a reply that production is still receiving: appended as it comes, read by one debug connection at most.
 *
 * <p>What wasn't read yet is bounded. While nobody reads, all of it is kept, so that it can be {@linkplain #takeBack
 * taken back}. Safe for all threads.
 */
public final class LiveBody {
    private static final AtomicLong LAST = new AtomicLong();

    private final long id = LAST.incrementAndGet();
    private final long most;
    private final ArrayDeque<byte[]> pieces = new ArrayDeque<>();
    private long held;
    private List<Header> trailers = List.of();
    private @Nullable Ending ending;
    private @Nullable Executor reader;
    private Runnable news = () -> {};
    private boolean signalled;

    /** @param most bytes that may be there unread; beyond that the stream is {@link Ending#CUT_OFF} */
    LiveBody(long most) {
        this.most = most;
    }

    /** How production's reply ended. */
    public enum Ending {
        /** As it should. */
        WHOLE,
        /** The server broke it off, or the reader was too slow: what was unread is gone. */
        CUT_OFF,
        /** Production's client left: what the server would have said next isn't known. */
        LEFT
    }

    /** Tells it from all other streams of this process. */
    long id() {
        return id;
    }

    /** Bytes of memory that aren't read yet. */
    public synchronized long heldBytes() {
        return held;
    }

    /** Whether a debug connection reads it. */
    synchronized boolean isRead() {
        return reader != null;
    }

    /** Copies the next bytes. After the end it ignores them. */
    void append(ByteBuffer content) {
        synchronized (this) {
            if (ending != null || !content.hasRemaining()) {
                return;
            }
            if (held + content.remaining() > most) {
                over(Ending.CUT_OFF, List.of());
                pieces.clear();
                held = 0;
            } else {
                byte[] piece = new byte[content.remaining()];
                content.get(piece);
                pieces.add(piece);
                held += piece.length;
            }
        }
        signal();
    }

    /** No more is to come; the first ending counts. */
    void end(Ending how, List<Header> last) {
        synchronized (this) {
            if (ending == null) {
                over(how, last);
            }
        }
        signal();
    }

    private void over(Ending how, List<Header> last) {
        ending = how;
        trailers = List.copyOf(last);
    }

    /** All that came by now, of a stream that nobody has read and that ends with that. */
    synchronized byte[] takeBack() {
        if (reader != null) {
            throw new IllegalStateException("a debug connection reads it");
        }
        ByteBuffer all = ByteBuffer.allocate(Math.toIntExact(held));
        pieces.forEach(all::put);
        discard();
        return all.array();
    }

    /** Nobody will read it, or the rest of it. */
    synchronized void discard() {
        if (ending == null) {
            over(Ending.LEFT, List.of());
        }
        pieces.clear();
        held = 0;
    }

    /**
     * Begins to read.
     *
     * @param loop where {@code more} runs once after each {@link #look}, when something has come or it has ended
     */
    void read(Executor loop, Runnable more) {
        synchronized (this) {
            if (reader != null) {
                throw new IllegalStateException("it is read already");
            }
            reader = loop;
            news = more;
        }
        signal();
    }

    /** The reader looks at what is there: what comes from now on is signalled again. */
    synchronized void look() {
        signalled = false;
    }

    /** The next bytes, which are the caller's; null if there are none yet, or no more. */
    synchronized byte @Nullable [] poll() {
        byte[] piece = pieces.poll();
        held -= piece == null ? 0 : piece.length;
        return piece;
    }

    /** How it ended, once all is read; null before. */
    synchronized @Nullable Ending ending() {
        return pieces.isEmpty() ? ending : null;
    }

    /** What follows the body, once it has ended. */
    public synchronized List<Header> trailers() {
        return trailers;
    }

    /** One signal is enough until the reader looks again. */
    private void signal() {
        Executor where;
        synchronized (this) {
            if (signalled || reader == null) {
                return;
            }
            signalled = true;
            where = reader;
        }
        try {
            where.execute(news);
        } catch (RejectedExecutionException stopped) {
            discard();
        }
    }
}
