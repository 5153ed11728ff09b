package dev.understudy.it.artifact;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.assertj.core.api.Assertions.assertThat;

/** An image of one program, built of its module's Dockerfile. */
final class ProgramImage {
    private static final String TAG = "test";

    private final String module;

    private ProgramImage(String module) {
        this.module = module;
    }

    static ProgramImage build(String module) throws Exception {
        ProgramImage image = new ProgramImage(module);
        List<String> words = new ArrayList<>(List.of("build", "--quiet", "--tag", image.name()));
        Map.of("JDK_IMAGE", "UNDERSTUDY_JDK_IMAGE", "BASE_IMAGE", "UNDERSTUDY_BASE_IMAGE")
                .forEach((name, variable) -> {
                    String chosen = System.getenv(variable);
                    boolean hasArgument = name.equals("BASE_IMAGE") == module.equals("agent");
                    if (chosen != null && hasArgument) {
                        words.addAll(List.of("--build-arg", name + "=" + chosen));
                    }
                });
        words.add(Checkout.root().resolve(module).toString());
        docker(words.toArray(String[]::new));
        return image;
    }

    String name() {
        return "understudy/" + module + ":" + TAG;
    }

    JsonNode facts() throws Exception {
        return new ObjectMapper().readTree(docker("image", "inspect", name())).path(0);
    }

    /** What a {@code docker} command prints; it has to end well. */
    static String docker(String... words) throws Exception {
        List<String> line = new ArrayList<>(List.of("docker"));
        line.addAll(Arrays.asList(words));
        Process process = new ProcessBuilder(line)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        process.getOutputStream().close();
        String output = text(process);
        assertThat(process.waitFor()).as(line + "\n" + output).isZero();
        return output.strip();
    }

    private static String text(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
}
