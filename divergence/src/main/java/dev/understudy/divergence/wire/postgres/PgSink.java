package dev.understudy.divergence.wire.postgres;

import org.jspecify.annotations.Nullable;

/**
 * Receives what a framer cut, in order. The raw lengths of all calls, those to takers included, add up to exactly the
 * bytes that were fed, once {@code end} was called.
 */
public interface PgSink {
    /** A start-up packet (frontend only). */
    default void startup(StartupPacket packet, int rawLength) {}

    /**
     * The server's one-byte answer to an encryption request (backend only): {@code 'S'}, {@code 'G'} or {@code 'N'}.
     */
    default void encryptionAnswer(char answer, int rawLength) {}

    /** A whole message, or a Bind that was shortened: then it has fewer bytes than came. */
    void message(PgMessage message, int rawLength);

    /** A Query or a Parse has gone by whose text was {@linkplain LongText shortened}. */
    default void shortened(Frontend statement, char type, int rawLength) {
        oversized(type, rawLength);
    }

    /**
     * A message begins that is longer than the framer's limit, and is no Bind, Query or Parse.
     *
     * @param length bytes of its body
     * @return what takes it; null if it is to be passed over and told as {@link #oversized}
     */
    default @Nullable MessageTaker large(char type, int length) {
        return null;
    }

    /** A message that was longer than the framer's limit has gone by; its body was not kept. Framing goes on. */
    void oversized(char type, long rawLength);

    /** Bytes that aren't (or are no longer) framable. Once called, every later byte comes this way too. */
    void unframed(String reason, int rawLength);
}
