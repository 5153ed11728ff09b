package dev.understudy.kubernetes.inject;

import dev.understudy.kubernetes.manifest.Manifest;
import dev.understudy.kubernetes.manifest.ManifestException;
import dev.understudy.kubernetes.manifest.ManifestFields;
import dev.understudy.kubernetes.manifest.ManifestTemplate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The debug JVM: production's image with the agent, without names to look up, Secrets, disks or a token of the cluster.
 *
 * <p>What it takes over from production's pod is listed here; whatever else a pod can have, it doesn't get.
 */
final class DebugDeployment {
    private static final List<String> OF_POD =
            List.of("imagePullSecrets", "nodeSelector", "tolerations", "runtimeClassName", "securityContext");

    private static final List<String> OF_CONTAINER = List.of(
            "name",
            "image",
            "imagePullPolicy",
            "command",
            "args",
            "workingDir",
            "securityContext",
            "env",
            "envFrom",
            "ports",
            "readinessProbe",
            "resources",
            "volumeMounts");

    private static final Set<String> SHARED_VOLUMES = Set.of("configMap", "downwardAPI", "emptyDir");
    private static final String JAVA_OPTIONS = "JAVA_TOOL_OPTIONS";
    private static final String AGENT = "-javaagent:/understudy/understudy-agent.jar";
    private static final String NO_PASSWORD = "not-a-password";

    private final TappedService service;
    private final ContainerVariables variables;
    private final List<String> notes = new ArrayList<>();

    DebugDeployment(TappedService service, ContainerVariables variables) {
        this.service = service;
        this.variables = variables;
    }

    /** What it leaves out that the service may miss. */
    List<String> notes() {
        return notes;
    }

    /** Where the sidecar delivers to. */
    Manifest front() {
        Map<String, Object> front = service.resource("v1", "Service", service.debug());
        front.put("spec", ManifestTemplate.fill("""
                        selector: { app: <debug> }
                        publishNotReadyAddresses: true
                        ports: [{ name: debug, port: <port>, targetPort: <port> }]
                        """, Map.of("debug", service.debug(), "port", service.port())));
        return Manifest.made("Where the sidecar delivers copies to, at a breakpoint, too; no client knows it.", front);
    }

    /** The Deployment. */
    Manifest deployment() throws ManifestException {
        Map<String, Object> original = ManifestFields.map(service.manifest().copy(), "spec", "template", "spec");
        Map<String, Object> pod = ManifestTemplate.fill("""
                serviceAccountName: <debug>
                automountServiceAccountToken: false
                enableServiceLinks: true
                dnsPolicy: None
                dnsConfig: { nameservers: [127.0.0.1] }
                """, Map.of("debug", service.debug()));
        OF_POD.forEach(key -> {
            if (original.containsKey(key)) {
                pod.put(key, original.get(key));
            }
        });
        if (original.containsKey("initContainers")) {
            notes.add("the debug JVM has no init containers: add those that it needs to Deployment " + service.debug());
        }
        pod.put("initContainers", List.of(agentCopy()));
        pod.put("containers", List.of(container(original)));
        pod.put("volumes", volumes(original));
        Map<String, Object> deployment = service.resource("apps/v1", "Deployment", service.debug());
        deployment.put("spec", ManifestTemplate.fill("""
                        replicas: 1
                        strategy: { type: Recreate }
                        selector: { matchLabels: { app: <debug> } }
                        template:
                          metadata: { labels: { app: <debug> } }
                          spec: <pod>
                        """, Map.of("debug", service.debug(), "pod", pod)));
        return Manifest.made("""
                The same image with the agent. It finds the aggregator and the sidecar by the variables that Kubernetes
                makes for Services, so these have to be there before its pod.""", deployment);
    }

    private Map<String, Object> agentCopy() {
        return ManifestTemplate.fill(
                """
                name: understudy-agent
                image: <image>
                securityContext: <rights>
                resources: { requests: { cpu: 50m, memory: 32Mi }, limits: { memory: 64Mi } }
                volumeMounts: [{ name: understudy-agent, mountPath: /agent }]
                """, Map.of("image", service.options().image("agent"), "rights", AggregatorManifests.leastRights()));
    }

    private Map<String, Object> container(Map<String, Object> pod) throws ManifestException {
        Map<String, Object> original = new LinkedHashMap<>();
        for (Object one : ManifestFields.list(pod, "containers")) {
            Map<String, Object> container = ManifestFields.asMap(one, "containers");
            if (ManifestFields.text(container, "name").equals(service.container())) {
                original = container;
            }
        }
        Map<String, Object> debug = new LinkedHashMap<>();
        for (String key : OF_CONTAINER) {
            if (original.containsKey(key)) {
                debug.put(key, original.get(key));
            }
        }
        debug.put("ports", ports(original));
        checkJavaOptions(debug);
        takeSecretsAway(debug);
        variables.applyTo(debug);
        List<Object> env = new ArrayList<>(ManifestFields.list(debug, "env"));
        addAgent(env);
        debug.put("env", env);
        List<Object> mounts = new ArrayList<>(ManifestFields.list(debug, "volumeMounts"));
        mounts.add(
                ManifestTemplate.fill("{ name: understudy-agent, mountPath: /understudy, readOnly: true }", Map.of()));
        debug.put("volumeMounts", mounts);
        return debug;
    }

    /** All of them, since probes ask by name; none on the host. */
    private List<Object> ports(Map<String, Object> container) throws ManifestException {
        List<Object> ports = new ArrayList<>();
        for (Object one : ManifestFields.list(container, "ports")) {
            Map<String, Object> port = ManifestFields.asMap(one, "ports");
            port.remove("hostPort");
            port.remove("hostIP");
            ports.add(port);
        }
        if (ports.isEmpty()) {
            ports.add(ManifestTemplate.fill("{ containerPort: <port> }", Map.of("port", service.port())));
        }
        return ports;
    }

    /** The agent's option is added to a text, which has to be known for that. */
    private void checkJavaOptions(Map<String, Object> container) throws ManifestException {
        InjectionOptions options = service.options();
        boolean set =
                options.env().containsKey(JAVA_OPTIONS) || options.debugEnv().containsKey(JAVA_OPTIONS);
        for (Object one : ManifestFields.list(container, "env")) {
            Map<String, Object> variable = ManifestFields.asMap(one, "env");
            boolean elsewhere = variable.containsKey("valueFrom");
            if (!set && elsewhere && ManifestFields.text(variable, "name").equals(JAVA_OPTIONS)) {
                throw new ManifestException("container " + service.container() + ": " + JAVA_OPTIONS
                        + " has a valueFrom, which the agent can't be added to (expected: a value, or --debug-env '"
                        + JAVA_OPTIONS + "=…' for the debug JVM)");
            }
        }
    }

    private void takeSecretsAway(Map<String, Object> container) throws ManifestException {
        List<Object> env = new ArrayList<>();
        for (Object one : ManifestFields.list(container, "env")) {
            Map<String, Object> variable = ManifestFields.asMap(one, "env");
            String name = ManifestFields.text(variable, "name");
            boolean secret = ManifestFields.map(variable, "valueFrom").containsKey("secretKeyRef");
            boolean taken = secret && !service.options().keptSecrets().contains(name);
            env.add(taken ? ContainerVariables.variable(name, NO_PASSWORD) : variable);
        }
        container.put("env", env);
        List<Object> sources = new ArrayList<>();
        for (Object one : ManifestFields.list(container, "envFrom")) {
            if (ManifestFields.asMap(one, "envFrom").containsKey("secretRef")) {
                notes.add("the debug JVM gets no variables of envFrom's Secrets: give it what it needs by --debug-env");
            } else {
                sources.add(one);
            }
        }
        container.remove("envFrom");
        if (!sources.isEmpty()) {
            container.put("envFrom", sources);
        }
    }

    private void addAgent(List<Object> env) throws ManifestException {
        String options = AGENT;
        for (Object one : List.copyOf(env)) {
            Map<String, Object> variable = ManifestFields.asMap(one, "env");
            if (ManifestFields.text(variable, "name").equals(JAVA_OPTIONS)) {
                options = (ManifestFields.text(variable, "value") + " " + AGENT).strip();
                env.remove(one);
            }
        }
        String aggregator = TappedService.address(service.aggregatorDebug());
        List<String> allowed = service.upstreams().stream()
                .map(one -> aggregator + ":" + one.debug())
                .toList();
        Map<String, Object> agent = ManifestTemplate.fill(
                """
                env:
                  - { name: JAVA_TOOL_OPTIONS, value: <options> }
                  - { name: UNDERSTUDY_AGENT_DEBUG, value: "true" }
                  - { name: UNDERSTUDY_AGENT_EGRESS, value: deny }
                  - { name: UNDERSTUDY_AGENT_EGRESS_ALLOW, value: <allowed> }
                  - { name: UNDERSTUDY_AGENT_NAME, value: <debug> }
                  - { name: UNDERSTUDY_AGENT_SERVICE, value: <debug> }
                  - { name: UNDERSTUDY_AGENT_SIDECAR, value: "http://<sidecar>:<control>" }
                  - name: UNDERSTUDY_AGENT_TOKEN
                    valueFrom: { secretKeyRef: { name: <secret>, key: agent-token } }
                """,
                Map.of(
                        "options", options,
                        "allowed", String.join("; ", allowed),
                        "debug", service.debug(),
                        "sidecar", TappedService.address(service.sidecar()),
                        "control", service.options().controlPort(),
                        "secret", service.options().secret()));
        env.addAll(ManifestFields.list(agent, "env"));
    }

    /** Of what production can write, or only a Secret holds, it gets an empty folder at the same place. */
    private List<Object> volumes(Map<String, Object> pod) throws ManifestException {
        List<Object> volumes = new ArrayList<>();
        for (Object one : ManifestFields.list(pod, "volumes")) {
            Map<String, Object> volume = ManifestFields.asMap(one, "volumes");
            if (volume.keySet().stream().anyMatch(SHARED_VOLUMES::contains)) {
                volumes.add(volume);
            } else {
                String name = ManifestFields.text(volume, "name");
                notes.add("the debug JVM's volume " + name
                        + " is empty, as production's is no configMap or emptyDir: change" + " Deployment "
                        + service.debug() + " if it needs what is there");
                volumes.add(empty(name));
            }
        }
        volumes.add(empty("understudy-agent"));
        return volumes;
    }

    private static Map<String, Object> empty(String name) {
        return ManifestTemplate.fill("{ name: <name>, emptyDir: {} }", Map.of("name", name));
    }
}
