package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.body.BodyWriter;
import dev.understudy.aggregator.http.HttpPace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Takes down how much of its reply production had got when it had sent how much of its request: in memory, or from some
 * point on in the reply's file, between its bytes. Confined to its connection.
 */
public final class GrpcPace {
    private final GrpcMessages messages = new GrpcMessages(this::said);
    private final List<byte[]> hashes = new ArrayList<>();
    private final List<HttpPace.Release> releases = new ArrayList<>();
    private byte[] first = {};
    private @Nullable StepWriter file;
    private boolean ended;
    private boolean answered;
    private boolean conversation;
    private boolean opensWithReply;
    private boolean tooLong;

    public void request(ByteBuffer content) {
        messages.feed(content);
    }

    private void said(byte[] hash) {
        first = answered && first.length > 0 ? first : GrpcForms.with(first, hash);
        if (file != null) {
            file.said(hash);
        } else if (!tooLong) {
            hashes.add(hash);
        }
    }

    /**
     * The request is complete: one that isn't answered yet is no conversation, and what was written of it isn't wanted.
     */
    public void requestEnd() {
        ended = true;
        if (!answered) {
            hashes.clear();
            file = null;
        } else if (file != null) {
            file.ended();
        }
    }

    /** The reply has begun, or has ended without a body. */
    public void answered() {
        if (!answered) {
            answered = true;
            conversation = !ended;
            opensWithReply = !ended && first.length == 0;
        }
    }

    /** The reply's body, of which so many bytes are in memory, has grown. */
    public void reply(int bytes) {
        int sent = hashes.size();
        int last = releases.size() - 1;
        if (last >= 0
                && releases.get(last).messages() == sent
                && releases.get(last).ended() == ended) {
            releases.remove(last);
        }
        if (!tooLong) {
            releases.add(new HttpPace.Release(sent, ended, bytes));
        }
    }

    /** Bytes of the reply's body, which are written into the file. */
    public void write(ByteBuffer content) {
        Objects.requireNonNull(file).told(content);
    }

    /** Whether there is more than should be in memory. */
    public boolean isCrowded() {
        return hashes.size() >= GrpcMessages.MOST || releases.size() >= GrpcMessages.MOST;
    }

    /**
     * From now on all goes into this file, at first what is known by now.
     *
     * @param body the bytes of the reply by now
     */
    public void moveTo(BodyWriter writer, byte[] body) {
        StepWriter into = new StepWriter(writer);
        int said = 0;
        int told = 0;
        boolean end = false;
        for (HttpPace.Release release : releases) {
            for (; said < release.messages(); said++) {
                into.said(hashes.get(said));
            }
            if (release.ended() && !end) {
                end = true;
                into.ended();
            }
            into.told(ByteBuffer.wrap(body, told, release.upTo() - told));
            told = release.upTo();
        }
        hashes.subList(said, hashes.size()).forEach(into::said);
        if (ended && !end) {
            into.ended();
        }
        file = into;
        forget();
    }

    /** There is no file for it. */
    public void giveUp() {
        tooLong = true;
        forget();
    }

    private void forget() {
        hashes.clear();
        releases.clear();
    }

    public boolean isInFile() {
        return file != null;
    }

    /** Whether the reply began before the request's end. */
    public boolean isConversation() {
        return conversation;
    }

    /** Whether the reply began before the request's first message was complete. */
    public boolean opensWithReply() {
        return opensWithReply;
    }

    /** Whether the reply has begun. */
    public boolean isAnswered() {
        return answered;
    }

    /** Whether it was {@linkplain #giveUp given up} as a conversation. */
    public boolean tooLong() {
        return tooLong;
    }

    /** The hashes of the first messages, those before the reply began if there are; empty if nothing was said. */
    public byte[] firstMessages() {
        return first;
    }

    public boolean hasMessages() {
        return first.length > 0;
    }

    /** What was taken down, or that it is in the file. */
    public HttpPace pace(boolean ends) {
        return file == null ? new HttpPace(hashes, releases, ends) : HttpPace.inFile(ends);
    }

    /** Bytes of memory, without what is counted as the reply's. */
    public long heldBytes() {
        return 64L * hashes.size() + 48L * releases.size();
    }
}
