package dev.understudy.standin.run;

import dev.understudy.standin.model.ReplyModel;
import dev.understudy.standin.model.RouteModel;
import dev.understudy.standin.value.ValueMaker;
import dev.understudy.standin.value.ValueModel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** Makes replies: the same request gets the same one. Immutable. */
final class ReplyMaker {
    private static final int MOST_BODY = 64 << 20;
    private static final byte[] FILLER = "lorem ipsum dolor sit amet ".getBytes(StandardCharsets.US_ASCII);

    private final long seed;

    ReplyMaker(long seed) {
        this.seed = seed;
    }

    /**
     * The reply to one request.
     *
     * @param bodyHash of its body's bytes
     */
    MadeReply make(RouteModel route, String target, int bodyHash) {
        long key = seed * 31 + hash(route.request().method() + " " + target);
        SplittableRandom random = new SplittableRandom(key * 31 + bodyHash);
        ReplyModel reply = chosen(route.replies(), random.nextDouble());
        return new MadeReply(reply.status(), reply.contentType(), body(reply, random));
    }

    private static ReplyModel chosen(List<ReplyModel> replies, double share) {
        double left = share;
        for (ReplyModel reply : replies) {
            left -= reply.share();
            if (left < 0) {
                return reply;
            }
        }
        return replies.get(0);
    }

    private static byte[] body(ReplyModel reply, SplittableRandom random) {
        ValueModel json = reply.body();
        if (json != null) {
            return new ValueMaker(random).make(json).toString().getBytes(StandardCharsets.UTF_8);
        }
        byte[] body = new byte[(int) Math.min(MOST_BODY, Math.round(reply.size().at(random.nextDouble())))];
        for (int i = 0; i < body.length; i++) {
            body[i] = FILLER[i % FILLER.length];
        }
        return body;
    }

    /** Other than {@link String#hashCode} it has 64 bits, so that few targets share one. */
    private static long hash(String text) {
        long hash = 1125899906842597L;
        for (int i = 0; i < text.length(); i++) {
            hash = 31 * hash + text.charAt(i);
        }
        return hash;
    }
}
