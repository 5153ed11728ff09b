package dev.understudy.it.artifact;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** What each artifact says that it is made of, beside what it is made of. */
@Tag("any-jdk")
class BillOfMaterialsIT {
    /** Some libraries need them to be compiled, and none to run. */
    private static final String ANNOTATIONS = "jspecify-";

    /**
     * Compatible with Apache-2.0; CC0 is one of two that HdrHistogram lets choose from, Go's is BSD-3-Clause by another
     * name.
     */
    private static final Set<String> LICENCES =
            Set.of("Apache-2.0", "MIT", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "Go License");

    @ParameterizedTest
    @ValueSource(strings = {"sidecar", "aggregator"})
    void libraries_areAllInTheBill_andNothingElse(String module) throws IOException {
        Set<String> shipped;
        try (Stream<Path> files = Files.list(target(module).resolve("lib"))) {
            shipped = files.map(file -> file.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }

        assertThat(names(bill(module)))
                .filteredOn(name -> !name.startsWith(ANNOTATIONS))
                .containsExactlyElementsOf(shipped);
    }

    @Test
    void agent_namesWhatIsShadedIntoIt() throws IOException {
        assertThat(names(bill("agent")))
                .anyMatch(name -> name.startsWith("byte-buddy-"))
                .anyMatch(name -> name.startsWith("jackson-core-"))
                .anyMatch(name -> name.startsWith("opentelemetry-sdk-trace-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"sidecar", "aggregator", "agent"})
    void licences_areCompatible(String module) throws IOException {
        for (JsonNode component : bill(module).path("components")) {
            Set<String> licences = StreamSupport.stream(
                            component.path("licenses").spliterator(), false)
                    .map(BillOfMaterialsIT::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(licences)
                    .as(component.path("name").asText())
                    .isNotEmpty()
                    .isSubsetOf(LICENCES);
        }
    }

    /** A build without network makes none. */
    private static JsonNode bill(String module) throws IOException {
        Path bill = target(module).resolve("sbom.json");
        assumeTrue(
                Files.exists(bill) || "required".equals(System.getProperty("understudy.programs")), bill + " missing");
        return new ObjectMapper().readTree(bill.toFile());
    }

    /** The files' names, which Maven makes of name, version and classifier. */
    private static Set<String> names(JsonNode bill) {
        return StreamSupport.stream(bill.path("components").spliterator(), false)
                .map(component -> {
                    String purl = component.path("purl").asText();
                    String classifier =
                            purl.contains("classifier=") ? "-" + purl.replaceAll(".*classifier=([^&]*).*", "$1") : "";
                    return component.path("name").asText() + "-"
                            + component.path("version").asText() + classifier + ".jar";
                })
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String name(JsonNode licence) {
        String id = licence.at("/license/id").asText(licence.path("expression").asText());
        return id.isEmpty() ? licence.at("/license/name").asText("unknown") : id;
    }

    private static Path target(String module) {
        return Checkout.root().resolve(module).resolve("target");
    }
}
