package dev.understudy.relay.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A configuration file as a tree of nodes that know their line and column (YAML 1.2).
 *
 * <p>Confined to the thread that reads the configuration.
 */
public final class YamlFile {
    private final String name;
    private final Overrides overrides;
    private final Problems problems;
    private final List<Setting> asked = new ArrayList<>();

    private YamlFile(String name, Overrides overrides, Problems problems) {
        this.name = name;
        this.overrides = overrides;
        this.problems = problems;
    }

    /**
     * Reads a file into a record.
     *
     * @param path the file; missing, unreadable or malformed files are problems like any other
     * @param overrides what stands above the file
     * @param problems receives everything that is wrong, also keys and flags that the reader never asked for
     * @param reader takes the settings out of the top section; not called after a syntax error
     * @throws ConfigException with all problems, when there is one
     */
    public static <T> T read(Path path, Overrides overrides, Problems problems, Function<Section, T> reader) {
        YamlFile file = new YamlFile(String.valueOf(path.getFileName()), overrides, problems);
        return file.read(file.load(path), reader);
    }

    /**
     * Reads a text, YAML or JSON, as {@link #read(Path, Overrides, Problems, Function)} reads a file; nothing stands
     * above it.
     *
     * @param name stands for the file's name in problems
     */
    public static <T> T read(String name, String text, Function<Section, T> reader) {
        Problems problems = new Problems();
        YamlFile file = new YamlFile(name, new Overrides(Map.of(), List.of(), problems), problems);
        return file.read(text, reader);
    }

    /**
     * Returns the settings that a reader asks for, in its order, each as often as it does. Wrong values don't matter: a
     * text is only needed where a section is read because it is there.
     */
    public static List<Setting> settings(String text, Function<Section, ?> reader) {
        Problems problems = new Problems();
        YamlFile file = new YamlFile("settings", new Overrides(Map.of(), List.of(), problems), problems);
        Object unused = reader.apply(new Section("", file.compose(text), file));
        return List.copyOf(file.asked);
    }

    void asked(Setting setting) {
        asked.add(setting);
    }

    private <T> T read(@Nullable String text, Function<Section, T> reader) {
        Node node = text == null ? null : compose(text);
        if (node == null && !problems.lines().isEmpty()) {
            problems.throwIfAny();
        }
        Section top = new Section("", node, this);
        T result = reader.apply(top);
        top.reportUnknown();
        overrides.reportUnknown(problems);
        problems.throwIfAny();
        return result;
    }

    private @Nullable String load(Path path) {
        try {
            return Files.readString(path);
        } catch (NoSuchFileException missing) {
            problems.add(path.toString(), "no such file");
        } catch (IOException unreadable) {
            problems.add(path.toString(), "cannot be read: " + unreadable.getMessage());
        }
        return null;
    }

    private @Nullable Node compose(String text) {
        try {
            LoadSettings settings = LoadSettings.builder().setLabel(name).build();
            return new Compose(settings).composeString(text).orElse(null);
        } catch (MarkedYamlEngineException malformed) {
            problems.add(place(malformed.getProblemMark()), malformed.getProblem());
        } catch (YamlEngineException malformed) {
            problems.add(name, String.valueOf(malformed.getMessage()));
        } catch (StackOverflowError endless) {
            problems.add(name, "nested too deeply"); // the parser knows no limit of its own
        }
        return null;
    }

    static boolean isNull(Node node) {
        return node.getTag().equals(Tag.NULL);
    }

    void problem(@Nullable Node node, String message) {
        problems.add(node == null ? name : place(node), message);
    }

    String place(Node node) {
        return place(node.getStartMark());
    }

    Overrides overrides() {
        return overrides;
    }

    Problems problems() {
        return problems;
    }

    private String place(Optional<Mark> mark) {
        return mark.map(at -> name + ":" + (at.getLine() + 1) + ":" + (at.getColumn() + 1))
                .orElse(name);
    }
}
