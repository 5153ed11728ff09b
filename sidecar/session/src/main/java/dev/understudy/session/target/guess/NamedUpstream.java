package dev.understudy.session.target.guess;

import dev.understudy.session.target.TargetException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An upstream that somebody names: nothing may be connected to it yet.
 *
 * @param host a name or an address, without brackets
 * @param port from 1 to 65535
 * @param isLive whether the copy's reads may reach it
 */
public record NamedUpstream(String host, int port, boolean isLive) {
    private static final Pattern FORM = Pattern.compile(
            "(\\[[0-9a-fA-F:.]{2,45}]|[^\\s:/\\[\\]-][^\\s:/\\[\\]]{0,252}):(\\d{1,5})(?:=(replayed|live))?");

    /**
     * Reads {@code HOST:PORT}, {@code HOST:PORT=replayed} or {@code HOST:PORT=live}.
     *
     * @throws TargetException if it isn't one
     */
    public static NamedUpstream parse(String text) throws TargetException {
        Matcher parts = FORM.matcher(text);
        int port = parts.matches() ? Integer.parseInt(parts.group(2)) : 0;
        if (port < 1 || port > 0xffff) {
            throw new TargetException("--upstream: " + text + " (expected: HOST:PORT or HOST:PORT=live, such as"
                    + " db.shop:5432 or prices.shop:8080=live)");
        }
        String host = parts.group(1);
        return new NamedUpstream(
                host.startsWith("[") ? host.substring(1, host.length() - 1) : host,
                port,
                "live".equals(parts.group(3)));
    }

    /** What to say of one whose host isn't known. */
    TargetException unknown(String who) {
        return new TargetException("--upstream: " + host + ":" + port + " (expected: a host that " + who + " knows)");
    }
}
