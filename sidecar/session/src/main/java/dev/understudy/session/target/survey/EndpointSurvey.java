package dev.understudy.session.target.survey;

import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.TargetException;
import dev.understudy.session.target.TargetProcess;
import dev.understudy.session.target.TlsUse;
import dev.understudy.session.target.UpstreamAddress;
import dev.understudy.session.target.guess.HostNames;
import dev.understudy.session.target.guess.NameFiles;
import dev.understudy.session.target.guess.NamedUpstream;
import dev.understudy.session.target.guess.PortGuesses;
import dev.understudy.session.target.guess.ProtocolGuess;
import dev.understudy.session.target.guess.SettingWords;
import dev.understudy.session.target.guess.UpstreamGuesses;
import dev.understudy.session.target.guess.UpstreamProbe;
import dev.understudy.session.target.proc.TargetRoot;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** What is known of a target's ports and upstreams besides their numbers. */
final class EndpointSurvey {
    private static final int MOST_PROBED = 20;
    private static final int MOST_NAMED = 50;

    private final SurveyOptions options;
    private final TargetProcess process;
    private final SettingWords settings;
    private final Set<String> libraries;
    private final boolean isInOurNetwork;
    private final boolean isHere;

    /** @param isHere whether the target shares this process's file system, too */
    EndpointSurvey(
            SurveyOptions options,
            TargetProcess process,
            SettingWords settings,
            Set<String> libraries,
            boolean isInOurNetwork,
            boolean isHere) {
        this.options = options;
        this.process = process;
        this.settings = settings;
        this.libraries = libraries;
        this.isInOurNetwork = isInOurNetwork;
        this.isHere = isHere;
    }

    List<ListeningPort> ports(Map<InetSocketAddress, Integer> clients) {
        PortGuesses guesses = new PortGuesses(options.protocols(), process.command(), settings, libraries);
        List<ListeningPort> ports = new ArrayList<>();
        clients.forEach((address, connections) -> {
            ProtocolGuess guess = guesses.of(address.getPort());
            ports.add(new ListeningPort(address, guess.protocol(), guess.basis(), guess.tls(), connections));
        });
        return ports;
    }

    List<UpstreamAddress> upstreams(
            Map<InetSocketAddress, Integer> connections, TargetRoot root, Collection<String> notes)
            throws TargetException, InterruptedException {
        HostNames lookUp = new HostNames(process.pid(), isHere);
        NameFiles files = NameFiles.read(root);
        Map<InetSocketAddress, NamedUpstream> named = named(lookUp, files);
        Set<InetSocketAddress> all = new LinkedHashSet<>(connections.keySet());
        all.addAll(named.keySet());
        List<InetSocketAddress> addresses = List.copyOf(all);
        Set<InetAddress> hosts = new LinkedHashSet<>();
        addresses.forEach(address -> hosts.add(address.getAddress()));
        Map<String, List<String>> byHost = lookUp.find(hosts, settings, files, notes);
        List<List<String>> names = addresses.stream()
                .map(address -> Stream.concat(
                                byHost.getOrDefault(address.getAddress().getHostAddress(), List.of()).stream(),
                                Stream.ofNullable(named.get(address)).map(NamedUpstream::host))
                        .filter(name -> !name.equals(address.getAddress().getHostAddress()))
                        .distinct()
                        .toList())
                .toList();
        List<ProtocolGuess> guesses = probed(
                addresses, new UpstreamGuesses(options.protocols(), settings, libraries).of(addresses, names), notes);
        List<UpstreamAddress> upstreams = new ArrayList<>();
        for (int n = 0; n < addresses.size(); n++) {
            InetSocketAddress address = addresses.get(n);
            ProtocolGuess guess = guesses.get(n);
            upstreams.add(new UpstreamAddress(
                    address,
                    names.get(n),
                    guess.protocol(),
                    guess.basis(),
                    guess.tls(),
                    connections.getOrDefault(address, 0),
                    named.containsKey(address) && named.get(address).isLive()));
        }
        return upstreams;
    }

    /** Those that somebody names: pools that are empty now connect to them later. */
    private Map<InetSocketAddress, NamedUpstream> named(HostNames lookUp, NameFiles files)
            throws TargetException, InterruptedException {
        Map<InetSocketAddress, NamedUpstream> named = new LinkedHashMap<>();
        for (String text : options.upstreams()) {
            NamedUpstream upstream = NamedUpstream.parse(text);
            Set<InetAddress> addresses = lookUp.addresses(upstream.host(), files);
            if (addresses.isEmpty() || named.size() + addresses.size() > MOST_NAMED) {
                throw new TargetException("--upstream: " + text
                        + (addresses.isEmpty()
                                ? " (expected: a host that the service's name server or hosts file has)"
                                : " (expected: at most " + MOST_NAMED + " addresses in all)"));
            }
            addresses.forEach(address -> named.put(new InetSocketAddress(address, upstream.port()), upstream));
        }
        return named;
    }

    private List<ProtocolGuess> probed(
            List<InetSocketAddress> addresses, List<ProtocolGuess> guesses, Collection<String> notes) {
        if (!options.probesUpstreams() || addresses.isEmpty()) {
            return guesses;
        }
        if (!isInOurNetwork) {
            notes.add(
                    "Upstreams weren't probed: the target is in a network of its own. Choose by --protocol PORT=NAME.");
            return guesses;
        }
        if (addresses.size() > MOST_PROBED) {
            notes.add("Only " + MOST_PROBED + " of " + addresses.size() + " upstreams were probed.");
        }
        UpstreamProbe probe = new UpstreamProbe(Duration.ofMillis(500));
        List<ProtocolGuess> probed = new ArrayList<>(guesses);
        for (int n = 0; n < Math.min(addresses.size(), MOST_PROBED); n++) {
            ProtocolGuess before = guesses.get(n);
            if (!options.protocols().containsKey(addresses.get(n).getPort()) && before.tls() != TlsUse.YES) {
                probe.of(addresses.get(n))
                        .map(found -> found.tls() == TlsUse.UNKNOWN
                                ? new ProtocolGuess(found.protocol(), found.basis(), before.tls())
                                : found)
                        .ifPresent(replaceAt(probed, n));
            }
        }
        return probed;
    }

    private static Consumer<ProtocolGuess> replaceAt(List<ProtocolGuess> guesses, int at) {
        return guess -> guesses.set(at, guess);
    }
}
