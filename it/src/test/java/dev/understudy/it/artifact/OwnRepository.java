package dev.understudy.it.artifact;

import dev.understudy.it.stage.Checkout;
import dev.understudy.it.stage.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** A repository with artifacts of ours, and Maven with an empty local one, as a stranger's machine has it. */
public final class OwnRepository {
    public static final String VERSION = "0.1.0-SNAPSHOT";

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Path folder;

    private OwnRepository(Path folder) {
        this.folder = folder;
    }

    /**
     * Publishes artifacts.
     *
     * @param folder for both repositories
     * @param artifacts by their name without {@code understudy-}: the file in the module's target folder, after the
     *     module's own folder; a POM has none
     */
    public static OwnRepository publish(Path folder, Map<String, String> artifacts) throws IOException {
        for (Map.Entry<String, String> artifact : artifacts.entrySet()) {
            String name = "understudy-" + artifact.getKey();
            Path file = Checkout.root().resolve(artifact.getValue());
            Path target = file.getParent();
            Path place = Files.createDirectories(folder.resolve("ours/dev/understudy/" + name + "/" + VERSION));
            Files.copy(target.resolve("published.pom"), place.resolve(name + "-" + VERSION + ".pom"));
            if (file.toString().endsWith(".jar")) {
                Files.copy(file, place.resolve(name + "-" + VERSION + ".jar"));
            }
        }
        Files.writeString(folder.resolve("settings.xml"), """
                <settings>
                  <localRepository>%s</localRepository>
                  <mirrors>
                    <mirror><id>others</id><mirrorOf>*,!ours</mirrorOf><url>%s</url></mirror>
                  </mirrors>
                  <profiles>
                    <profile>
                      <id>ours</id>
                      <repositories><repository><id>ours</id><url>%s</url></repository></repositories>
                      <pluginRepositories>
                        <pluginRepository><id>ours</id><url>%s</url></pluginRepository>
                      </pluginRepositories>
                    </profile>
                  </profiles>
                  <activeProfiles><activeProfile>ours</activeProfile></activeProfiles>
                </settings>
                """.formatted(
                        folder.resolve("local"),
                        Path.of(System.getProperty("understudy.repository")).toUri(),
                        folder.resolve("ours").toUri(),
                        folder.resolve("ours").toUri()));
        return new OwnRepository(folder);
    }

    /** Runs Maven on a project; it has to end with that exit code. */
    public String maven(Path project, int code, String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of(
                "mvn", "-B", "-ntp", "-s", folder.resolve("settings.xml").toString(), "-f", project.toString()));
        line.addAll(List.of(words));
        try (Child child = Child.start(folder.resolve("maven-" + code + ".log"), line)) {
            assertThat(child.exitCode(PATIENCE)).as(child.output()).isEqualTo(code);
            return child.output();
        }
    }

    /** Where Maven puts what it fetched. */
    Path local() {
        return folder.resolve("local");
    }

    /** The file of an artifact. */
    Path jar(String name) {
        return folder.resolve("ours/dev/understudy/" + name + "/" + VERSION + "/" + name + "-" + VERSION + ".jar");
    }
}
