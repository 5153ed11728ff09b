package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.sidecar.handshake.AgentKey;
import java.io.IOException;
import java.nio.file.Path;

/** The section {@code agents}: what lets an agent find out that its JVM is a debug one. */
final class AgentsSection {
    private AgentsSection() {}

    /** The key in the file; none if no file is named. What is wrong with it is the setting's problem. */
    static AgentKey read(Section section) {
        String file = section.optional("key-file", Value.anyText(), "");
        if (file.isEmpty()) {
            return AgentKey.NONE;
        }
        try {
            return AgentKey.read(Path.of(file));
        } catch (IOException | IllegalArgumentException wrong) {
            String why = wrong instanceof IOException ? "can't be read: " + wrong : String.valueOf(wrong.getMessage());
            section.problem("key-file: " + file + " " + why);
            return AgentKey.NONE;
        }
    }
}
