package dev.understudy.session.target.guess;

import dev.understudy.session.target.TargetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An upstream that somebody names, though nothing is connected to it yet.
 *
 * @param host a name or an address, without brackets
 * @param port from 1 to 65535
 */
public record NamedUpstream(String host, int port) {
    private static final Pattern FORM =
            Pattern.compile("(\\[[0-9a-fA-F:.]{2,45}]|[^\\s:/\\[\\]-][^\\s:/\\[\\]]{0,252}):(\\d{1,5})");

    /**
     * Reads {@code HOST:PORT}.
     *
     * @throws TargetException if it isn't one
     */
    public static NamedUpstream parse(String text) throws TargetException {
        Matcher parts = FORM.matcher(text);
        int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
        if (port < 1 || port > 0xffff) {
            throw new TargetException("--upstream: " + text + " (expected: HOST:PORT, such as db.shop:5432)");
        }
        String host = parts.group(1);
        return new NamedUpstream(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
    }

    /** What to say of one whose host isn't known. */
    TargetException unknown(String who) {
        return new TargetException("--upstream: " + host + ":" + port + " (expected: a host that " + who + " knows)");
    }
}
