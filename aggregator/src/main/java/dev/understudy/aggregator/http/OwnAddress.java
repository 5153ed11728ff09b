package dev.understudy.aggregator.http;

import dev.understudy.divergence.wire.http.ReplyHead;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a reply says of the address at which its client had found the server. Production's client was at another port
 * than the debug JVM is: told as it was, it would lead a debug JVM that follows a redirect to production's port, and so
 * to the real server.
 */
final class OwnAddress {
    /** Stands for it in what is recorded; such a name can't exist (RFC 2606, section 2). */
    private static final String PLACE = "own-address.understudy.invalid";

    private static final List<String> HEADERS = List.of("Location", "Content-Location");

    private OwnAddress() {}

    /** The head as it is recorded: without the address that the request named in its {@code Host}. */
    static ReplyHead taken(ReplyHead head, @Nullable String host) {
        return host == null ? head : moved(head, host, PLACE);
    }

    /** The head for a client that named this {@code Host}; if it named none, as a path, which means the same. */
    static ReplyHead given(ReplyHead head, @Nullable String host) {
        return moved(head, PLACE, host == null ? "" : host);
    }

    private static ReplyHead moved(ReplyHead head, String from, String to) {
        ReplyHead moved = head;
        for (String name : HEADERS) {
            String value = head.first(name);
            if (value != null) {
                String other = moved(value, from, to);
                moved = other.equals(value) ? moved : moved.with(name, other);
            }
        }
        return moved;
    }

    private static String moved(String value, String from, String to) {
        int authority = value.indexOf("//") + 2;
        boolean absolute = authority > 1
                && value.substring(0, authority).toLowerCase(Locale.ROOT).matches("(https?:)?//");
        if (!absolute || !value.regionMatches(true, authority, from, 0, from.length())) {
            return value;
        }
        String rest = value.substring(authority + from.length());
        if (!rest.isEmpty() && "/?#".indexOf(rest.charAt(0)) < 0) {
            return value;
        }
        if (to.isEmpty()) {
            return rest.startsWith("/") ? rest : "/" + rest;
        }
        return value.substring(0, authority) + to + rest;
    }
}
