package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.record.HttpDialogue;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a recording by which its failures can be seen again: those with a reply that meets conditions, and
 * those that began before the last of them ended and have a cookie of theirs.
 *
 * <p>HTTP/1.x alone. Of a body the first {@value ReplyExcerpt#MOST_BODY} bytes are looked at.
 */
public final class FailingSessions {
    /** What is shorter may be many clients' alike, such as a language. */
    static final int LEAST_COOKIE = 12;

    /** Of a connection. */
    static final int MOST_COOKIES = 256;

    private FailingSessions() {}

    /**
     * Their numbers; none if no reply meets all of the conditions.
     *
     * @throws IOException if the recording can't be read any more
     */
    public static Set<Long> find(Path file, Collection<Contents.Summary> connections, List<ReplyCondition> conditions)
            throws IOException {
        List<Seen> all = new ArrayList<>();
        try (RecordingReader recording = RecordingReader.open(file)) {
            for (Contents.Summary connection : connections) {
                all.add(Conversation.read(recording, connection, conditions));
            }
        }
        Set<String> cookies = new HashSet<>();
        long end = Long.MIN_VALUE;
        for (Seen each : all) {
            if (each.fails) {
                cookies.addAll(each.cookies);
                end = Math.max(end, each.connection.lastNanos());
            }
        }
        Set<Long> found = new HashSet<>();
        for (Seen each : all) {
            boolean isEarlier = each.connection.firstNanos() <= end;
            if (each.fails || (isEarlier && each.cookies.stream().anyMatch(cookies::contains))) {
                found.add(each.connection.id());
            }
        }
        return found;
    }

    private record Seen(Contents.Summary connection, boolean fails, Set<String> cookies) {}

    /** What one connection says of failures; of each exchange it keeps when that began. */
    private static final class Conversation extends HttpDialogue<Long> {
        private final List<ReplyCondition> conditions;
        private final Set<String> cookies = new HashSet<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private @Nullable ReplyHead reply;
        private long length;
        private boolean fails;

        private Conversation(List<ReplyCondition> conditions) {
            super(Integer.MAX_VALUE);
            this.conditions = conditions;
        }

        static Seen read(RecordingReader recording, Contents.Summary connection, List<ReplyCondition> conditions)
                throws IOException {
            Conversation conversation = new Conversation(conditions);
            conversation.read(recording, connection);
            conversation
                    .unanswered()
                    .forEach(begun ->
                            conversation.judge(ReplyFacts.none("no whole reply", conversation.millisSince(begun))));
            return new Seen(connection, conversation.fails, conversation.cookies);
        }

        private void judge(ReplyFacts facts) {
            fails |= conditions.stream().allMatch(condition -> condition.holds(facts));
        }

        private long millisSince(long nanos) {
            return TimeUnit.NANOSECONDS.toMillis(now() - nanos);
        }

        /** @param pair {@code name=value}, with attributes behind it or not */
        private void cookie(String pair) {
            String plain = pair.split(";", 2)[0].strip();
            int value = plain.length() - plain.indexOf('=') - 1;
            if (value >= LEAST_COOKIE && cookies.size() < MOST_COOKIES) {
                cookies.add(plain);
            }
        }

        @Override
        protected Long begin(RequestHead head, int rawLength) {
            for (String line : head.all("cookie")) {
                for (String pair : line.split(";", -1)) {
                    cookie(pair);
                }
            }
            return now();
        }

        @Override
        protected void replyHead(Long begun, ReplyHead head, int rawLength) {
            reply = head;
            body.reset();
            length = 0;
            head.all("set-cookie").forEach(this::cookie);
        }

        @Override
        protected void replyBody(Long begun, ByteBuffer content, int rawLength) {
            length += content.remaining();
            byte[] kept = new byte[Math.min(content.remaining(), ReplyExcerpt.MOST_BODY - body.size())];
            content.get(kept);
            body.writeBytes(kept);
        }

        @Override
        protected void end(Long begun) {
            ReplyHead head = reply;
            if (head != null) {
                ReplyExcerpt excerpt =
                        new ReplyExcerpt(head.status(), head.reason(), head.headers(), body.toByteArray(), length);
                judge(ReplyFacts.of(excerpt, millisSince(begun)));
            }
        }
    }
}
