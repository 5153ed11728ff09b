package dev.understudy.aggregator.http.grpc;

import dev.understudy.aggregator.http.Pace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Takes down how much of its reply production had got when it had sent how much of its request. Confined to its connection. */
public final class GrpcPace {
    private final GrpcMessages messages = new GrpcMessages();
    private final List<Pace.Release> releases = new ArrayList<>();
    private boolean ended;
    private boolean tooLong;

    public void request(ByteBuffer content) {
        messages.feed(content);
    }

    public void requestEnd() {
        ended = true;
    }

    /** The reply's body has so many bytes by now. */
    public void reply(int bytes) {
        int sent = messages.hashes().size();
        int last = releases.size() - 1;
        if (last >= 0
                && releases.get(last).messages() == sent
                && releases.get(last).ended() == ended) {
            releases.remove(last);
        }
        if (releases.size() < GrpcMessages.MOST) {
            releases.add(new Pace.Release(sent, ended, bytes));
        } else {
            tooLong = true;
        }
    }

    /** Whether the reply began before the request's end. */
    public boolean isConversation() {
        return !releases.isEmpty() && !releases.get(0).ended();
    }

    /** Whether the reply began before the request's first message was complete. */
    public boolean opensWithReply() {
        return !releases.isEmpty()
                && releases.get(0).messages() == 0
                && !releases.get(0).ended();
    }

    public boolean answered() {
        return !releases.isEmpty();
    }

    public boolean tooLong() {
        return tooLong || messages.tooMany();
    }

    /** The first message's hash; there is one, unless {@link #opensWithReply}. */
    public byte[] firstMessage() {
        return messages.hashes().get(0);
    }

    public boolean hasMessages() {
        return !messages.hashes().isEmpty();
    }

    public Pace pace(boolean ends) {
        return new Pace(messages.hashes(), releases, ends);
    }

    public long heldBytes() {
        return 64L * messages.hashes().size() + 48L * releases.size();
    }
}
