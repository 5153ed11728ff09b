package dev.understudy.session.target.guess;

import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The upstreams of a service that doesn't run yet: those that somebody names, and those of its command line. */
public final class CommandUpstreams {
    private static final int MOST = 50;
    private static final Pattern NAMED = Pattern.compile("(\\[[0-9a-fA-F:.]{2,45}]|[^\\s:/\\[\\]]{1,253}):(\\d{1,5})");

    private CommandUpstreams() {}

    /**
     * Finds the addresses of all of them.
     *
     * @param named each {@code HOST:PORT}
     * @param protocols that somebody chose, by port
     * @throws TargetException if one that is named isn't right; a URL whose host isn't known is passed over
     */
    public static List<UpstreamAddress> of(
            Collection<String> named, Map<Integer, String> protocols, List<String> command) throws TargetException {
        SettingWords settings = SettingWords.of(command, List.of());
        Map<InetSocketAddress, List<String>> names = new LinkedHashMap<>();
        for (String each : named) {
            Matcher parts = NAMED.matcher(each);
            if (!parts.matches()
                    || Integer.parseInt(parts.group(2)) - 1 >= 0xffff
                    || parts.group(2).matches("0+")) {
                throw new TargetException("--upstream: " + each + " (expected: HOST:PORT, such as db.shop:5432)");
            }
            try {
                add(names, parts.group(1), Integer.parseInt(parts.group(2)));
            } catch (UnknownHostException unknown) {
                throw new TargetException(
                        "--upstream: " + each + " (expected: a host that this machine knows)", unknown);
            }
        }
        for (EndpointMention mention : EndpointMentions.in(settings)) {
            if (!mention.protocol().isEmpty() && mention.port() > 0 && names.size() < MOST) {
                try {
                    add(names, mention.host(), mention.port());
                } catch (UnknownHostException unknown) {
                    // it may be no upstream at all
                }
            }
        }
        List<InetSocketAddress> addresses = List.copyOf(names.keySet());
        List<List<String>> hosts = List.copyOf(names.values());
        List<ProtocolGuess> guesses = new UpstreamGuesses(protocols, settings, Set.of()).of(addresses, hosts);
        List<UpstreamAddress> upstreams = new ArrayList<>();
        for (int n = 0; n < addresses.size(); n++) {
            ProtocolGuess guess = guesses.get(n);
            TlsUse tls = guess.tls();
            upstreams.add(new UpstreamAddress(addresses.get(n), hosts.get(n), guess.protocol(), guess.basis(), tls, 0));
        }
        return upstreams;
    }

    private static void add(Map<InetSocketAddress, List<String>> names, String host, int port)
            throws UnknownHostException {
        String name = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        for (InetAddress address : InetAddress.getAllByName(name)) {
            boolean isName = !address.getHostAddress().equals(name);
            names.putIfAbsent(new InetSocketAddress(address, port), isName ? List.of(name) : List.of());
        }
    }
}
