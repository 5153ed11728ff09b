package dev.understudy.testing;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.ContainerNetwork;
import dev.understudy.testing.process.ProgramArchive;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** The sidecar or the aggregator in a container. It is on several networks, by a name of its own on each. */
final class ProgramContainer extends GenericContainer<ProgramContainer> {
    private static final String HOME = "/understudy/";
    private static final String SETTINGS = "/etc/understudy/settings.yaml";
    private static final List<String> JVM =
            List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData");

    private final Map<Network, List<String>> others = new LinkedHashMap<>();

    /**
     * Prepares it.
     *
     * @param image has {@code java}
     * @param program {@code sidecar} or {@code aggregator}
     * @param programs the unpacked archive
     * @param token of the control port
     */
    ProgramContainer(String image, String program, Path programs, String settings, String token) {
        super(DockerImageName.parse(image));
        withCopyFileToContainer(MountableFile.forHostPath(programs), HOME);
        withCopyToContainer(Transferable.of(settings), SETTINGS);
        withEnv("UNDERSTUDY_CONTROL_TOKEN", token);
        withEnv("UNDERSTUDY_AGGREGATOR_TOKEN", token);
        withCreateContainerCmdModifier(create -> create.withEntrypoint("java"));
        waitingFor(Wait.forLogMessage(".*understudy " + program + " ready:.*\\n", 1));
        Path jar = ProgramArchive.jar(programs, program).getFileName();
        List<String> line = new ArrayList<>(JVM);
        line.addAll(List.of("-jar", HOME + "lib/" + jar, "--config", SETTINGS));
        setCommandParts(line.toArray(String[]::new));
    }

    /** Puts it on a further network, by these names. */
    ProgramContainer on(Network network, String... names) {
        others.put(network, List.of(names));
        return this;
    }

    /** Before its program starts: it listens on its names. */
    @Override
    protected void containerIsCreated(String id) {
        others.forEach((network, names) -> connect(dockerClient, id, network, names));
    }

    /** Puts a container on a network. */
    static void connect(DockerClient docker, String id, Network network, List<String> names) {
        docker.connectToNetworkCmd()
                .withContainerId(id)
                .withNetworkId(network.getId())
                .withContainerNetwork(new ContainerNetwork().withAliases(names))
                .exec();
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }
}
