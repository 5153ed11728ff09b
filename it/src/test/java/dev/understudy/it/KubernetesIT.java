package dev.understudy.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceAccount;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicy;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyEgressRule;
import io.fabric8.kubernetes.api.model.networking.v1.NetworkPolicyPeer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Kubernetes example against the API's own types, the programs that read its settings, and what it says of
 * isolation.
 */
@Tag("any-jdk")
class KubernetesIT {
    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "Service", Service.class,
            "ServiceAccount", ServiceAccount.class,
            "ConfigMap", ConfigMap.class,
            "Deployment", Deployment.class,
            "NetworkPolicy", NetworkPolicy.class);

    private static final String FILE = "examples/orders/kubernetes/understudy.yaml";
    private static final String TOKEN = "UNDERSTUDY_CONTROL_TOKEN";

    @TempDir
    Path folder;

    private final List<HasMetadata> resources = read();

    @Test
    void everyField_isOneOfTheApis() throws Exception {
        assertThat(resources).hasSizeGreaterThan(10);
        for (HasMetadata resource : resources) {
            assertKnown(
                    resource, resource.getKind() + " " + resource.getMetadata().getName());
        }
    }

    @Test
    void settings_areRight() throws Exception {
        assertRight("sidecar", "orders", "understudy-sidecar");
        assertRight("aggregator", "orders-aggregator", "aggregator");
    }

    @Test
    void debugJvm_reachesTheDebugPortsAndTheControlPortOnly() {
        NetworkPolicy policy = find(NetworkPolicy.class, "orders-debug");
        assertThat(policy.getSpec().getPodSelector()).isEqualTo(selector("orders-debug"));
        assertThat(policy.getSpec().getPolicyTypes()).containsExactlyInAnyOrder("Ingress", "Egress");

        Set<String> reached = new TreeSet<>();
        for (NetworkPolicyEgressRule rule : policy.getSpec().getEgress()) {
            for (NetworkPolicyPeer peer : rule.getTo()) {
                assertThat(peer.getIpBlock()).isNull();
                assertThat(peer.getNamespaceSelector()).isNull();
                rule.getPorts()
                        .forEach(port -> reached.add(app(peer.getPodSelector()) + ":"
                                + port.getPort().getIntVal()));
            }
        }
        assertThat(reached)
                .containsExactly(
                        "orders-aggregator:25432", "orders-aggregator:26379", "orders-aggregator:28090", "orders:9090");
        String settings = setting("aggregator");
        for (String port : List.of("25432", "26379", "28090")) {
            assertThat(settings).contains("debug:\n    listen: \"0.0.0.0:" + port + "\"");
        }
        PodSpec debug = pod("orders-debug");
        assertThat(debug.getDnsPolicy()).isEqualTo("None");
        assertThat(variables(debug.getContainers().get(0)))
                .contains("DB_PASSWORD=not-a-password", "REDIS_PASSWORD=not-a-password");
    }

    @Test
    void debugJvm_knowsNoTokenButTheAgents() {
        PodSpec debug = pod("orders-debug");
        assertThat(debug.getAutomountServiceAccountToken()).isFalse();
        assertThat(debug.getContainers())
                .flatMap(Container::getEnv)
                .filteredOn(variable -> variable.getValueFrom() != null)
                .extracting(
                        variable -> variable.getValueFrom().getSecretKeyRef().getKey())
                .containsExactly("agent-token");
        assertThat(variables(debug.getContainers().get(0))).contains("UNDERSTUDY_AGENT_EGRESS=deny");
    }

    @Test
    void rings_areInMemory() {
        assertThat(pod("orders").getVolumes())
                .filteredOn(volume -> volume.getName().equals("understudy-rings"))
                .extracting(volume -> volume.getEmptyDir().getMedium())
                .containsExactly("Memory");
        assertThat(container("orders", "understudy-sidecar").getVolumeMounts())
                .extracting(VolumeMount::getMountPath)
                .contains("/dev/shm");
    }

    /** The guide's command, as somebody would type it. */
    @Test
    void example_isWhatTheGuidesCommandWrites() throws Exception {
        String guide = Files.readString(Checkout.root().resolve("docs/guides/kubernetes.md"));
        Matcher shown = Pattern.compile("(?s)\\./understudy kubernetes inject (.*?) > understudy.yaml\n")
                .matcher(guide);
        assertThat(shown.find()).as("the guide's command").isTrue();
        String line = "./understudy kubernetes inject " + shown.group(1);

        try (Child child = Child.start(folder.resolve("written.yaml"), List.of("sh", "-c", line))) {
            assertThat(child.exitCode(Duration.ofMinutes(1))).as(child.output()).isZero();
            assertThat(child.output())
                    .isEqualTo(Files.readString(Checkout.root().resolve(FILE)));
        }
        String piped = "cat examples/orders/kubernetes/orders.yaml | " + line.replaceFirst("-f \\S+", "");
        try (Child child = Child.start(folder.resolve("piped.yaml"), List.of("sh", "-c", piped))) {
            assertThat(child.exitCode(Duration.ofMinutes(1))).as(child.output()).isZero();
            assertThat(child.output())
                    .isEqualTo(Files.readString(Checkout.root().resolve(FILE)));
        }
    }

    @Test
    void containers_haveTheLeastRights() {
        for (Deployment deployment : all(Deployment.class)) {
            PodSpec pod = deployment.getSpec().getTemplate().getSpec();
            assertThat(pod.getAutomountServiceAccountToken()).isFalse();
            assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
            List<Container> containers = new ArrayList<>(pod.getContainers());
            containers.addAll(pod.getInitContainers());
            for (Container container : containers) {
                assertThat(container.getSecurityContext().getReadOnlyRootFilesystem())
                        .isTrue();
                assertThat(container.getSecurityContext().getAllowPrivilegeEscalation())
                        .isFalse();
                assertThat(container.getSecurityContext().getCapabilities().getDrop())
                        .containsExactly("ALL");
            }
        }
    }

    @Test
    void services_leadToPortsThatSomebodyListensOn() {
        for (Service service : all(Service.class)) {
            PodSpec pod =
                    pod(Objects.requireNonNull(service.getSpec().getSelector().get("app")));
            service.getSpec().getPorts().forEach(port -> {
                String target = String.valueOf(
                        port.getTargetPort() == null
                                ? port.getPort()
                                : port.getTargetPort().getValue());
                boolean named = pod.getContainers().stream()
                        .flatMap(container -> container.getPorts().stream())
                        .anyMatch(open -> target.equals(open.getName())
                                || target.equals(String.valueOf(open.getContainerPort())));
                assertThat(named || setting("aggregator").contains("0.0.0.0:" + target))
                        .as("%s of %s", target, service.getMetadata().getName())
                        .isTrue();
            });
        }
    }

    private void assertRight(String program, String pod, String container) throws Exception {
        assertThat(container(pod, container).getEnv())
                .extracting(EnvVar::getName)
                .contains(TOKEN);
        Path file = Files.writeString(folder.resolve(program + ".yaml"), setting(program));
        // the token is a secret of the cluster's
        List<String> line =
                List.of("env", TOKEN + "=any", "./understudy", program, "--check", "--config", file.toString());
        try (Child child = Child.start(folder.resolve(program + ".log"), line)) {
            assertThat(child.exitCode(Duration.ofMinutes(1))).as(child.output()).isZero();
        }
    }

    private String setting(String program) {
        return Objects.requireNonNull(
                find(ConfigMap.class, "orders-" + program).getData().get(program + ".yaml"));
    }

    private Container container(String pod, String name) {
        return pod(pod).getContainers().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private PodSpec pod(String name) {
        return find(Deployment.class, name).getSpec().getTemplate().getSpec();
    }

    private <T extends HasMetadata> List<T> all(Class<T> kind) {
        return resources.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private <T extends HasMetadata> T find(Class<T> kind, String name) {
        return all(kind).stream()
                .filter(one -> one.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> variables(Container container) {
        List<String> variables = new ArrayList<>();
        for (EnvVar variable : container.getEnv()) {
            variables.add(variable.getName() + "=" + variable.getValue());
        }
        return variables;
    }

    private static LabelSelector selector(String app) {
        LabelSelector selector = new LabelSelector();
        selector.setMatchLabels(Map.of("app", app));
        return selector;
    }

    private static String app(LabelSelector selector) {
        assertThat(selector.getMatchExpressions()).isEmpty();
        return Objects.requireNonNull(selector.getMatchLabels().get("app"));
    }

    private static List<HasMetadata> read() {
        Path file = Checkout.root().resolve(FILE);
        List<HasMetadata> read = new ArrayList<>();
        ObjectMapper mapper = new ObjectMapper();
        try {
            for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(Files.readString(file))) {
                String kind = String.valueOf(((Map<?, ?>) document).get("kind"));
                read.add(mapper.convertValue(document, Objects.requireNonNull(KINDS.get(kind), kind)));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return read;
    }

    /** The model keeps what it doesn't know in a map of its own, at each place. */
    private static void assertKnown(Object value, String place) throws ReflectiveOperationException {
        if (value instanceof Collection<?> list) {
            int index = 0;
            for (Object element : list) {
                assertKnown(element, place + "[" + index++ + "]");
            }
        } else if (value.getClass().getName().startsWith("io.fabric8.kubernetes.api.model")) {
            for (Method method : value.getClass().getMethods()) {
                if (method.getName().equals("getAdditionalProperties")) {
                    assertThat((Map<?, ?>) method.invoke(value)).as(place).isEmpty();
                } else if (method.getName().startsWith("get") && method.getParameterCount() == 0) {
                    Object inner = method.invoke(value);
                    if (inner != null && inner != value) {
                        assertKnown(inner, place + "." + method.getName().substring(3));
                    }
                }
            }
        }
    }
}
