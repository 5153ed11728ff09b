package dev.understudy.aggregator.postgres.sql;

import dev.understudy.aggregator.exchange.Form;
import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.postgres.PgMessage;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The data that a client sends for one COPY … FROM STDIN, as far as it decides what the server answers: its length, its
 * hash, and how it ends. However it is cut into messages, equal data is equal. None of it is kept. Confined to one
 * thread.
 */
public final class CopiedData {
    private static final int HASH_SHOWN = 4;

    private final MessageDigest digest;
    private long bytes;
    private PgMessage end = new PgMessage('d', new byte[0]);

    public CopiedData() {
        this.digest = Sha256.digest();
    }

    /** Takes a CopyData, CopyDone or CopyFail; what follows the end has no meaning. */
    public void add(PgMessage message) {
        if (ended()) {
            return;
        }
        if (message.type() == 'd') {
            digest.update(message.body());
            bytes += message.body().length;
        } else {
            end = message;
        }
    }

    /** Whether the client has said that this is all, or that it gives up. */
    public boolean ended() {
        return end.type() != 'd';
    }

    /** What the answer to a statement of a session depends on, once it has ended. Asked for once. */
    public Form form(PgSessionState state, String sql) {
        byte[] hash = digest.digest();
        String how = end.type() == 'c' ? "" : ", given up";
        String text =
                "%s with %d bytes #%s%s".formatted(sql, bytes, HexFormat.of().formatHex(hash, 0, HASH_SHOWN), how);
        return PgForms.copied(
                state,
                sql,
                text,
                ByteBuffer.allocate(Long.BYTES).putLong(bytes).array(),
                hash,
                new byte[] {(byte) end.type()},
                end.body());
    }
}
