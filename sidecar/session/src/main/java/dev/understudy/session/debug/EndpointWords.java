package dev.understudy.session.debug;

import dev.understudy.session.target.ListeningPort;
import dev.understudy.session.target.UpstreamAddress;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a user knows the ends of a service's connections by. */
final class EndpointWords {
    private EndpointWords() {}

    /** All of them, each once. */
    static String of(List<ListeningPort> ports, List<UpstreamAddress> upstreams) {
        return Stream.concat(
                        ports.stream().map(port -> "port " + port.address().getPort()),
                        upstreams.stream()
                                .map(upstream -> upstream.address().getAddress().getHostAddress() + ":"
                                        + upstream.address().getPort()))
                .distinct()
                .collect(Collectors.joining(", "));
    }
}
