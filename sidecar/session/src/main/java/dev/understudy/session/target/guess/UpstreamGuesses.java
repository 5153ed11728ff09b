package dev.understudy.session.target.guess;

import dev.understudy.session.target.TlsUse;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the target speaks with its upstreams. Immutable. */
public final class UpstreamGuesses {
    private static final List<KnownLibrary> CLIENTS =
            List.of(KnownLibrary.POSTGRES, KnownLibrary.MYSQL, KnownLibrary.REDIS, KnownLibrary.OTHER);

    private final Map<Integer, String> chosen;
    private final List<EndpointMention> mentions;
    private final Map<KnownLibrary, Set<String>> clients = new EnumMap<>(KnownLibrary.class);

    /**
     * @param chosen protocols that somebody chose, by port
     * @param libraries names of the JVM's libraries
     */
    public UpstreamGuesses(Map<Integer, String> chosen, SettingWords settings, Set<String> libraries) {
        this.chosen = Map.copyOf(chosen);
        this.mentions = EndpointMentions.in(settings);
        for (KnownLibrary client : CLIENTS) {
            Set<String> found = client.in(libraries);
            if (!found.isEmpty()) {
                clients.put(client, found);
            }
        }
    }

    /** What is spoken with each of several upstreams, in their order; {@code names} has each one's host names. */
    public List<ProtocolGuess> of(List<InetSocketAddress> upstreams, List<List<String>> names) {
        List<Optional<ProtocolGuess>> certain = new ArrayList<>();
        for (int n = 0; n < upstreams.size(); n++) {
            certain.add(certain(upstreams.get(n), names.get(n)));
        }
        List<ProtocolGuess> guesses = new ArrayList<>();
        for (int n = 0; n < upstreams.size(); n++) {
            int port = upstreams.get(n).getPort();
            guesses.add(certain.get(n).orElseGet(() -> byLibrary(port, certain)));
        }
        return guesses;
    }

    private Optional<ProtocolGuess> certain(InetSocketAddress upstream, List<String> names) {
        int port = upstream.getPort();
        String choice = chosen.get(port);
        if (choice != null) {
            return Optional.of(new ProtocolGuess(choice, "chosen by --protocol", mentionedTls(upstream, names)));
        }
        Optional<EndpointMention> exact = mentions.stream()
                .filter(mention -> !mention.protocol().isEmpty() && matches(mention, upstream, names))
                .findFirst();
        Optional<EndpointMention> samePort = mentions.stream()
                .filter(mention -> !mention.protocol().isEmpty() && mention.port() == port)
                .findFirst();
        Optional<EndpointMention> mention = exact.isPresent() ? exact : samePort;
        if (mention.isPresent()) {
            return Optional.of(new ProtocolGuess(
                    mention.get().protocol(),
                    "a URL: " + mention.get().place(),
                    exact.map(EndpointMention::tls).orElse(TlsUse.UNKNOWN)));
        }
        return KnownPort.of(port)
                .map(known -> new ProtocolGuess(
                        known.protocol(), "the port is usual for " + known.owner() + also(known), known.tls()));
    }

    private TlsUse mentionedTls(InetSocketAddress upstream, List<String> names) {
        return mentions.stream()
                .filter(mention -> matches(mention, upstream, names) && mention.tls() != TlsUse.UNKNOWN)
                .map(EndpointMention::tls)
                .findFirst()
                .orElse(TlsUse.UNKNOWN);
    }

    private static boolean matches(EndpointMention mention, InetSocketAddress upstream, List<String> names) {
        return mention.port() == upstream.getPort()
                && (names.stream().anyMatch(mention.host()::equalsIgnoreCase)
                        || mention.host().equals(upstream.getAddress().getHostAddress())
                        || (mention.host().equalsIgnoreCase("localhost")
                                && upstream.getAddress().isLoopbackAddress()));
    }

    private String also(KnownPort known) {
        return clients.entrySet().stream()
                .filter(client -> client.getKey() != KnownLibrary.OTHER
                        && client.getKey().protocol().equals(known.protocol()))
                .findFirst()
                .map(client -> ", and there is " + client.getValue().iterator().next())
                .orElse("");
    }

    /** The only client library that no other upstream explains. */
    private ProtocolGuess byLibrary(int port, List<Optional<ProtocolGuess>> certain) {
        List<KnownLibrary> left = clients.keySet().stream()
                .filter(client -> client == KnownLibrary.OTHER
                        || certain.stream()
                                .flatMap(Optional::stream)
                                .noneMatch(guess -> guess.protocol().equals(client.protocol())))
                .toList();
        long unknown = certain.stream().filter(Optional::isEmpty).count();
        if (unknown == 1 && left.size() == 1 && left.get(0) != KnownLibrary.OTHER) {
            String library =
                    clients.getOrDefault(left.get(0), Set.of("")).iterator().next();
            return new ProtocolGuess(
                    left.get(0).protocol(), "a library that no other upstream needs: " + library, TlsUse.UNKNOWN);
        }
        return new ProtocolGuess("tcp", "nothing shows it; choose by --protocol " + port + "=NAME", TlsUse.UNKNOWN);
    }
}
