package dev.understudy.aggregator.http;

import java.util.List;

/**
 * What of a reply's body production had got when it had sent how much of its request: a conversation of gRPC, or a reply whose
 * end production didn't wait for. Immutable.
 *
 * @param messages a hash of each message that production sent, in order
 * @param releases in the order in which they happened
 * @param ends whether the reply came to its end
 */
public record Pace(List<byte[]> messages, List<Release> releases, boolean ends) {
    public Pace {
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

    long bytes() {
        return 64L * messages.size() + 32L * releases.size();
    }
}
