package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestFields;
import dev.understudy.kubernetes.manifest.ManifestTemplate;
import dev.understudy.kubernetes.manifest.YamlTree;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What production's upstream calls go through, and what answers the debug JVM's. */
final class AggregatorManifests {
    static final int CONTROL_PORT = 9091;

    /** Answered by the process that relays, whatever becomes of the one that records. */
    static final int HEALTH_PORT = 9092;

    /** Where its pods can run, and with which registry's passwords, is as with production's. */
    private static final List<String> OF_POD =
            List.of("imagePullSecrets", "nodeSelector", "tolerations", "runtimeClassName", "priorityClassName");

    private final TappedService service;

    AggregatorManifests(TappedService service) {
        this.service = service;
    }

    /** Two Services, as each JVM may only find its own ports, and the settings. */
    List<Manifest> companions() {
        Map<String, Object> production =
                service(service.aggregator(), ports(UpstreamPorts::production, Map.of("control", CONTROL_PORT)));
        Map<String, Object> debug = service(service.aggregatorDebug(), ports(UpstreamPorts::debug, Map.of()));
        Map<String, Object> settings = service.resource("v1", "ConfigMap", service.aggregator());
        settings.put("data", Map.of("aggregator.yaml", settings()));
        return List.of(
                Manifest.made("Where production dials its upstreams.", production),
                Manifest.made("Where the debug JVM dials them.", debug),
                Manifest.made("The aggregator's settings; tokens come from the environment.", settings));
    }

    /** The aggregator itself: one, since what one has recorded, another can't answer. */
    Manifest deployment() throws ManifestException {
        Map<String, Object> deployment = service.resource("apps/v1", "Deployment", service.aggregator());
        deployment.put(
                "spec",
                ManifestTemplate.fill(
                        """
                        replicas: 1
                        strategy: { type: Recreate }
                        selector: { matchLabels: { app: <name> } }
                        template:
                          metadata:
                            labels: { app: <name> }
                            annotations: { understudy.dev/settings: <hash> }
                          spec:
                            serviceAccountName: <name>
                            automountServiceAccountToken: false
                            securityContext: { runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }
                            containers:
                              - name: aggregator
                                image: <image>
                                securityContext: <rights>
                                env:
                                  - name: UNDERSTUDY_CONTROL_TOKEN
                                    valueFrom: { secretKeyRef: { name: <secret>, key: token } }
                                ports:
                                  - { name: control, containerPort: <control> }
                                  - { name: health, containerPort: <health> }
                                readinessProbe: { httpGet: { path: /healthz, port: <health> }, periodSeconds: 3 }
                                resources: { requests: { cpu: 250m, memory: 512Mi }, limits: { memory: 2Gi } }
                                volumeMounts:
                                  - { name: settings, mountPath: /etc/understudy, readOnly: true }
                                  - { name: tmp, mountPath: /tmp }
                                  - { name: rings, mountPath: /dev/shm }
                            volumes:
                              - { name: settings, configMap: { name: <name> } }
                              - { name: tmp, emptyDir: {} }
                              - { name: rings, emptyDir: { medium: Memory, sizeLimit: 256Mi } }
                        """,
                        Map.of(
                                "name", service.aggregator(),
                                "hash", hash(settings()),
                                "image", service.options().image("aggregator"),
                                "rights", leastRights(),
                                "secret", service.options().secret(),
                                "control", CONTROL_PORT,
                                "health", HEALTH_PORT)));
        Map<String, Object> original = ManifestFields.map(service.manifest().copy(), "spec", "template", "spec");
        Map<String, Object> pod = ManifestFields.map(deployment, "spec", "template", "spec");
        OF_POD.forEach(key -> {
            if (original.containsKey(key)) {
                pod.put(key, original.get(key));
            }
        });
        return Manifest.made("What one aggregator has recorded, another can't answer.", deployment);
    }

    /** What pods are annotated with, so that other settings are other pods: nothing reads them twice. */
    static String hash(String settings) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(settings.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The rights of our own containers. */
    static Map<String, Object> leastRights() {
        return ManifestTemplate.fill("""
                runAsNonRoot: true
                runAsUser: 10001
                runAsGroup: 10001
                seccompProfile: { type: RuntimeDefault }
                readOnlyRootFilesystem: true
                allowPrivilegeEscalation: false
                capabilities: { drop: [ALL] }
                """, Map.of());
    }

    private Map<String, Object> service(String name, Map<String, Integer> ports) {
        List<Object> list = new ArrayList<>();
        ports.forEach((port, number) -> list.add(
                ManifestTemplate.fill("{ name: <name>, port: <port> }", Map.of("name", port, "port", number))));
        Map<String, Object> resource = service.resource("v1", "Service", name);
        resource.put("spec", ManifestTemplate.fill("""
                        selector: { app: <app> }
                        ports: <ports>
                        """, Map.of("app", service.aggregator(), "ports", list)));
        return resource;
    }

    private Map<String, Integer> ports(ToIntFunction<UpstreamPorts> port, Map<String, Integer> more) {
        Map<String, Integer> ports = new LinkedHashMap<>();
        service.upstreams().forEach(one -> ports.put(one.upstream().name(), port.applyAsInt(one)));
        ports.putAll(more);
        return ports;
    }

    private String settings() {
        List<Object> upstreams = new ArrayList<>();
        for (UpstreamPorts one : service.upstreams()) {
            UpstreamSpec upstream = one.upstream();
            upstreams.add(ManifestTemplate.fill(
                    """
                    name: <name>
                    protocol: <protocol>
                    production: { listen: 0.0.0.0:<production>, upstream: <host>:<port> }
                    debug: { listen: 0.0.0.0:<debug> }
                    """,
                    Map.of(
                            "name", upstream.name(),
                            "protocol", upstream.protocol(),
                            "production", one.production(),
                            "host", upstream.host(),
                            "port", upstream.port(),
                            "debug", one.debug())));
        }
        return YamlTree.write(ManifestTemplate.fill(
                """
                upstreams: <upstreams>
                control: { listen: 0.0.0.0:<control> }
                tap: { health: 0.0.0.0:<health>, recorder-java-options: "-Xmx1g" }
                """, Map.of("upstreams", upstreams, "control", CONTROL_PORT, "health", HEALTH_PORT)));
    }
}
