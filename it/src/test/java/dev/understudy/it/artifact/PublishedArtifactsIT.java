package dev.understudy.it.artifact;

import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

import static org.assertj.core.api.Assertions.assertThat;

/** The POMs that go into repositories, and the agent's jar beside its own. */
@Tag("any-jdk")
class PublishedArtifactsIT {
    private static final String DEPENDENCIES = "/project/dependencies/dependency";

    private static List<String> modules() {
        return List.of("bom", "agent", "aggregator", "divergence", "relay", "sidecar", "sidecar/session", "testing");
    }

    @ParameterizedTest
    @MethodSource("modules")
    void pom_hasWhatCentralWants_andNeedsNoOther(String module) throws Exception {
        Document pom = pom(module);

        for (String path : List.of(
                "groupId",
                "artifactId",
                "version",
                "name",
                "description",
                "url",
                "licenses/license/url",
                "developers/developer/name",
                "scm/connection",
                "scm/url")) {
            assertThat(texts(pom, "/project/" + path)).as(path).hasSize(1).doesNotContain("");
        }
        assertThat(texts(pom, "/project/scm/url")).doesNotContain(module);
        assertThat(texts(pom, "/project/parent")).isEmpty();
        assertThat(texts(pom, "/project/profiles")).isEmpty();
        assertThat(texts(pom, DEPENDENCIES + "[scope='test']")).isEmpty();
        assertThat(texts(pom, DEPENDENCIES + "[not(version)]")).isEmpty();
    }

    @Test
    void bom_hasTheVersionOfEachOfOurs_andNoOther() throws Exception {
        Set<String> listed = Set.copyOf(texts(pom("bom"), "//dependencyManagement//artifactId"));

        for (String module : modules()) {
            if (!module.equals("bom")) {
                assertThat(listed).containsAll(texts(pom(module), "/project/artifactId"));
            }
            assertThat(listed).containsAll(texts(pom(module), DEPENDENCIES + "[groupId='dev.understudy']/artifactId"));
        }
        assertThat(listed).allMatch(name -> name.startsWith("understudy-"));
    }

    @Test
    void agent_bringsNoLibrary_sinceTheyAreInItsJar() throws Exception {
        assertThat(texts(pom("agent"), DEPENDENCIES)).isEmpty();
    }

    @Test
    void agentsMainArtifact_isTheJarThatAJvmTakes() throws IOException {
        try (JarFile jar =
                new JarFile(target("agent").resolve("understudy-agent.jar").toFile())) {
            Attributes main = jar.getManifest().getMainAttributes();
            assertThat(main.getValue("Premain-Class")).isEqualTo("dev.understudy.agent.Agent");
            assertThat(main.getValue("Agent-Class")).isEqualTo("dev.understudy.agent.Agent");
            assertThat(jar.getEntry("dev/understudy/agent/weave/")).isNull();
        }
    }

    private static Document pom(String module) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(target(module).resolve("published.pom").toFile());
    }

    private static List<String> texts(Document pom, String path) throws Exception {
        NodeList found = (NodeList) XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent().strip());
        }
        return texts;
    }

    private static Path target(String module) {
        return Checkout.root().resolve(module).resolve("target");
    }
}
