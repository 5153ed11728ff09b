package dev.understudy.divergence.compare.raw;

import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.content.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the client said, and what production said until the client spoke again; all offsets are those of the connection.
 * Confined to one thread.
 */
final class RawTurn {
    /** Charged for each one that isn't judged. */
    private static final int OVERHEAD = 1024;

    private static final String PATH = "reply";
    private static final long NONE = -1;

    final long number;
    /** Where what the client said begins. */
    final long askedFrom;
    /** Where the reply begins. */
    final long from;

    final ReplyOpening request = new ReplyOpening(RawRequest.MOST_SAID);
    final ReplyOpening reply = new ReplyOpening(ReplyOpening.LONGEST_WORD + 1);
    long asked;
    /** When the first of it arrived. */
    long arrivedNanos;

    /** Where production's reply ends, so far or for good. */
    long to;

    boolean closed;
    boolean judged;
    /** Debug has been told what the client said next, or will never be. */
    boolean bounded;
    /** How far debug had spoken before it was told what the client said next. */
    long spoken;

    @Nullable
    RawTurn previous;

    private final Excerpt excerpt = new Excerpt();
    private final ByteBuffer answer = ByteBuffer.allocate(RawAnswer.MOST_SAID);
    private boolean apart;
    private boolean heard;
    private long toldNanos;
    private long heardNanos;
    private long differsAt = NONE;
    private long debugLength = NONE;
    private long hashedFrom = NONE;
    private @Nullable MessageDigest production;
    private @Nullable MessageDigest debug;
    private boolean charged;

    RawTurn(long number, long askedFrom, long from, @Nullable RawTurn previous) {
        this.number = number;
        this.askedFrom = askedFrom;
        this.from = from;
        this.to = from;
        this.previous = previous;
    }

    /** Takes the memory that it needs; false if there is none. */
    boolean charge(ByteBudget room) {
        charged = room.tryReserve(OVERHEAD);
        return charged;
    }

    void release(ByteBudget room) {
        if (charged) {
            charged = false;
            room.release(OVERHEAD);
        }
    }

    boolean replied() {
        return to > from;
    }

    /**
     * Debug is told what the client said, having said before what production had: what it says now, it says to this.
     */
    void told(long nanos) {
        apart = true;
        toldNanos = nanos;
    }

    /** Debug said that, and was told nothing else since. */
    void heard(ByteBuffer data, long nanos) {
        if (!judged && apart) {
            heard = true;
            heardNanos = nanos;
            answer.put(data.slice(data.position(), Math.min(answer.remaining(), data.remaining())));
        }
    }

    /** Where both sides begin to be known by their hashes only. */
    long hashedFrom() {
        return hashedFrom == NONE ? Long.MAX_VALUE : hashedFrom;
    }

    /** How far the bytes of production that begin at {@code offset} are known in the same way. */
    long pieceEnd(long offset) {
        return offset < hashedFrom() ? Math.min(to, hashedFrom()) : to;
    }

    /** From {@code offset} on nothing is held. */
    void hash(long offset) {
        hashedFrom = offset;
        production = Sha256.digest();
        debug = Sha256.digest();
    }

    void hashProduction(ByteBuffer bytes) {
        if (production != null) {
            production.update(bytes.duplicate());
        }
    }

    void hashDebug(ByteBuffer bytes) {
        if (debug != null) {
            debug.update(bytes.duplicate());
        }
    }

    /** Both said these bytes. */
    void same(ByteBuffer bytes) {
        excerpt.same(bytes);
    }

    /** They differ from {@code offset} on. */
    void differs(long offset) {
        differsAt = offset;
    }

    boolean differs() {
        return differsAt != NONE;
    }

    /** What they say since they differ. */
    void showProduction(ByteBuffer bytes) {
        excerpt.production(bytes);
    }

    void showDebug(ByteBuffer bytes) {
        excerpt.debug(bytes);
    }

    /** Debug's reply is known to have another length: this, or more. */
    void length(long length) {
        debugLength = length;
    }

    boolean hasOtherLength() {
        return debugLength != NONE;
    }

    /** Both replies are there: whether the hashes of what isn't held differ. */
    void compareHashes() {
        if (production != null && debug != null && !differs() && !Arrays.equals(production.digest(), debug.digest())) {
            differs(hashedFrom);
        }
        production = null;
        debug = null;
    }

    List<Difference> differences() {
        long length = to - from;
        if (!differs()) {
            return List.of(new Difference(
                    PATH,
                    Difference.Type.LENGTH,
                    described(length + " bytes", excerpt.ofProduction(), debugLength < length),
                    described(debugLength + " bytes", excerpt.ofDebug(), debugLength > length),
                    null));
        }
        String at = differsAt == hashedFrom ? "after offset " : "at offset ";
        String where = at + (differsAt - from) + " of ";
        String other = hasOtherLength() ? where + debugLength + " bytes" : at + (differsAt - from);
        return List.of(new Difference(
                PATH,
                hasOtherLength() ? Difference.Type.LENGTH : Difference.Type.VALUE,
                described(where + length + " bytes", excerpt.ofProduction(), differsAt != hashedFrom),
                described(other, excerpt.ofDebug(), differsAt != hashedFrom),
                null));
    }

    void tell(TurnSink sink, Verdict verdict) {
        sink.turn(
                new RawRequest(number, request.word(), request.text(), askedFrom, asked, arrivedNanos),
                apart ? answer() : null,
                verdict);
    }

    private RawAnswer answer() {
        boolean whole = heard && bounded && (spoken == to || hasOtherLength());
        return new RawAnswer(Excerpt.text(answer), whole, whole ? heardNanos - toldNanos : 0);
    }

    private static String described(String what, String text, boolean shown) {
        return shown && !text.isEmpty() ? what + ", said " + text : what;
    }
}
