package dev.understudy.standin.model;

import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.YamlFile;
import dev.understudy.sidecar.command.control.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;

/** Models as files of YAML. */
public final class ModelFile {
    /** What {@code format} is in the files of this version. */
    static final int FORMAT = 1;

    private static final long MOST_BYTES = 16L << 20;
    private static final int WIDTH = 120;

    private ModelFile() {}

    /**
     * Reads a model.
     *
     * @throws IOException if the file isn't there, or is larger than 16 MiB
     * @throws ConfigException with all that is wrong in it, with line and column
     */
    public static ServiceModel read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + ": no such file (expected: a model, as understudy standin learn writes it)");
        }
        if (Files.size(file) > MOST_BYTES) {
            throw new IOException(file + ": " + Files.size(file) + " bytes (expected: a model of at most 16 MiB)");
        }
        Problems problems = new Problems();
        return YamlFile.read(file, new Overrides(Map.of(), List.of(), problems), problems, ModelReader::service);
    }

    /**
     * Writes a model, readable by its owner alone.
     *
     * @throws IOException if the file can't be written
     */
    public static void write(ServiceModel model, Path file) throws IOException {
        PrivateFile.write(file, text(model));
    }

    /** A model as it stands in its file. */
    public static String text(ServiceModel model) {
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(FlowStyle.AUTO)
                .setWidth(WIDTH)
                .build();
        return "# What " + model.service() + " is asked and answers, without any of its data.\n"
                + new Dump(settings).dumpToString(ModelTree.of(model));
    }
}
