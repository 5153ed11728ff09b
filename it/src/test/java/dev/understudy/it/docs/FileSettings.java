package dev.understudy.it.docs;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Setting;
import dev.understudy.relay.config.YamlFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All settings of a program's file, as its own reader asks for them, one table for each larger section.
 *
 * <p>The reader is given a file in which every section is there that it reads only then; what it asks for is recorded.
 */
final class FileSettings {
    private static final String TOP = "";

    /** A section with fewer settings has them in the table of the top. */
    private static final int OWN_TABLE = 4;

    private final String program;
    private final Map<String, Map<String, List<Setting>>> sections = new TreeMap<>();

    private FileSettings(String program) {
        this.program = program;
    }

    static FileSettings sidecar() throws IOException {
        return read("sidecar", ConfigReaders.sidecar());
    }

    static FileSettings aggregator() throws IOException {
        return read("aggregator", ConfigReaders.aggregator());
    }

    private static FileSettings read(String program, Function<Section, Object> reader) throws IOException {
        FileSettings read = new FileSettings(program);
        String everything;
        try (InputStream file = FileSettings.class.getResourceAsStream(program + ".every.yaml")) {
            everything = new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
        }
        List<Setting> asked = YamlFile.settings(everything, reader);
        read.refuseWhatWasOnlyLookedFor(asked);
        Set<String> known = asked.stream()
                .filter(setting -> setting.kind() != Setting.Kind.LOOKED_FOR)
                .map(Setting::path)
                .collect(Collectors.toSet());
        asked.stream().filter(setting -> known.contains(setting.path())).forEach(read::add);
        return read;
    }

    private void add(Setting setting) {
        String path = general(setting.path());
        int dot = path.indexOf('.');
        String section = dot < 0 ? TOP : path.substring(0, dot);
        sections.computeIfAbsent(section, added -> new LinkedHashMap<>())
                .computeIfAbsent(dot < 0 ? path : path.substring(dot + 1), added -> new ArrayList<>())
                .add(setting);
    }

    /** A setting that is read only where it is there has to be in the file that shows everything. */
    private void refuseWhatWasOnlyLookedFor(List<Setting> asked) {
        Set<String> read = asked.stream()
                .filter(setting -> setting.kind() != Setting.Kind.LOOKED_FOR)
                .map(setting -> general(setting.path()))
                .collect(Collectors.toSet());
        for (Setting setting : asked) {
            String path = general(setting.path());
            boolean known = read.stream()
                    .anyMatch(other ->
                            other.equals(path) || other.startsWith(path + ".") || other.startsWith(path + "[]."));
            if (!known) {
                throw new IllegalStateException(program + ".every.yaml lacks " + setting.path());
            }
        }
    }

    /** The tables, by the names of the generated parts: {@code settings sidecar window}, and one for the top. */
    Map<String, Part> parts() {
        Map<String, Part> parts = new LinkedHashMap<>();
        Map<String, List<Setting>> top = new LinkedHashMap<>(sections.getOrDefault(TOP, Map.of()));
        sections.forEach((section, settings) -> {
            if (section.equals(TOP) || settings.size() < OWN_TABLE) {
                settings.forEach(
                        (path, asked) -> top.putIfAbsent(section.isEmpty() ? path : section + "." + path, asked));
            } else {
                parts.put(
                        "settings " + program + " " + section.replace("[]", ""),
                        before -> table(settings).lines(before));
            }
        });
        parts.put("settings " + program, before -> table(top).lines(before));
        return parts;
    }

    /** The first words of all paths. */
    Set<String> topKeys() {
        Set<String> keys =
                new LinkedHashSet<>(sections.getOrDefault(TOP, Map.of()).keySet());
        sections.keySet().forEach(section -> keys.add(section.replace("[]", "")));
        return keys;
    }

    private static Table table(Map<String, List<Setting>> settings) {
        Table table = new Table("setting", "value", "default", "meaning");
        settings.forEach((path, asked) -> table.add(
                "`" + path + "`", Table.cell(SettingWords.kinds(asked)), Table.cell(SettingWords.defaults(asked)), ""));
        return table;
    }

    private static String general(String path) {
        return path.replaceAll("\\[\\d+]", "[]");
    }
}
