package dev.understudy.sidecar.reduce;

import dev.understudy.divergence.wire.http.HttpReplyFramer;
import dev.understudy.divergence.wire.http.HttpRequestFramer;
import dev.understudy.divergence.wire.http.HttpSink;
import dev.understudy.divergence.wire.http.ReplyHead;
import dev.understudy.divergence.wire.http.RequestHead;
import dev.understudy.relay.stream.BlockReader;
import dev.understudy.relay.stream.RecordingReader;
import dev.understudy.sidecar.label.ReplyCondition;
import dev.understudy.sidecar.label.ReplyFacts;
import dev.understudy.sidecar.record.Contents;
import dev.understudy.sidecar.verdict.ReplyExcerpt;
import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
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

    /** Reads the two directions of one connection. */
    private static final class Conversation {
        private final List<ReplyCondition> conditions;
        private final Set<String> cookies = new HashSet<>();
        private final Deque<Long> asked = new ArrayDeque<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private final HttpRequestFramer requests = new HttpRequestFramer(new Requests());
        private final HttpReplyFramer replies = new HttpReplyFramer(new Replies());
        private @Nullable ReplyHead reply;
        private long length;
        private long now;
        private boolean fails;

        private Conversation(List<ReplyCondition> conditions) {
            this.conditions = conditions;
        }

        static Seen read(RecordingReader recording, Contents.Summary connection, List<ReplyCondition> conditions)
                throws IOException {
            Conversation conversation = new Conversation(conditions);
            for (long position : connection.blocks()) {
                BlockReader block = recording.blockAt(position);
                try {
                    for (; block.hasRecord(); block.skip()) {
                        conversation.read(block);
                    }
                } finally {
                    block.release();
                }
            }
            conversation.asked.forEach(
                    begun -> conversation.judge(ReplyFacts.none("no whole reply", conversation.millisSince(begun))));
            return new Seen(connection, conversation.fails, conversation.cookies);
        }

        private void read(BlockReader block) {
            ByteBuf data = block.data();
            now = block.nanos();
            switch (block.event()) {
                case REQUEST -> requests.feed(data.nioBuffer());
                case REPLY -> replies.feed(data.nioBuffer());
                case REPLY_END -> replies.end();
                case OPENED, PREFACE, CONNECTED, REQUEST_END, CLOSED, LOST -> {}
            }
            data.release();
        }

        private void judge(ReplyFacts facts) {
            fails |= conditions.stream().allMatch(condition -> condition.holds(facts));
        }

        private long millisSince(long nanos) {
            return TimeUnit.NANOSECONDS.toMillis(now - nanos);
        }

        /** @param pair {@code name=value}, with attributes behind it or not */
        private void cookie(String pair) {
            String plain = pair.split(";", 2)[0].strip();
            int value = plain.length() - plain.indexOf('=') - 1;
            if (value >= LEAST_COOKIE && cookies.size() < MOST_COOKIES) {
                cookies.add(plain);
            }
        }

        private final class Requests implements HttpSink<RequestHead> {
            @Override
            public void head(RequestHead head, int rawLength) {
                for (String line : head.all("cookie")) {
                    for (String pair : line.split(";", -1)) {
                        cookie(pair);
                    }
                }
                asked.add(now);
                replies.expect(head.method());
            }

            @Override
            public void body(ByteBuffer content, int rawLength) {}

            @Override
            public void end() {}

            @Override
            public void unframed(String reason, int rawLength) {}
        }

        private final class Replies implements HttpSink<ReplyHead> {
            @Override
            public void head(ReplyHead head, int rawLength) {
                reply = head;
                body.reset();
                length = 0;
                head.all("set-cookie").forEach(Conversation.this::cookie);
            }

            @Override
            public void body(ByteBuffer content, int rawLength) {
                length += content.remaining();
                byte[] kept = new byte[Math.min(content.remaining(), ReplyExcerpt.MOST_BODY - body.size())];
                content.get(kept);
                body.writeBytes(kept);
            }

            @Override
            public void end() {
                ReplyHead head = reply;
                Long begun = asked.poll();
                if (head != null && begun != null) {
                    ReplyExcerpt excerpt =
                            new ReplyExcerpt(head.status(), head.reason(), head.headers(), body.toByteArray(), length);
                    judge(ReplyFacts.of(excerpt, millisSince(begun)));
                }
            }

            @Override
            public void unframed(String reason, int rawLength) {}
        }
    }
}
