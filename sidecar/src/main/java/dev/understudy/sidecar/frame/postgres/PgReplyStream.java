package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.postgres.BackendFramer;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.MessageTaker;
import dev.understudy.divergence.wire.postgres.PgErrors;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.divergence.wire.postgres.PgSink;
import dev.understudy.sidecar.frame.OrderedReplies;
import dev.understudy.sidecar.frame.Request;
import dev.understudy.sidecar.frame.postgres.PgRequest.Kind;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts one side's bytes into replies; what a server says unasked (notifications, settings, its shutdown) answers
 * nobody. Confined to its lane loop.
 *
 * @param <X> what stands for a request and what comes of it
 */
final class PgReplyStream<X> extends OrderedReplies<X> {
    /** Bytes of a message that are held; of longer rows their hash. */
    private static final int LONGEST = 256 * 1024;

    private static final String TLS = "TLS";
    private static final String GSS = "GSSAPI encryption";

    private final Deque<PgRequest> requests = new ArrayDeque<>();

    /** What this side said of the columns of statements that are still known. */
    private final Map<PgStatement, List<Column>> columns = new WeakHashMap<>();

    private final BackendFramer framer = new BackendFramer(new Messages(), LONGEST);
    private final Function<X, PgReplyCopy> side;
    private final PgFrameEntry entry = new PgFrameEntry();
    private boolean copying;
    private long nanos;

    PgReplyStream(Function<X, PgReplyCopy> side, End<X> end) {
        super(end);
        this.side = side;
    }

    /** Whether bytes can't be framed since they are encrypted, for a framer's reason. */
    static boolean isEncryption(String reason) {
        return reason.equals(TLS) || reason.equals(GSS);
    }

    @Override
    public void expect(X exchange, Request request) {
        PgRequest asked = (PgRequest) request;
        if (asked.kind() == Kind.ENCRYPTION) {
            framer.expectEncryptionAnswer();
        }
        super.expect(exchange, request);
        requests.add(asked);
        nanos = System.nanoTime();
        passUnanswered();
    }

    @Override
    protected void feed(ByteBuffer bytes) {
        nanos = nanos();
        framer.feed(bytes);
    }

    /** Requests that this server has no answer to: proofs from a client that is in, data that no COPY waits for. */
    private void passUnanswered() {
        for (PgRequest next = requests.peek(); next != null && isUnanswered(next); next = requests.peek()) {
            if (next.kind() == Kind.PASSWORD) {
                next.keepBack();
            }
            copy().begin(next, columns, entry, nanos);
            finish();
        }
    }

    private boolean isUnanswered(PgRequest request) {
        return switch (request.kind()) {
            case PASSWORD -> entry.isOpen();
            case COPY_DATA -> entry.isOpen() && !copying;
            default -> false;
        };
    }

    private PgReplyCopy copy() {
        return side.apply(Objects.requireNonNull(next()));
    }

    private void finish() {
        requests.remove();
        copy().end(nanos);
        ended();
    }

    private void take(PgMessage message) {
        PgRequest request = requests.peek();
        if (request == null) {
            unasked(message);
            return;
        }
        try {
            entry.heard(message);
            copy().begin(request, columns, entry, nanos);
            copy().take(message);
        } catch (RuntimeException malformed) {
            giveUp("a malformed message");
            return;
        }
        if (ends(request, message)) {
            finish();
            passUnanswered();
        }
    }

    private void unasked(PgMessage message) {
        switch (message.type()) {
            case 'A', 'N', 'S', 'E' -> {
                // said to nobody
            }
            case 'Z' -> copying = false;
            default -> {
                if (!copying) {
                    giveUp("a reply to no request");
                }
            }
        }
    }

    private boolean ends(PgRequest request, PgMessage message) {
        switch (message.type()) {
            case 'Z' -> {
                copying = false;
                return true;
            }
            case 'G' -> {
                copying = !request.takesData();
                return copying;
            }
            case 'W' -> {
                giveUp("replication");
                return false;
            }
            case 'R' -> {
                return entry.asks();
            }
            case 'E' -> {
                return !entry.isOpen() || isFatal(message);
            }
            default -> {
                return false;
            }
        }
    }

    private static boolean isFatal(PgMessage error) {
        String severity = PgErrors.field(error, 'V');
        return "FATAL".equals(severity) || "PANIC".equals(severity);
    }

    private final class Messages implements PgSink {
        @Override
        public void encryptionAnswer(char answer, int rawLength) {
            PgRequest request = requests.peek();
            if (isUnframed() || request == null || request.kind() != Kind.ENCRYPTION) {
                giveUp("an answer to no request");
                return;
            }
            copy().begin(request, columns, entry, nanos);
            copy().encryption(answer);
            finish();
            if (answer != 'N') {
                giveUp(answer == 'S' ? TLS : GSS);
            }
        }

        @Override
        public void message(PgMessage message, int rawLength) {
            if (!isUnframed()) {
                take(message);
            }
        }

        @Override
        public @Nullable MessageTaker large(char type, int length) {
            PgRequest request = requests.peek();
            boolean row = type == 'D' || type == 'd' || type == 'V';
            return isUnframed() || request == null || !row ? null : new LargeRow(request);
        }

        @Override
        public void oversized(char type, long rawLength) {
            PgRequest request = requests.peek();
            if (!isUnframed() && request != null) {
                copy().begin(request, columns, entry, nanos);
                copy().lost();
            }
        }

        @Override
        public void unframed(String reason, int rawLength) {
            giveUp(reason);
        }
    }

    /** A row of which only the hash is kept. */
    private final class LargeRow implements MessageTaker {
        private final MessageDigest hash = Sha256.digest();
        private final PgRequest request;

        LargeRow(PgRequest request) {
            this.request = request;
        }

        @Override
        public void bytes(ByteBuffer some) {
            hash.update(some);
        }

        @Override
        public void end(int rawLength) {
            if (!isUnframed() && requests.peek() == request) {
                copy().begin(request, columns, entry, nanos);
                copy().largeRow(hash.digest(), rawLength);
            }
        }
    }
}
