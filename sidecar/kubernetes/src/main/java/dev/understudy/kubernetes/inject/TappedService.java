package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestFields;
import dev.understudy.kubernetes.manifest.YamlTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A Deployment that can be tapped: what is known of it, and what things beside it are called.
 *
 * @param manifest the Deployment
 * @param name its name
 * @param namespace its namespace; empty if it names none
 * @param labels what selects its pods
 * @param container the name of the service's container
 * @param port where production listens
 * @param portName what the container calls that port; empty if it doesn't
 * @param upstreams its upstreams
 * @param options what the user says
 */
record TappedService(
        Manifest manifest,
        String name,
        String namespace,
        Map<String, Object> labels,
        String container,
        int port,
        String portName,
        List<UpstreamPorts> upstreams,
        InjectionOptions options) {
    /** With the upstreams, separated by semicolons. */
    static final String UPSTREAMS = "understudy.dev/upstreams";

    /** Marks what has been injected. */
    static final String INJECTED = "understudy.dev/injected";

    /** What a Service is labelled with that leads nowhere before the Deployment has rolled out. */
    static final String APPLY = "understudy.dev/apply";

    /** What pods are annotated with: a hash of their settings. */
    static final String SETTINGS = "understudy.dev/settings";

    /** So that what is called after it stays within a Service's 63 characters. */
    private static final String NAME = "[a-z](?:[a-z0-9-]{0,44}[a-z0-9])?";

    /**
     * Reads one.
     *
     * @throws ManifestException if it can't be tapped, with the way out
     */
    static TappedService of(Manifest deployment, InjectionOptions options) throws ManifestException {
        String name = deployment.name();
        Map<String, Object> tree = deployment.tree();
        Map<String, Object> pod = ManifestFields.map(tree, "spec", "template", "spec");
        check(name, tree, pod);
        Map<String, Object> container = container(name, pod, options);
        List<Integer> ports = ports(container);
        int port = productionPort(name, container, ports, options);
        checkFree(name, pod, options);
        Map<String, Object> annotations = ManifestFields.map(tree, "metadata", "annotations");
        List<UpstreamSpec> upstreams = options.upstreams().isEmpty()
                ? UpstreamSpec.parseAll(ManifestFields.text(annotations, UPSTREAMS))
                : options.upstreams();
        if (upstreams.isEmpty()) {
            throw new ManifestException(
                    "Deployment " + name + ": no upstreams (expected: --upstream NAME=HOST:PORT,PROTOCOL"
                            + " for each, or the annotation " + UPSTREAMS + ")");
        }
        return new TappedService(
                deployment,
                name,
                ManifestFields.text(ManifestFields.map(tree, "metadata"), "namespace"),
                labels(name, tree),
                ManifestFields.text(container, "name"),
                port,
                portName(container, port),
                UpstreamPorts.of(upstreams),
                options);
    }

    String sidecar() {
        return name + "-sidecar";
    }

    String aggregator() {
        return name + "-aggregator";
    }

    String aggregatorDebug() {
        return name + "-aggregator-debug";
    }

    String debug() {
        return name + "-debug";
    }

    /** The variable in which pods that start later find a Service's address. */
    static String address(String service) {
        return "$(" + service.toUpperCase(Locale.ROOT).replace('-', '_') + "_SERVICE_HOST)";
    }

    /** Whether a port of a container or Service is one of TCP. */
    static boolean isTcp(Map<String, Object> port) {
        String protocol = ManifestFields.text(port, "protocol");
        return protocol.isEmpty() || protocol.equals("TCP");
    }

    /** Whether a document is of the Deployment's namespace, as far as the documents say. */
    boolean isNeighbour(Manifest other) throws ManifestException {
        return ManifestFields.text(ManifestFields.map(other.tree(), "metadata"), "namespace")
                .equals(namespace);
    }

    /** A resource beside the Deployment, in its namespace. */
    Map<String, Object> resource(String version, String kind, String called) {
        Map<String, Object> metadata = new LinkedHashMap<>(Map.of("name", called));
        if (!namespace.isEmpty()) {
            metadata.put("namespace", namespace);
        }
        Map<String, Object> resource = new LinkedHashMap<>();
        resource.put("apiVersion", version);
        resource.put("kind", kind);
        resource.put("metadata", metadata);
        return resource;
    }

    private static void check(String name, Map<String, Object> tree, Map<String, Object> pod) throws ManifestException {
        if (!name.matches(NAME)) {
            throw new ManifestException(
                    "Deployment " + name + ": no name that others can be made of (expected: up to 46"
                            + " lower-case letters, digits and dashes, beginning with a letter)");
        }
        boolean injected = ManifestFields.map(tree, "metadata", "annotations").containsKey(INJECTED);
        for (Object one : ManifestFields.list(pod, "containers")) {
            injected |= ManifestFields.text(ManifestFields.asMap(one, "containers"), "name")
                    .equals(SidecarInjection.CONTAINER);
        }
        if (injected) {
            throw new ManifestException(
                    "Deployment " + name + " is injected already (expected: the manifest that it was" + " made of)");
        }
        int replicas = ManifestFields.number(ManifestFields.map(tree, "spec"), "replicas");
        if (replicas > 1) {
            throw new ManifestException(
                    "Deployment " + name + ": replicas: " + replicas + " (expected: 1, as an aggregator"
                            + " serves one sidecar; put one pod into a Deployment of its own, inject it, name others'"
                            + " port " + SidecarInjection.PORT + ", so that the Service leads to all)");
        }
        if (ManifestFields.text(pod, "hostNetwork").equals("true")) {
            throw new ManifestException(
                    "Deployment " + name + ": hostNetwork: true (expected: a network of the pod's own,"
                            + " as its NetworkPolicies would hold nothing)");
        }
    }

    private static Map<String, Object> container(String name, Map<String, Object> pod, InjectionOptions options)
            throws ManifestException {
        List<String> names = new ArrayList<>();
        List<Map<String, Object>> wanted = new ArrayList<>();
        for (Object one : ManifestFields.list(pod, "containers")) {
            Map<String, Object> container = ManifestFields.asMap(one, "containers");
            names.add(ManifestFields.text(container, "name"));
            if (options.container().isEmpty() || names.get(names.size() - 1).equals(options.container())) {
                wanted.add(container);
            }
        }
        if (names.isEmpty()) {
            throw new ManifestException("Deployment " + name + ": no containers (expected: the service's)");
        }
        if (wanted.isEmpty()) {
            throw new ManifestException("Deployment " + name + ": no container " + options.container()
                    + " (expected: one of " + String.join(", ", names) + ")");
        }
        if (wanted.size() > 1) {
            throw new ManifestException("Deployment " + name
                    + ": several containers (expected: --container with one of " + String.join(", ", names) + ")");
        }
        return wanted.get(0);
    }

    private static List<Integer> ports(Map<String, Object> container) throws ManifestException {
        List<Integer> ports = new ArrayList<>();
        for (Object one : ManifestFields.list(container, "ports")) {
            Map<String, Object> port = ManifestFields.asMap(one, "ports");
            if (isTcp(port)) {
                ports.add(ManifestFields.number(port, "containerPort"));
            }
        }
        return ports;
    }

    private static int productionPort(
            String name, Map<String, Object> container, List<Integer> ports, InjectionOptions options)
            throws ManifestException {
        if (options.productionPort() > 0) {
            return options.productionPort();
        }
        if (ports.size() == 1 && ports.get(0) > 0) {
            return ports.get(0);
        }
        throw new ManifestException("Deployment " + name + ": container " + ManifestFields.text(container, "name")
                + (ports.isEmpty() ? " names no containerPort" : " has the ports " + ports)
                + " (expected: --production-port with the one that clients use)");
    }

    /** A pod's containers share its ports. */
    private static void checkFree(String name, Map<String, Object> pod, InjectionOptions options)
            throws ManifestException {
        List<Integer> taken = new ArrayList<>(List.of(options.productionPort()));
        for (Object one : ManifestFields.list(pod, "containers")) {
            taken.addAll(ports(ManifestFields.asMap(one, "containers")));
        }
        for (int port : List.of(options.sidecarPort(), options.controlPort(), options.healthPort())) {
            if (taken.contains(port)) {
                throw new ManifestException("Deployment " + name + ": port " + port
                        + " is in use (expected: another --sidecar-port or --control-port)");
            }
        }
    }

    private static String portName(Map<String, Object> container, int port) throws ManifestException {
        for (Object one : ManifestFields.list(container, "ports")) {
            Map<String, Object> declared = ManifestFields.asMap(one, "ports");
            if (isTcp(declared) && ManifestFields.number(declared, "containerPort") == port) {
                return ManifestFields.text(declared, "name");
            }
        }
        return "";
    }

    private static Map<String, Object> labels(String name, Map<String, Object> tree) throws ManifestException {
        Map<String, Object> labels = ManifestFields.map(tree, "spec", "selector", "matchLabels");
        if (labels.isEmpty()) {
            throw new ManifestException(
                    "Deployment " + name + ": no selector.matchLabels (expected: what its pods are known by)");
        }
        return ManifestFields.asMap(YamlTree.copy(labels), "matchLabels");
    }
}
