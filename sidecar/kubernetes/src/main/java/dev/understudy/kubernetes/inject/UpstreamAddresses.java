package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.ManifestException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Turns the addresses of upstreams into the aggregator's, as one of the two JVMs has to dial it. */
final class UpstreamAddresses {
    private static final Pattern PLACE_HOLDER = Pattern.compile("\\{([a-z0-9-]+)\\.(host|port|address)}");

    private final String host;
    private final ToIntFunction<UpstreamPorts> port;
    private final List<UpstreamPorts> upstreams;
    private final Set<String> replaced = new HashSet<>();

    /**
     * Makes one.
     *
     * @param host under which that JVM finds the aggregator
     * @param port which of the ports is its
     */
    UpstreamAddresses(String host, ToIntFunction<UpstreamPorts> port, List<UpstreamPorts> upstreams) {
        this.host = host;
        this.port = port;
        this.upstreams = upstreams;
    }

    /** A text in which {@code HOST:PORT} of an upstream stands for the aggregator. */
    String rewrite(String text) {
        String rewritten = text;
        for (UpstreamPorts one : upstreams) {
            UpstreamSpec upstream = one.upstream();
            Matcher found = Pattern.compile(
                            "(?<![A-Za-z0-9.-])" + Pattern.quote(upstream.host() + ":" + upstream.port()) + "(?!\\d)")
                    .matcher(rewritten);
            if (found.find()) {
                replaced.add(upstream.name());
                rewritten = found.replaceAll(Matcher.quoteReplacement(host + ":" + port.applyAsInt(one)));
            }
        }
        return rewritten;
    }

    /**
     * A text in which {@code {NAME.host}}, {@code {NAME.port}} and {@code {NAME.address}} are filled in.
     *
     * @throws ManifestException if there is no upstream of a name
     */
    String fill(String text) throws ManifestException {
        Matcher found = PLACE_HOLDER.matcher(text);
        StringBuilder filled = new StringBuilder();
        while (found.find()) {
            UpstreamPorts one = find(found.group());
            replaced.add(one.upstream().name());
            String number = String.valueOf(port.applyAsInt(one));
            found.appendReplacement(
                    filled,
                    Matcher.quoteReplacement(
                            switch (found.group(2)) {
                                case "host" -> host;
                                case "port" -> number;
                                default -> host + ":" + number;
                            }));
        }
        return found.appendTail(filled).toString();
    }

    /** The upstreams whose addresses were found nowhere. */
    List<UpstreamSpec> missed() {
        return upstreams.stream()
                .map(UpstreamPorts::upstream)
                .filter(upstream -> !replaced.contains(upstream.name()))
                .toList();
    }

    private UpstreamPorts find(String placeHolder) throws ManifestException {
        String name = placeHolder.substring(1, placeHolder.indexOf('.'));
        for (UpstreamPorts one : upstreams) {
            if (one.upstream().name().equals(name)) {
                return one;
            }
        }
        throw new ManifestException(placeHolder + ": no upstream " + name + " (expected: one of "
                + String.join(
                        ", ",
                        upstreams.stream().map(one -> one.upstream().name()).toList())
                + ")");
    }
}
