package dev.understudy.aggregator.mysql.sql;

import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.wire.mysql.Capabilities;
import dev.understudy.divergence.wire.mysql.PacketFramer;
import dev.understudy.divergence.wire.mysql.PacketTaker;
import dev.understudy.divergence.wire.mysql.command.CommandCode;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes one command that is too long to be held: its beginning is kept, and a hash. Confined to its connection. */
public final class LongPacket implements PacketTaker {
    /** Bytes from which a packet may be taken in pieces. */
    public static final int LONG = 256 << 10;

    /** Bytes that are kept: more than the types of as many parameters as there can be. */
    private static final int KEPT = 512 << 10;

    private final Taken then;
    private final int unhashed;
    private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
    private final MessageDigest hash = Sha256.digest();
    private final @Nullable SessionWords words;
    private long length;

    /** Is told a command once it is complete. */
    @FunctionalInterface
    public interface Taken {
        /** A command was sent that begins like this. */
        void command(byte[] beginning, LongRest rest);
    }

    private LongPacket(int unhashed, @Nullable SessionWords words, Taken then) {
        this.unhashed = unhashed;
        this.words = words;
        this.then = then;
    }

    /**
     * Begins to take one.
     *
     * @param first its code
     * @param part bytes of its first part
     * @param most bytes of a packet that is held whole
     * @return null if it is to be held, or must be since a session is followed by what it says
     */
    public static @Nullable LongPacket of(int first, int part, long most, Capabilities agreed, Taken then) {
        boolean tooLong = part > most || part == PacketFramer.FULL;
        return switch (first) {
            case CommandCode.STMT_SEND_LONG_DATA -> new LongPacket(7, null, then);
            case CommandCode.STMT_EXECUTE, CommandCode.STMT_BULK_EXECUTE ->
                tooLong ? new LongPacket(5, null, then) : null;
            case CommandCode.QUERY -> tooLong && !agreed.has(Capabilities.MULTI_STATEMENTS) ? ofText(then) : null;
            case CommandCode.STMT_PREPARE -> tooLong ? ofText(then) : null;
            default -> null;
        };
    }

    private static LongPacket ofText(Taken then) {
        return new LongPacket(1, new SessionWords(), then);
    }

    @Override
    public void part(int bytes) {
        length += bytes;
    }

    @Override
    public void bytes(ByteBuffer some) {
        if (words != null) {
            words.look(some);
        }
        int kept = Math.min(some.remaining(), KEPT - beginning.size());
        for (int i = 0; i < kept; i++) {
            byte one = some.get();
            if (beginning.size() >= unhashed) {
                hash.update(one);
            }
            beginning.write(one);
        }
        hash.update(some);
    }

    /** An array that grows may be twice as long as what is in it. */
    @Override
    public long heldBytes() {
        return 2L * beginning.size();
    }

    @Override
    public void end() {
        then.command(
                beginning.toByteArray(),
                new LongRest(length, hash.digest(), words == null ? List.of() : words.found()));
    }
}
