package dev.understudy.session.target.guess;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The settings that a process was started with: its environment, system properties, and further arguments.
 *
 * @param settings in their order, to a limit
 */
public record SettingWords(List<Setting> settings) {
    private static final int MOST = 5000;
    private static final int MOST_VALUE = 8192;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.\\[\\]-]{1,100}");

    /**
     * One of them.
     *
     * @param name "" for an argument without one
     * @param value a secret, maybe: never shown
     * @param place where it is, in words
     */
    record Setting(String name, String value, String place) {}

    public SettingWords {
        settings = List.copyOf(settings);
    }

    /** Takes them from both lists of words. */
    public static SettingWords of(List<String> command, List<String> environment) {
        List<Setting> settings = new ArrayList<>();
        for (String word : command) {
            String plain = word.startsWith("-D") ? word.substring(2) : word.startsWith("--") ? word.substring(2) : word;
            add(settings, plain, " on the command line");
        }
        for (String word : environment) {
            add(settings, word, " in the environment");
        }
        return new SettingWords(settings);
    }

    private static void add(List<Setting> settings, String word, String place) {
        if (settings.size() >= MOST) {
            return;
        }
        int equals = word.indexOf('=');
        boolean named = equals > 0
                && NAME.matcher(word.substring(0, Math.min(equals, 101))).matches();
        String name = named ? word.substring(0, equals) : "";
        String value = named ? word.substring(equals + 1) : word;
        settings.add(new Setting(
                name,
                value.substring(0, Math.min(value.length(), MOST_VALUE)),
                (named ? name : "an argument") + place));
    }

    /** The value of a setting, by its name as a property, or as an environment variable. */
    Optional<Setting> find(String name) {
        String variable = name.replace('.', '_').replace("-", "");
        return settings.stream()
                .filter(setting -> setting.name().equals(name) || setting.name().equalsIgnoreCase(variable))
                .findFirst();
    }

    /** A port that a setting holds. */
    Optional<Integer> port(String name) {
        return find(name)
                .filter(setting -> setting.value().matches("\\d{1,5}"))
                .map(setting -> Integer.parseInt(setting.value()))
                .filter(port -> port > 0 && port <= 0xffff);
    }
}
