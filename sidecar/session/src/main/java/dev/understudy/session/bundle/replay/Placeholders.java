package dev.understudy.session.bundle.replay;

import dev.understudy.session.bundle.BundleException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Fills {@code {port}}, {@code {upstream:NAME}}, {@code {upstream:NAME:host}} and {@code {upstream:NAME:port}} in.
 * Other braces stay as they are. Immutable.
 *
 * @param port where the service is to listen
 * @param upstreams where each upstream is answered
 */
record Placeholders(int port, Map<String, InetSocketAddress> upstreams) {
    static final String PORT = "{port}";

    private static final Pattern UPSTREAM = Pattern.compile("\\{upstream:([^{}]+?)(:host|:port)?}");

    Placeholders {
        upstreams = Map.copyOf(upstreams);
    }

    /** Whether a word has a placeholder of that upstream. */
    static boolean names(String word, String upstream) {
        return UPSTREAM.matcher(word).results().anyMatch(found -> found.group(1).equals(upstream));
    }

    /**
     * Fills a word in.
     *
     * @throws BundleException if it names an upstream that isn't there
     */
    String fill(String word) throws BundleException {
        StringBuilder filled = new StringBuilder();
        Matcher each = UPSTREAM.matcher(word.replace(PORT, Integer.toString(port)));
        while (each.find()) {
            each.appendReplacement(filled, Matcher.quoteReplacement(address(each)));
        }
        return each.appendTail(filled).toString();
    }

    private String address(Matcher named) throws BundleException {
        InetSocketAddress address = upstreams.get(named.group(1));
        if (address == null) {
            throw new BundleException(named.group() + ": no such upstream (expected: one of "
                    + upstreams.keySet().stream().sorted().toList() + ")");
        }
        String host = address.getHostString();
        if (named.group(2) == null) {
            return host + ':' + address.getPort();
        }
        return named.group(2).equals(":host") ? host : Integer.toString(address.getPort());
    }
}
