package dev.understudy.sidecar.frame.postgres;

import dev.understudy.divergence.compare.sql.SqlReply;
import dev.understudy.divergence.compare.sql.SqlReplyCapture;
import dev.understudy.divergence.content.TextSpan;
import dev.understudy.divergence.wire.postgres.Column;
import dev.understudy.divergence.wire.postgres.PgMessage;
import dev.understudy.sidecar.frame.ReplyCopy;
import dev.understudy.sidecar.frame.ReplyMemory;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keeps what one side's reply says. Confined to its lane loop. */
final class PgReplyCopy extends ReplyCopy {
    private final int most;
    private @Nullable PgResults results;
    private @Nullable SqlReplyCapture capture;
    private String said = "";
    private @Nullable String way;
    private boolean outside;
    private boolean proof;

    /** @param most bytes that are kept */
    PgReplyCopy(ReplyMemory memory, int most) {
        super(memory);
        this.most = most;
    }

    /**
     * Something of the reply came, if it hasn't begun yet.
     *
     * @param columns that this server's statements are known to have; more are added
     */
    void begin(PgRequest request, Map<PgStatement, List<Column>> columns, PgFrameEntry entry, long nanos) {
        outside = !entry.isOpen();
        proof = entry.wantsProof();
        way = entry.said();
        if (!begun()) {
            begin(nanos);
            if (keeps()) {
                capture = new SqlReplyCapture(most);
            }
            results = new PgResults(request, columns, entry, capture == null ? new SqlReplyCapture(0) : capture);
        }
    }

    /** @throws RuntimeException if the message isn't what its type says */
    void take(PgMessage message) {
        PgResults into = results;
        if (into != null) {
            into.take(message);
            said = into.said();
            charge();
        }
    }

    /** A row that is too long to be held. */
    void largeRow(byte[] hash, int length) {
        if (results != null) {
            results.largeRow(hash, length);
            charge();
        }
    }

    /** A part that is too long to be held. */
    void lost() {
        if (capture != null) {
            capture.lost();
        }
    }

    void encryption(char answer) {
        if (capture != null) {
            capture.fact("encryption", String.valueOf(answer));
        }
    }

    void end(long nanos) {
        complete(nanos);
        if (capture != null) {
            capture.end();
            charge();
        }
    }

    /** Its first error or tag: {@code ERROR 23505}, {@code INSERT 0 1}. */
    @Override
    public String said() {
        return said;
    }

    /** How this server answered a client that wants to be let in; null if it didn't. */
    @Nullable
    String way() {
        return way;
    }

    /** Whether this server hadn't let the client in by its end. */
    boolean isOutside() {
        return outside;
    }

    /** Whether it wants a proof that the client gave to the other server, and can't give to this one. */
    boolean wantsProof() {
        return proof;
    }

    /** The reply, or null if there was no room to keep it. */
    @Nullable
    SqlReply finish(TextSpan times) {
        return capture == null ? null : capture.finish(times);
    }

    @Override
    protected @Nullable SqlReplyCapture kept() {
        return capture;
    }

    @Override
    protected void forget() {
        capture = null;
        if (results != null) {
            results.into(new SqlReplyCapture(0));
        }
    }
}
