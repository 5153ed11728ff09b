package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.ManifestException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One upstream of a service, as {@code NAME=HOST:PORT,PROTOCOL}.
 *
 * @param name names it in settings and as a Service's port
 * @param host a DNS name or an IPv4 address
 * @param port 1 to 65535
 * @param protocol one that an aggregator reads
 */
public record UpstreamSpec(String name, String host, int port, String protocol) {
    private static final Pattern FORM = Pattern.compile(
            "([a-z](?:[a-z0-9-]{0,13}[a-z0-9])?)=([A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?):(\\d{1,5}),"
                    + "(postgres|mysql|redis|http|tcp)");

    private static final int LAST_PORT = 65_535;

    /**
     * Reads one.
     *
     * @throws ManifestException if it has another form
     */
    public static UpstreamSpec parse(String text) throws ManifestException {
        Matcher form = FORM.matcher(text.strip());
        int port = form.matches() ? Integer.parseInt(form.group(3)) : 0;
        if (port < 1 || port > LAST_PORT) {
            throw new ManifestException(
                    "upstream " + text.strip() + " (expected: NAME=HOST:PORT,PROTOCOL with a name of"
                            + " up to 15 lower-case letters, digits, dashes; one of postgres, mysql, redis, http, tcp;"
                            + " such as orders-db=postgres:5432,postgres)");
        }
        return new UpstreamSpec(form.group(1), form.group(2), port, form.group(4));
    }

    /**
     * Reads several, separated by semicolons or line breaks, as an annotation has them.
     *
     * @throws ManifestException if one has another form
     */
    static List<UpstreamSpec> parseAll(String text) throws ManifestException {
        List<UpstreamSpec> upstreams = new ArrayList<>();
        for (String one : text.split("[;\n]", -1)) {
            if (!one.isBlank()) {
                upstreams.add(parse(one));
            }
        }
        return upstreams;
    }
}
