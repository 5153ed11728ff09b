package dev.understudy.aggregator.http.grpc;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.http.Header;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Hashes the messages of one direction of a gRPC call as they come, whatever frames they come in: a flag, a length of
 * four bytes, and that many bytes. Keeps nothing. Confined to one thread.
 */
public final class GrpcMessages {
    /** Bytes of a hash. */
    static final int HASH = 32;

    /** Hashes of a call's messages that are held. */
    static final int MOST = 10_000;

    private static final int PREFIX = 5;

    private final MessageDigest digest = Sha256.digest();
    private final Consumer<byte[]> complete;
    private int inPrefix;
    private long left;

    /** @param complete is told the hash of each message when it is complete, in order */
    GrpcMessages(Consumer<byte[]> complete) {
        this.complete = complete;
    }

    /** Whether a request with these headers is one of gRPC. */
    public static boolean isGrpc(List<Header> headers) {
        return headers.stream()
                .filter(header -> header.is("content-type"))
                .map(header -> header.value().toLowerCase(Locale.ROOT))
                .anyMatch(type -> type.equals("application/grpc")
                        || type.startsWith("application/grpc+")
                        || type.startsWith("application/grpc;"));
    }

    /** Takes the remaining bytes of a copy, so that the buffer stays as it is. */
    void feed(ByteBuffer content) {
        ByteBuffer in = content.duplicate();
        while (in.hasRemaining()) {
            if (inPrefix < PREFIX) {
                byte next = in.get();
                digest.update(next);
                left = inPrefix == 0 ? 0 : left << 8 | (next & 0xff);
                inPrefix++;
            } else {
                int taken = (int) Math.min(left, in.remaining());
                digest.update(in.slice(in.position(), taken));
                in.position(in.position() + taken);
                left -= taken;
            }
            if (inPrefix == PREFIX && left == 0) {
                inPrefix = 0;
                complete.accept(digest.digest());
            }
        }
    }
}
