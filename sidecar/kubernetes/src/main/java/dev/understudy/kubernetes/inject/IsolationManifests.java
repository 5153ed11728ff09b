package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Who may reach whom, and accounts without rights. None of it selects production's pods: what a policy forgets is cut
 * off, and clients come from anywhere.
 */
final class IsolationManifests {
    private static final String NO_RIGHTS = "No role is bound to it: it may ask the cluster for nothing.";

    private final TappedService service;

    IsolationManifests(TappedService service) {
        this.service = service;
    }

    List<Manifest> manifests() {
        return List.of(
                Manifest.made(NO_RIGHTS, account(service.aggregator())),
                Manifest.made(NO_RIGHTS, account(service.debug())),
                Manifest.made(
                        "The debug JVM: in from the sidecar, out to the aggregator and the sidecar's control port.",
                        debug()),
                Manifest.made(
                        "The aggregator: its debug ports for the debug JVM, the others for production's pods.",
                        aggregator()));
    }

    private Map<String, Object> account(String name) {
        Map<String, Object> account = service.resource("v1", "ServiceAccount", name);
        account.put("automountServiceAccountToken", false);
        return account;
    }

    private Map<String, Object> debug() {
        return policy(service.debug(), """
                podSelector: { matchLabels: { app: <debug> } }
                policyTypes: [Ingress, Egress]
                ingress:
                  - from: [{ podSelector: { matchLabels: <labels> } }]
                    ports: [{ port: <port> }]
                egress:
                  - to: [{ podSelector: { matchLabels: { app: <aggregator> } } }]
                    ports: <debugPorts>
                  - to: [{ podSelector: { matchLabels: <labels> } }]
                    ports: [{ port: <control> }]
                """);
    }

    private Map<String, Object> aggregator() {
        return policy(service.aggregator(), """
                podSelector: { matchLabels: { app: <aggregator> } }
                policyTypes: [Ingress]
                ingress:
                  - from: [{ podSelector: { matchLabels: { app: <debug> } } }]
                    ports: <debugPorts>
                  - from: [{ podSelector: { matchLabels: <labels> } }]
                    ports: <productionPorts>
                """);
    }

    private Map<String, Object> policy(String name, String template) {
        List<Object> productionPorts = ports(UpstreamPorts::production);
        productionPorts.add(port(AggregatorManifests.CONTROL_PORT));
        Map<String, Object> policy = service.resource("networking.k8s.io/v1", "NetworkPolicy", name);
        policy.put(
                "spec",
                ManifestTemplate.fill(
                        template,
                        Map.of(
                                "debug", service.debug(),
                                "aggregator", service.aggregator(),
                                "labels", service.labels(),
                                "port", service.port(),
                                "control", service.options().controlPort(),
                                "debugPorts", ports(UpstreamPorts::debug),
                                "productionPorts", productionPorts)));
        return policy;
    }

    private List<Object> ports(ToIntFunction<UpstreamPorts> number) {
        List<Object> ports = new ArrayList<>();
        service.upstreams().forEach(one -> ports.add(port(number.applyAsInt(one))));
        return ports;
    }

    private static Map<String, Object> port(int number) {
        return ManifestTemplate.fill("{ port: <port> }", Map.of("port", number));
    }
}
