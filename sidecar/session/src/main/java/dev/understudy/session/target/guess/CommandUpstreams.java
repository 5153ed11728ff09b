package dev.understudy.session.target.guess;

import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.UpstreamAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The upstreams of a service that doesn't run yet: those that somebody names, and those of its command line. */
public final class CommandUpstreams {
    private static final int MOST = 50;

    private CommandUpstreams() {}

    /**
     * Finds the addresses of all of them.
     *
     * @param named each {@code HOST:PORT}, with {@code =live} if the copy's reads may reach it
     * @param protocols that somebody chose, by port
     * @throws TargetException if one that is named isn't right; a URL whose host isn't known is passed over
     */
    public static List<UpstreamAddress> of(
            Collection<String> named, Map<Integer, String> protocols, List<String> command) throws TargetException {
        SettingWords settings = SettingWords.of(command, List.of());
        Map<InetSocketAddress, List<String>> names = new LinkedHashMap<>();
        Set<InetSocketAddress> live = new HashSet<>();
        for (String each : named) {
            NamedUpstream upstream = NamedUpstream.parse(each);
            try {
                List<InetSocketAddress> added = add(names, upstream.host(), upstream.port());
                live.addAll(upstream.isLive() ? added : List.of());
            } catch (UnknownHostException unknown) {
                throw upstream.unknown("this machine");
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
            upstreams.add(new UpstreamAddress(
                    addresses.get(n),
                    hosts.get(n),
                    guess.protocol(),
                    guess.basis(),
                    guess.tls(),
                    0,
                    live.contains(addresses.get(n))));
        }
        return upstreams;
    }

    private static List<InetSocketAddress> add(Map<InetSocketAddress, List<String>> names, String host, int port)
            throws UnknownHostException {
        List<InetSocketAddress> added = new ArrayList<>();
        for (InetAddress address : InetAddress.getAllByName(host)) {
            boolean isName = !address.getHostAddress().equals(host);
            InetSocketAddress found = new InetSocketAddress(address, port);
            names.putIfAbsent(found, isName ? List.of(host) : List.of());
            added.add(found);
        }
        return added;
    }
}
