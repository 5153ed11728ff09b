package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestFields;
import dev.understudy.kubernetes.manifest.ManifestTemplate;
import dev.understudy.kubernetes.manifest.YamlTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Production's side: pods get a sidecar and dial the aggregator, and Services lead to the sidecar. */
final class SidecarInjection {
    /** The sidecar's container. */
    static final String CONTAINER = "understudy-sidecar";

    /** What the pod calls the sidecar's port, and Services lead to. */
    static final String PORT = "understudy";

    private static final String SETTINGS = "understudy-settings";
    private static final String TEMPORARY = "understudy-tmp";
    private static final String RINGS = "understudy-rings";

    private final TappedService service;
    private final ContainerVariables variables;

    SidecarInjection(TappedService service, ContainerVariables variables) {
        this.service = service;
        this.variables = variables;
    }

    /** The Deployment with the sidecar in its pods. */
    Manifest deployment() throws ManifestException {
        Map<String, Object> tree = service.manifest().copy();
        Map<String, Object> metadata = ManifestFields.map(tree, "metadata");
        child(metadata, "annotations").put(TappedService.INJECTED, "true");
        Map<String, Object> podMetadata = child(ManifestFields.map(tree, "spec", "template"), "metadata");
        child(podMetadata, "annotations").put(TappedService.SETTINGS, AggregatorManifests.hash(settings()));
        Map<String, Object> pod = ManifestFields.map(tree, "spec", "template", "spec");
        List<Object> containers = new ArrayList<>();
        for (Object one : ManifestFields.list(pod, "containers")) {
            Map<String, Object> container = ManifestFields.asMap(one, "containers");
            if (ManifestFields.text(container, "name").equals(service.container())) {
                variables.applyTo(container);
            }
            containers.add(container);
        }
        containers.add(container());
        pod.put("containers", containers);
        List<Object> volumes = new ArrayList<>(ManifestFields.list(pod, "volumes"));
        volumes.addAll(volumes());
        pod.put("volumes", volumes);
        return Manifest.made("Production with its sidecar.", tree);
    }

    /** Whether a Service leads to production's port, and has to lead to the sidecar instead. */
    boolean isFront(Manifest other) throws ManifestException {
        InjectionOptions options = service.options();
        if (!other.kind().equals("Service")
                || (!options.service().isEmpty() && !options.service().equals(other.name()))) {
            return false;
        }
        for (Object port : ManifestFields.list(ManifestFields.map(other.tree(), "spec"), "ports")) {
            if (selectsPods(other) && leadsToProduction(ManifestFields.asMap(port, "ports"))) {
                return true;
            }
        }
        return false;
    }

    /** Whether clients find pods by it and come to their own ports, whatever it says of them. */
    static boolean isHeadless(Manifest front) throws ManifestException {
        return ManifestFields.text(ManifestFields.map(front.tree(), "spec"), "clusterIP")
                .equals("None");
    }

    /** A Service that leads to the sidecar where it has led to production. */
    Manifest front(Manifest original) throws ManifestException {
        Map<String, Object> tree = original.copy();
        for (Object one : ManifestFields.list(ManifestFields.map(tree, "spec"), "ports")) {
            Map<String, Object> port = ManifestFields.asMap(one, "ports");
            if (leadsToProduction(port)) {
                port.put("targetPort", PORT);
            }
        }
        child(child(tree, "metadata"), "labels").put(TappedService.APPLY, "last");
        return Manifest.made("""
                Clients come to the sidecar's port. It leads nowhere until pods have it, so it has to be applied after
                the Deployment has rolled out.""", tree);
    }

    /** The sidecar's settings, and the Service by which agents and users find its control port. */
    List<Manifest> companions() {
        InjectionOptions options = service.options();
        Map<String, Object> settings = service.resource("v1", "ConfigMap", service.sidecar());
        settings.put("data", Map.of("sidecar.yaml", settings()));
        Map<String, Object> control = service.resource("v1", "Service", service.sidecar());
        control.put(
                "spec",
                ManifestTemplate.fill("""
                        selector: <labels>
                        ports: [{ name: control, port: <control>, targetPort: <control> }]
                        """, Map.of("labels", service.labels(), "control", options.controlPort())));
        return List.of(
                Manifest.made("What the debug JVM's agent reports to.", control),
                Manifest.made("The sidecar's settings; tokens come from the environment.", settings));
    }

    private String settings() {
        InjectionOptions options = service.options();
        return YamlTree.write(ManifestTemplate.fill(
                """
                listeners:
                  - name: <name>
                    listen: 0.0.0.0:<listen>
                    production: 127.0.0.1:<port>
                    debug: <debug>:<port>
                    protocol: <protocol>
                    order: causal
                aggregator: { url: "http://<aggregator>:<aggregatorControl>" }
                control: { listen: 0.0.0.0:<control> }
                tap: { health: 0.0.0.0:<health>, lane-java-options: "-Xmx512m" }
                """,
                Map.of(
                        "name", service.name(),
                        "listen", options.sidecarPort(),
                        "port", service.port(),
                        "debug", service.debug(),
                        "protocol", options.protocol(),
                        "aggregator", service.aggregator(),
                        "aggregatorControl", AggregatorManifests.CONTROL_PORT,
                        "control", options.controlPort(),
                        "health", options.healthPort())));
    }

    private Map<String, Object> container() {
        InjectionOptions options = service.options();
        return ManifestTemplate.fill(
                """
                name: <container>
                image: <image>
                securityContext: <rights>
                env:
                  - name: UNDERSTUDY_CONTROL_TOKEN
                    valueFrom: { secretKeyRef: { name: <secret>, key: token } }
                  - name: UNDERSTUDY_CONTROL_AGENT_TOKEN
                    valueFrom: { secretKeyRef: { name: <secret>, key: agent-token } }
                  - name: UNDERSTUDY_AGGREGATOR_TOKEN
                    valueFrom: { secretKeyRef: { name: <secret>, key: token } }
                ports:
                  - { name: understudy, containerPort: <listen> }
                  - { name: understudy-ctl, containerPort: <control> }
                  - { name: understudy-live, containerPort: <health> }
                readinessProbe: { httpGet: { path: /healthz, port: <health> }, periodSeconds: 3 }
                resources: { requests: { cpu: 250m, memory: 512Mi }, limits: { memory: 2Gi } }
                volumeMounts:
                  - { name: <settings>, mountPath: /etc/understudy, readOnly: true }
                  - { name: <tmp>, mountPath: /tmp }
                  - { name: <rings>, mountPath: /dev/shm }
                """,
                Map.of(
                        "container", CONTAINER,
                        "image", options.image("sidecar"),
                        "rights", AggregatorManifests.leastRights(),
                        "secret", options.secret(),
                        "listen", options.sidecarPort(),
                        "control", options.controlPort(),
                        "health", options.healthPort(),
                        "settings", SETTINGS,
                        "tmp", TEMPORARY,
                        "rings", RINGS));
    }

    /** Relaying process and lane process share rings in memory, which counts as the container's. */
    private List<Object> volumes() {
        Map<String, Object> pod = ManifestTemplate.fill(
                """
                volumes:
                  - { name: <settings>, configMap: { name: <sidecar> } }
                  - { name: <tmp>, emptyDir: {} }
                  - { name: <rings>, emptyDir: { medium: Memory, sizeLimit: 256Mi } }
                """, Map.of("settings", SETTINGS, "sidecar", service.sidecar(), "tmp", TEMPORARY, "rings", RINGS));
        return List.copyOf((List<?>) Objects.requireNonNull(pod.get("volumes")));
    }

    private boolean selectsPods(Manifest other) throws ManifestException {
        Map<String, Object> wanted = ManifestFields.map(other.tree(), "spec", "selector");
        Map<String, Object> labels =
                ManifestFields.map(service.manifest().tree(), "spec", "template", "metadata", "labels");
        for (String label : wanted.keySet()) {
            if (!ManifestFields.text(labels, label).equals(ManifestFields.text(wanted, label))) {
                return false;
            }
        }
        return !wanted.isEmpty() && service.isNeighbour(other);
    }

    private boolean leadsToProduction(Map<String, Object> port) {
        if (!TappedService.isTcp(port)) {
            return false;
        }
        String target = ManifestFields.text(port, "targetPort");
        if (target.isEmpty()) {
            target = ManifestFields.text(port, "port");
        }
        return target.equals(String.valueOf(service.port()))
                || (!service.portName().isEmpty() && target.equals(service.portName()));
    }

    private static Map<String, Object> child(Map<String, Object> parent, String key) throws ManifestException {
        Map<String, Object> child = ManifestFields.map(parent, key);
        parent.put(key, child);
        return child;
    }
}
