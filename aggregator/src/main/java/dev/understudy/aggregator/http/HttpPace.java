package dev.understudy.aggregator.http;

import java.util.List;

/**
 * What of a reply's body production had got when it had sent how much of its request: a conversation of gRPC, or a
 * reply whose end production didn't wait for. Of a conversation that is large both lie in its file. Immutable.
 *
 * @param messages a hash of each message that production sent, in order; empty if it isn't a conversation, or in a file
 * @param releases in the order in which they happened; empty if they are in a file
 * @param ends whether the reply came to its end
 */
public record HttpPace(List<byte[]> messages, List<Release> releases, boolean ends) {
    public HttpPace {
        messages = List.copyOf(messages);
        releases = List.copyOf(releases);
    }

    /**
     * That much of the body, once that much of the request was sent.
     *
     * @param messages of the request, counted from its beginning
     * @param ended whether its end was sent, too
     * @param upTo bytes of the body, counted from its beginning
     */
    public record Release(int messages, boolean ended, int upTo) {}

    /** One of a conversation that lies in a file. */
    public static HttpPace inFile(boolean ends) {
        return new HttpPace(List.of(), List.of(), ends);
    }

    /** Whether the reply began before the request's end. */
    public boolean isConversation() {
        return releases.isEmpty() || !releases.get(0).ended();
    }

    long bytes() {
        return 64L * messages.size() + 32L * releases.size();
    }
}
