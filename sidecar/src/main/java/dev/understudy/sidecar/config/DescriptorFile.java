package dev.understudy.sidecar.config;

import dev.understudy.divergence.content.protobuf.ProtobufSchema;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The file of descriptors that {@code comparison.protobuf.descriptors} names, as {@code protoc} writes it. */
final class DescriptorFile {
    private DescriptorFile() {}

    /** The messages; none if no file is named. What is wrong with it is the setting's problem. */
    static ProtobufSchema read(Section protobuf) {
        String file = protobuf.optional("descriptors", Value.anyText(), "");
        if (file.isEmpty()) {
            return ProtobufSchema.NONE;
        }
        try {
            return ProtobufSchema.read(Files.readAllBytes(Path.of(file)));
        } catch (IOException | IllegalArgumentException wrong) {
            String why = wrong instanceof IOException ? "can't be read: " + wrong : String.valueOf(wrong.getMessage());
            protobuf.problem("descriptors: " + file + " " + why);
            return ProtobufSchema.NONE;
        }
    }
}
